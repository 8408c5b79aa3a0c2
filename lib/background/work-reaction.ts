import type { Reaction } from '../domain/values/reaction.ts';
import { changesOf } from '../store/stream/change.ts';
import { runLanes } from './lanes.ts';
import { isLeased } from './lease.ts';
import { runNote } from './run-work.ts';

/** How long tasks are worked on before the next changes, such as new DIDs, have their turn, in milliseconds. */
const budget = 5_000;

/**
 * Does the steps of tasks as they are noted. Whoever is at a task gives its note back when the time is over, which brings
 * it here again. What was not due when it was noted is left to the schedule.
 */
export const work: Reaction = {
  name: 'work',
  kinds: ['work'],
  run: async (context, changes) => {
    const until = Date.now() + budget;
    const last = new Map(changesOf('work', changes).map(({ after }) => [`${after.key.PK} ${after.key.SK}`, after]));
    const free = [...last.values()].filter((note) => note.due <= context.now && !isLeased(note, Date.now()));
    // Where a note has moved on, the change that says so is still to come: it cannot be taken as it was.
    await runLanes(free, async (note) => {
      await runNote(context, note, until);
    });
  },
};
