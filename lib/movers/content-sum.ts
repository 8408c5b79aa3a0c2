import { createHash } from 'node:crypto';

import { Adler32 } from './adler32.ts';

/** Size and checksums of content that was read. */
export interface SummedContent {
  readonly bytes: number;
  readonly adler32: string;
  readonly md5: string;
}

/** The size and the checksums of content that comes in parts. */
export class ContentSum {
  readonly #adler32 = new Adler32();
  readonly #md5 = createHash('md5');
  #bytes = 0;

  /** Adds bytes. */
  update(chunk: Uint8Array): void {
    this.#adler32.update(chunk);
    this.#md5.update(chunk);
    this.#bytes += chunk.length;
  }

  /** The bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The sums of all that was added; to be asked for once. */
  digest(): SummedContent {
    return { bytes: this.#bytes, adler32: this.#adler32.digest(), md5: this.#md5.digest('hex') };
  }
}
