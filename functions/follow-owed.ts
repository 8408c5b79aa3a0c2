import { followOwed } from '../lib/background/follow-owed.ts';
import { fastReactions, slowReactions } from '../lib/background/reactions.ts';
import { clock } from '../lib/clock.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Time of a run, shorter than the timeout of the function; the rest is left to the next run. */
const budgetMs = 180_000;

/** Runs on a schedule: follows the changes that the table owes since it was loaded or restored. */
export async function handler(): Promise<{ records: number; done: boolean }> {
  const stopwatch = clock.stopwatch();
  return followOwed(store, { fast: fastReactions, slow: slowReactions }, () => stopwatch.elapsed() < budgetMs);
}
