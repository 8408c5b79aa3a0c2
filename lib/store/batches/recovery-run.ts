import { log } from '../../log.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Writer } from './writer.ts';

/** Batches that are looked at, and items that are folded, at once. */
const parallel = 8;

/** A run of the recovery. */
export interface Run {
  readonly writer: Writer;
  readonly now: number;
  /** Nobody else writes to the table. */
  readonly alone: boolean;
  /** The batches that have marks. */
  readonly marked: ReadonlySet<string>;
  readonly until: number;
  /** What went wrong, batch by batch. */
  readonly failures: Error[];
}

/** Does something for each element; what fails is noted and keeps nobody else from it. */
export async function isolate<T>(run: Run, elements: readonly T[], task: (element: T) => Promise<void>): Promise<void> {
  await forEachLimited(elements, parallel, async (element) => {
    try {
      await task(element);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      log.error('a bulk request could not be tidied up', { error: failure });
      run.failures.push(failure);
    }
  });
}
