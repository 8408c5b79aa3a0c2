import { forEachLimited } from '../parallel.ts';
import type { Work } from '../store/entities/work.ts';

/** Tasks that are done at once, which bounds what they hold in memory. */
const parallel = 4;

/**
 * Works on notes: those of one rule one after the other, since they all change its numbers, some rules at once. One that
 * fails keeps no other from its turn, and nothing goes on in the background when this is over.
 *
 * @throws AggregateError of what was thrown, after all.
 */
export async function runLanes(notes: readonly Work[], run: (work: Work) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  await forEachLimited([...Map.groupBy(notes, laneOf).values()], parallel, async (lane) => {
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

function laneOf({ task, key }: Work): string {
  return 'ruleId' in task ? task.ruleId : key.SK;
}
