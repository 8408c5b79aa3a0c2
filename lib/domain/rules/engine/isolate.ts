import { RucioError } from '../../../errors.ts';
import { log } from '../../../log.ts';

/** What is done to some things, and what is done about those for which it fails. */
export interface Isolated<T> {
  /** For the log. */
  readonly name: string;
  readonly run: (some: readonly T[]) => Promise<void>;
  /** Notes what is to be done later. */
  readonly note: (failed: readonly T[]) => Promise<void>;
}

/**
 * Does something to many things at once, so that those for which it fails keep no others from it: what fails is tried in
 * halves, at last alone, and what fails alone is noted. While the table itself does not answer there is no use in that.
 *
 * @throws When what failed cannot be noted either.
 */
export async function isolate<T>(some: readonly T[], isolated: Isolated<T>): Promise<void> {
  if (some.length === 0) return;
  try {
    await isolated.run(some);
  } catch (error) {
    const isOfTable = error instanceof RucioError && error.name === 'DatabaseException';
    if (some.length > 1 && !isOfTable) {
      const half = Math.ceil(some.length / 2);
      await isolate(some.slice(0, half), isolated);
      await isolate(some.slice(half), isolated);
      return;
    }
    log.error('what follows from a change was put off', {
      what: isolated.name,
      count: some.length,
      error: error as Error,
    });
    await isolated.note(some);
  }
}

/**
 * Lets tasks of the same key have their turn one after the other, since they change the same item; those of different
 * keys do not wait for each other.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take(key: string, task: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key);
    const own = (before ?? Promise.resolve()).then(task, task);
    this.#last.set(key, own);
    await own;
  }
}
