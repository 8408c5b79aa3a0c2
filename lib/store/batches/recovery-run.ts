import { log } from '../../log.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Writer } from './writer.ts';

/** The most batches that are recovered, and items that are folded, in parallel. */
const maxParallelTasks = 8;

/** The state of one run of the recovery. */
export interface RecoveryRun {
  readonly writer: Writer;
  readonly now: number;
  /** No other process writes to the table. */
  readonly alone: boolean;
  /** The batches that have marks. */
  readonly marked: ReadonlySet<string>;
  readonly until: number;
  /** The failures of batches. */
  readonly failures: Error[];
}

/** Runs a task for each element. A failure is collected and does not stop the others. */
export async function forEachIsolated<T>(
  run: RecoveryRun,
  elements: readonly T[],
  task: (element: T) => Promise<void>,
): Promise<void> {
  await forEachLimited(elements, maxParallelTasks, async (element) => {
    try {
      await task(element);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      log.error('a bulk request could not be tidied up', { error: failure });
      run.failures.push(failure);
    }
  });
}
