import { forEachLimited } from '../parallel.ts';
import { type Work, workIdOf } from '../store/entities/work.ts';

/** The most lanes that run in parallel; this bounds the memory that tasks use. */
const maxParallelLanes = 4;

/**
 * Runs tasks in lanes: the tasks of one rule one after the other, since they all change its counters; several rules in
 * parallel. A task that fails does not stop the others, and no task is still running when this returns.
 *
 * @throws AggregateError of all errors, at the end.
 */
export async function runLanes(tasks: readonly Work[], run: (work: Work) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  await forEachLimited([...Map.groupBy(tasks, getLane).values()], maxParallelLanes, async (lane) => {
    for (const work of lane) {
      try {
        await run(work);
      } catch (error) {
        errors.push(error);
      }
    }
  });
  if (errors.length > 0) throw new AggregateError(errors, 'some tasks could be neither done nor put off');
}

function getLane(work: Work): string {
  return 'ruleId' in work.task ? work.task.ruleId : workIdOf(work);
}
