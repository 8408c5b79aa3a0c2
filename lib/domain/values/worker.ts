import type { Table } from '../../store/batches/table.ts';
import type { RuleTask, Task, Work } from '../../store/entities/work.ts';
import type { Plan } from '../../store/items/plan.ts';
import type { AnonymousContext } from './context.ts';

/** What a step of a task comes to. */
export interface TaskStep {
  /** What it does to the catalogue, all or nothing together with the note of the task. */
  readonly writes: Plan;
  /** What the next step goes on from; absent: the task is done. */
  readonly position?: unknown;
}

/**
 * Plans the next steps of a task from the latest state of the catalogue: one, or several, each on the assumption that
 * those before it have been done. Steps are planned ahead of what is written; when another writer gets in between, those
 * that are not written are dropped, and the task is planned anew from where it is. A step is small enough for one plan,
 * and takes a few seconds at most.
 *
 * @param isAgain Another writer got in between when this was planned before: what can do without conditions on what
 *   others change all the time should.
 * @throws RucioError when the rule of the task cannot be placed, as it then says; anything else is tried again later.
 */
export type Worker<T extends Task = RuleTask> = (
  context: AnonymousContext,
  latest: Table,
  work: Work & { readonly task: T },
  isAgain?: boolean,
) => Promise<TaskStep> | AsyncGenerator<TaskStep>;

/** Existing items that a step changes at most: so it fits into a transaction, with its rule, its note and what is rare. */
export const maxItemsPerStep = 95;

/** Whether a task was taken before and came to nothing: its process may have died of it. */
export function mayHaveCrashed(failures: Work['failures']): boolean {
  return (failures ?? 0) > 1;
}
