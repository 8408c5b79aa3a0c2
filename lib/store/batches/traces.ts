import { forEachLimited } from '../../parallel.ts';
import { keyOf, type Write } from '../items/plan.ts';
import { textOfKey } from '../keys/key-parts.ts';
import { eraseInsert, unstageChange } from './settle.ts';
import type { Writer } from './writer.ts';

/** Requests under way at once. */
const parallel = 16;

/** What a writer knows of the writes that it has sent for a batch, so that it can take them back. */
export class Traces {
  /** Those that were made, or may have been. */
  readonly #left = new Map<string, Write>();
  readonly #inDoubt = new Set<string>();

  /** Writes are about to be sent. */
  sent(writes: readonly Write[]): void {
    for (const write of writes) {
      const key = textOfKey(keyOf(write));
      this.#left.set(key, write);
      this.#inDoubt.add(key);
    }
  }

  /** The table has made a write. */
  made(write: Write): void {
    this.#inDoubt.delete(textOfKey(keyOf(write)));
  }

  /** The table has refused a write, and has not made it before. */
  refused(write: Write): void {
    const key = textOfKey(keyOf(write));
    this.#left.delete(key);
    this.#inDoubt.delete(key);
  }

  /**
   * Takes back what was written for a batch that is aborted.
   *
   * @returns Whether nothing is left and nothing can come: no write is in doubt, which might still be on its way.
   */
  async takeBack(writer: Writer, batch: string): Promise<boolean> {
    await forEachLimited([...this.#left.values()], parallel, async (write) => {
      if (write.kind === 'insert') await eraseInsert(writer, batch, keyOf(write));
      else await unstageChange(writer, batch, write.key, write.patch);
    });
    return this.#inDoubt.size === 0;
  }
}
