import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { parseJson } from '../../lib/json.ts';
import type { Item } from '../../lib/store/items/item.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { type PortableRecord, toItem } from '../../lib/store/portable/portable-record.ts';
import { itemsPerPut, putItems } from '../../lib/store/portable/put-items.ts';
import { inChunks, mapParallel } from '../rows/map-parallel.ts';
import { fromJsonForm } from './json-form.ts';
import type { Manifest } from './manifest.ts';

/** Requests under way at a time. */
const parallelPuts = 16;

/** The source and the target of a load. */
interface Load {
  readonly store: Store;
  readonly folder: string;
  /** The manifest of the folder, checked. */
  readonly manifest: Manifest;
  readonly onProgress?: (items: number) => void;
}

/** Puts all records of an export into a table that is empty and that nobody reads; returns their number. */
export async function loadExport({ store, folder, manifest, onProgress }: Load): Promise<number> {
  let count = 0;
  const chunks = inChunks(itemsOf(folder, manifest), itemsPerPut);
  const put = async (items: readonly Item[]) => {
    await putItems(store, items);
    return items.length;
  };
  for await (const done of mapParallel(chunks, parallelPuts, put)) {
    count += done;
    onProgress?.(count);
  }
  return count;
}

async function* itemsOf(folder: string, { files }: Manifest): AsyncGenerator<Item> {
  for (const { file, kind } of files) {
    const lines = createInterface({ input: createReadStream(join(folder, file)), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) yield toItem(kind, fromJsonForm(parseJson(line)) as PortableRecord);
  }
}
