import { getWork } from '../../store/entities/work.ts';
import { changesOf } from '../../store/stream/change.ts';
import type { Reaction } from '../stream/reaction.ts';
import { runWork } from './run.ts';

/** How long tasks are worked on before the next changes, such as new DIDs, have their turn, in milliseconds. */
const budget = 5_000;

/**
 * Does the steps of tasks as they are noted. A step changes the note, which brings the task here again; so it goes on
 * where the time was over. What was not due when it was noted is left to the schedule.
 */
export const work: Reaction = {
  name: 'work',
  kinds: ['work'],
  run: async (context, changes) => {
    const until = Date.now() + budget;
    const last = new Map(changesOf('work', changes).map(({ after }) => [`${after.key.PK} ${after.key.SK}`, after]));
    await Promise.all(
      [...last.values()].map(async ({ key, due, rev }) => {
        if (due > context.now) return;
        // Where it has moved on, the change that says so is still to come.
        const present = await getWork(context.store.table.latest(), key);
        if (present?.rev === rev) await runWork(context, key, until);
      }),
    );
  },
};
