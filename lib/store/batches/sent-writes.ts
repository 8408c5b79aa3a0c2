import { forEachLimited } from '../../parallel.ts';
import { keyOf, type StagedWrite } from '../items/plan.ts';
import { eraseInsert, unstageChange } from './abort.ts';
import { maxParallelRequests, type Writer } from './writer.ts';

/** The writes that a writer has sent for a batch, so that it can roll them back. */
export class SentWrites {
  /** It is unknown what became of an attempt to stage a change: it may arrive after the batch was committed and folded. */
  hasLostChange = false;
  #hasLost = false;
  /** The writes that took effect, or may have. */
  readonly #possible = new Set<StagedWrite>();
  readonly #inDoubt = new Set<StagedWrite>();

  /** Adds writes that are about to be sent. */
  add(writes: readonly StagedWrite[]): void {
    for (const write of writes) {
      this.#possible.add(write);
      this.#inDoubt.add(write);
    }
  }

  /** Records that it is unknown what became of an attempt to send writes. Whatever came of its repeat, it may still arrive. */
  noteLost(writes: readonly StagedWrite[]): void {
    this.#hasLost = true;
    this.hasLostChange ||= writes.some(({ kind }) => kind === 'change');
  }

  /** Records that a write has taken effect. */
  confirm(write: StagedWrite): void {
    this.#inDoubt.delete(write);
  }

  /** Records that a write was refused and has had no effect. */
  drop(write: StagedWrite): void {
    if (this.#hasLost) return;
    this.#possible.delete(write);
    this.#inDoubt.delete(write);
  }

  /**
   * Removes the writes of an aborted batch.
   *
   * @returns Whether none is left and none can arrive: a write without an answer might still be on its way.
   */
  async removeAll(writer: Writer, batch: string): Promise<boolean> {
    await forEachLimited([...this.#possible], maxParallelRequests, async (write) => {
      if (write.kind === 'insert') await eraseInsert(writer, batch, keyOf(write));
      else await unstageChange(writer, batch, write.key, write.patch);
    });
    return !this.#hasLost && this.#inDoubt.size === 0;
  }
}
