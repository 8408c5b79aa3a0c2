import type { RuleTask, Task, Work } from '../../store/entities/work.ts';
import type { Plan } from '../../store/plan.ts';
import type { Table } from '../../store/table.ts';
import type { AnonymousContext } from '../context.ts';

/** What a step of a task comes to. */
export interface Step {
  /** What it does to the catalogue, all or nothing together with the note of the task. */
  readonly writes: Plan;
  /** What the next step goes on from; absent: the task is done. */
  readonly position?: unknown;
}

/**
 * Plans the next step of a task from the latest state of the catalogue. A step is small enough for one plan, takes a few
 * seconds at most, and may be planned again, when another writer got in between.
 *
 * @throws RucioError when the rule of the task cannot be placed, as it then says; anything else is tried again later.
 */
export type Worker<T extends Task = RuleTask> = (
  context: AnonymousContext,
  latest: Table,
  work: Work & { readonly task: T },
) => Promise<Step>;
