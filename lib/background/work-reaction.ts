import { clock } from '../clock.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { workIdOf } from '../store/entities/work.ts';
import { changesOf } from '../store/stream/change.ts';
import { isLeased } from './lease.ts';
import { runLanes } from './run-lanes.ts';
import { runTask } from './run-work.ts';

/** Time for tasks before the consumer handles the next changes. */
const budgetMs = 5_000;

/**
 * Runs the steps of tasks when they are created. When the time is over, the lease of a task is released; that write
 * arrives here as another change. Tasks that are not due yet are left to the schedule.
 */
export const workReaction: Reaction = {
  name: 'work',
  kinds: ['work'],
  run: async (context, changes) => {
    const until = clock.now() + budgetMs;
    const latest = new Map(changesOf('work', changes).map(({ after }) => [workIdOf(after), after]));
    const runnable = [...latest.values()].filter((work) => work.due <= context.now && !isLeased(work, clock.now()));
    // If a task has progressed, its lease cannot be taken; a later change brings its new state.
    await runLanes(runnable, async (work) => {
      await runTask(context, work, until);
    });
  },
};
