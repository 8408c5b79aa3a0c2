import { clock } from '../../clock.ts';
import { decidedAgeMs } from './batch-record.ts';
import { listUnfinished, type TableAccess } from './list-batches.ts';

/**
 * A cache of the batches that were neither committed nor cleaned up. It is loaded at the first stamp that is older than the
 * horizon, and again after half an hour; by then all batches of that age are decided.
 */
export class UnfinishedBatches {
  readonly #access: TableAccess;
  #ids: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(access: TableAccess) {
    this.#access = access;
  }

  /** Whether a batch from before the horizon was never committed; undefined if that needs a read. */
  includesCached(id: string): boolean | undefined {
    const age = clock.now() - this.#readAt;
    return age >= 0 && age < decidedAgeMs ? this.#ids.has(id) : undefined;
  }

  /** Whether a batch from before the horizon was never committed; reads the list if needed. */
  async includes(id: string): Promise<boolean> {
    const cached = this.includesCached(id);
    if (cached !== undefined) return cached;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    return this.#ids.has(id);
  }

  async #read(): Promise<void> {
    const now = clock.now();
    this.#ids = await listUnfinished(this.#access, now);
    this.#readAt = now;
  }
}
