import { decidedAge } from './batch-record.ts';
import { listUnfinished } from './list-batches.ts';
import type { Writer } from './writer.ts';

/**
 * What a process remembers of batches that were neither committed nor cleaned up. Read when it first meets a stamp which is
 * older than the horizon, and again when that was half an hour ago: by then all batches that old are decided.
 */
export class UnfinishedBatches {
  readonly #place: Pick<Writer, 'client' | 'tableName'>;
  #ids: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(place: Pick<Writer, 'client' | 'tableName'>) {
    this.#place = place;
  }

  /** Whether a batch that began before the horizon was never committed; undefined where that has to be read. */
  knows(id: string): boolean | undefined {
    const age = Date.now() - this.#readAt;
    return age >= 0 && age < decidedAge ? this.#ids.has(id) : undefined;
  }

  /** The same, with a read where it takes one. */
  async includes(id: string): Promise<boolean> {
    const known = this.knows(id);
    if (known !== undefined) return known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    return this.#ids.has(id);
  }

  async #read(): Promise<void> {
    const now = Date.now();
    this.#ids = await listUnfinished(this.#place, now);
    this.#readAt = now;
  }
}
