import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { parseNamed } from '../../lib/json-names.ts';
import type { Item } from '../../lib/store/items/item.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { toRecord } from '../../lib/store/portable/portable-record.ts';
import { scanItems } from '../../lib/store/portable/scan-items.ts';
import { type Row, sortRows } from '../rows/sorted-rows.ts';
import { toJsonForm } from './json-form.ts';
import { LineFile } from './line-file.ts';
import { type ExportedFile, formatVersion, type Manifest, writeManifest } from './manifest.ts';

/** How a catalogue is exported. */
interface ExportOptions {
  readonly store: Store;
  /** Must be empty, or not exist. */
  readonly folder: string;
  readonly passwords: boolean;
  /** Items that belong to the catalogue beside those of its table. */
  readonly owed?: AsyncIterable<Item>;
  readonly onProgress?: (items: number) => void;
}

/** Separates the parts of the key by which records are sorted; it is in no key of the table. */
const separator = '\u0001';

/**
 * Writes every item of a catalogue as a line of JSON, one file for each kind, sorted by key.
 *
 * @throws Error if the folder is not empty.
 */
export async function exportCatalogue(options: ExportOptions): Promise<Manifest> {
  const { folder, passwords } = options;
  await makeEmpty(folder);
  const scratch = await mkdtemp(join(folder, '.sorting-'));
  try {
    const files: ExportedFile[] = [];
    let kind: string | undefined;
    let file: LineFile | undefined;
    for await (const { key, text } of sortRows(recordsOf(options), scratch)) {
      const next = (parseNamed(key) as string).split(separator, 1)[0] as string;
      if (next !== kind) {
        if (file !== undefined) files.push(await file.end());
        kind = next;
        file = await LineFile.create(folder, kind);
      }
      await file?.add(text);
    }
    if (file !== undefined) files.push(await file.end());
    const manifest: Manifest = { format: 'dapple-export', version: formatVersion, passwords, files };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await readdir(folder);
  if (found.length > 0) throw new Error(`The folder ${folder} is not empty. Name a new one with \`--to <folder>\`.`);
}

async function* recordsOf({ store, passwords, owed, onProgress }: ExportOptions): AsyncGenerator<Row> {
  let count = 0;
  for await (const item of itemsOf(store, owed)) {
    const { kind, record } = toRecord(passwords ? item : withoutPassword(item));
    const key = [kind, item.PK, item.SK].join(separator);
    yield { key, value: toJsonForm(record) as Record<string, unknown> };
    count += 1;
    onProgress?.(count);
  }
}

async function* itemsOf(store: Store, owed: AsyncIterable<Item> | undefined): AsyncGenerator<Item> {
  yield* scanItems(store);
  if (owed !== undefined) yield* owed;
}

/** Only identities have this attribute. */
function withoutPassword(item: Item): Item {
  const { password: _password, ...rest } = item;
  return rest;
}
