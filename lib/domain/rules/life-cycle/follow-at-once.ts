import type { Table } from '../../../store/batches/table.ts';
import type { Write } from '../../../store/items/plan.ts';
import type { LockUpdates } from '../../locks/lock-updates.ts';
import { isDoneAtOnce, planCounting } from './count-in-subscription.ts';
import { releaseParents, releasesParents } from './parent-rules.ts';

/**
 * The writes of changed locks, together with what follows from the states of their rules: subscriptions count the rules
 * anew, and parent rules are released. So the next request sees it; the stream finds it done. After several attempts
 * that is left to the stream.
 *
 * @param attempt How often the plan was made, from 1.
 * @param now In milliseconds since 1970.
 */
export async function planFollowed(
  table: Table,
  updates: LockUpdates,
  attempt: number,
  now: number,
): Promise<readonly Write[]> {
  const changed = isDoneAtOnce(attempt) ? updates.changedRules() : [];
  const counting = await planCounting(table, changed);
  const released: Write[] = [];
  for (const child of changed.filter(releasesParents)) {
    released.push(...(await releaseParents(table, child, now, (id) => updates.mayWrite(id))));
  }
  return [...updates.writes(counting.states), ...counting.writes, ...released];
}
