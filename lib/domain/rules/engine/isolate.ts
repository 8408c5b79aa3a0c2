import { RucioError } from '../../../errors.ts';
import { log } from '../../../log.ts';

/** A batch operation, and what to do with the items for which it fails. */
export interface IsolatedRun<T> {
  /** For the log. */
  readonly name: string;
  readonly run: (items: readonly T[]) => Promise<void>;
  /** Leaves failed items to a task. */
  readonly defer: (failed: readonly T[]) => Promise<void>;
}

/**
 * Runs an operation on a batch of items and isolates those that fail: a failed batch is split into halves, down to
 * single items, and a single item that fails is deferred. If the table itself does not answer, the batch is deferred as
 * a whole.
 *
 * @throws If the failed items cannot be deferred either.
 */
export async function isolate<T>(items: readonly T[], isolated: IsolatedRun<T>): Promise<void> {
  if (items.length === 0) return;
  try {
    await isolated.run(items);
  } catch (error) {
    const isOfTable = error instanceof RucioError && error.name === 'DatabaseException';
    if (items.length > 1 && !isOfTable) {
      const half = Math.ceil(items.length / 2);
      await isolate(items.slice(0, half), isolated);
      await isolate(items.slice(half), isolated);
      return;
    }
    log.error('what follows from a change was put off', {
      what: isolated.name,
      count: items.length,
      error: error as Error,
    });
    await isolated.defer(items);
  }
}

/**
 * Runs tasks of one key one after the other, since they change the same item. Tasks of different keys run concurrently.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run(key: string, task: () => Promise<void>): Promise<void> {
    const previous = this.#last.get(key);
    const current = (previous ?? Promise.resolve()).then(task, task);
    this.#last.set(key, current);
    await current;
  }
}
