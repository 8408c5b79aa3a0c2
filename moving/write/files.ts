import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, renameSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';

import { UsageError } from '../rucio/source.ts';
import type { ItemKey, PreparedItem } from './prepared-item.ts';
import type { Target } from './target.ts';

/** Bytes of a file before it is packed. */
const defaultFileBytes = 64 * 1024 * 1024;

/** The end of the name of a file that is being written. */
const unfinished = '.part';

/** Faster than the default, and a tenth larger. */
const packingLevel = 4;

const nameOf = (number: number) => `items-${String(number).padStart(6, '0')}.json.gz`;

interface OpenFile {
  readonly path: string;
  readonly gzip: Gzip;
  readonly output: WriteStream;
  bytes: number;
}

/**
 * A folder of gzip files of DynamoDB's JSON, one item a line, as DynamoDB imports them from S3. A file gets its name once it
 * is complete and on disk; files that the progress of a run does not count are written anew.
 */
export class Files implements Target {
  readonly address: string;
  readonly #folder: string;
  readonly #fileBytes: number;
  #file: OpenFile | undefined;
  /** Finished files. */
  #count = 0;

  constructor(folder: string, fileBytes = defaultFileBytes) {
    this.address = `the folder of files ${folder}`;
    this.#folder = folder;
    this.#fileBytes = fileBytes;
  }

  get progress(): string {
    return String(this.#count);
  }

  async open(progress: string | undefined): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const present = readdirSync(this.#folder);
    if (progress === undefined && present.length > 0)
      throw new UsageError(`The folder ${this.#folder} is not empty. Name a new one.`);
    this.#count = Number(progress ?? 0);
    const known = new Set(Array.from({ length: this.#count }, (_value, index) => nameOf(index + 1)));
    const stale = present.filter((name) => /^items-\d{6}\.json\.gz/.test(name) && !known.has(name));
    for (const name of stale) rmSync(join(this.#folder, name));
  }

  async put(items: readonly PreparedItem[]): Promise<void> {
    if (items.length === 0) return;
    const file = (this.#file ??= this.#begin());
    const lines = items.map(({ text }) => `{"Item":${text}}\n`).join('');
    file.bytes += Buffer.byteLength(lines);
    if (!file.gzip.write(lines)) await once(file.gzip, 'drain');
  }

  async delete(keys: readonly ItemKey[]): Promise<void> {
    if (keys.length === 0) return;
    throw new UsageError(
      'Files that are written cannot follow changes. Import them into a table, and go on with --to table:NAME and the ' +
        'state of this import (--state).',
    );
  }

  async settle(atOnce: boolean): Promise<boolean> {
    if (this.#file === undefined) return true;
    if (!atOnce && this.#file.bytes < this.#fileBytes) return false;
    const { path, gzip, output } = this.#file;
    this.#file = undefined;
    gzip.end();
    await finished(output);
    renameSync(path, path.slice(0, -unfinished.length));
    this.#count += 1;
    return true;
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {
    this.#file?.output.destroy();
    this.#file = undefined;
  }

  #begin(): OpenFile {
    const path = join(this.#folder, nameOf(this.#count + 1));
    const output = createWriteStream(path + unfinished, { flush: true, mode: 0o600 });
    const gzip = createGzip({ level: packingLevel });
    gzip.pipe(output);
    return { path: path + unfinished, gzip, output, bytes: 0 };
  }
}
