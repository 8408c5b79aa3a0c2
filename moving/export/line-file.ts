import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import type { ExportedFile } from './manifest.ts';

/** Lines are written in pieces of this size, in characters. */
const pieceLength = 256 * 1024;

/** A file of JSON lines that is being written, readable by its owner alone. */
export class LineFile {
  readonly #handle: FileHandle;
  readonly #file: string;
  readonly #kind: string;
  readonly #hash = createHash('sha256');
  #pending: string[] = [];
  #pendingLength = 0;
  #records = 0;
  #bytes = 0;

  constructor(handle: FileHandle, file: string, kind: string) {
    this.#handle = handle;
    this.#file = file;
    this.#kind = kind;
  }

  /** Creates the file of a kind. @throws Error if it exists. */
  static async create(folder: string, kind: string): Promise<LineFile> {
    const file = `${kind}.jsonl`;
    return new LineFile(await open(join(folder, file), 'wx', 0o600), file, kind);
  }

  /** Adds a line. */
  async add(line: string): Promise<void> {
    this.#pending.push(line, '\n');
    this.#pendingLength += line.length + 1;
    this.#records += 1;
    if (this.#pendingLength >= pieceLength) await this.#flush();
  }

  /** Ends the file; returns its entry in the manifest. */
  async end(): Promise<ExportedFile> {
    await this.#flush();
    await this.#handle.sync();
    await this.#handle.close();
    const sha256 = this.#hash.digest('hex');
    return { file: this.#file, kind: this.#kind, records: this.#records, bytes: this.#bytes, sha256 };
  }

  async #flush(): Promise<void> {
    const piece = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#pendingLength = 0;
    this.#hash.update(piece);
    this.#bytes += piece.length;
    await this.#handle.writeFile(piece);
  }
}
