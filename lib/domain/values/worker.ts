import type { Table } from '../../store/batches/table.ts';
import type { RuleTask, Task, Work } from '../../store/entities/work.ts';
import type { Plan } from '../../store/items/plan.ts';
import type { AnonymousContext } from './context.ts';

/** One planned step of a task. */
export interface TaskStep {
  /** Its writes. They are committed together with the new position of the task. */
  readonly writes: Plan;
  /** The checkpoint from which the next step continues; absent: the task is done. */
  readonly position?: unknown;
}

/**
 * Plans the next steps of a task from the latest state of the catalogue. A step assumes that the steps before it are
 * committed. Steps are planned ahead of their commit; on a conflict the remaining ones are dropped, and the task is
 * planned again from its checkpoint. A step fits into one plan and takes a few seconds at most.
 *
 * @param isAgain The previous attempt ended in a conflict: avoid conditions on items that change often.
 * @throws RucioError if the rule of the task cannot be placed; the rule then shows the error. Any other error is
 *   retried later.
 */
export type Worker<T extends Task = RuleTask> = (
  context: AnonymousContext,
  latest: Table,
  work: Work & { readonly task: T },
  isAgain?: boolean,
) => Promise<TaskStep> | AsyncGenerator<TaskStep>;

/**
 * The most existing items that a step may change. With the rule, the task and a reserve it fits into one transaction.
 */
export const maxItemsPerStep = 95;

/** Whether earlier attempts of a task ended without a result: it may have crashed its process. */
export function mayHaveCrashed(failures: Work['failures']): boolean {
  return (failures ?? 0) > 1;
}
