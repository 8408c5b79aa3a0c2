import type { Reaction } from '../domain/values/reaction.ts';
import { forEachLimited } from '../parallel.ts';
import type { Table } from '../store/batches/table.ts';
import { foldAccountUsage } from '../store/entities/account-usage.ts';
import { foldRseUsage } from '../store/entities/rse-usage.ts';
import type { Plan } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';
import { changesOf } from '../store/stream/change.ts';

/** Differences that one plan folds at most: so it fits into a transaction. */
const most = 90;

/** Differences that are worth folding: to fold a single one costs ten units, and to read it with the sum next to nothing. */
const fewest = 20;

/** Sums that are folded at once. */
const parallel = 8;

/**
 * Folds differences of usage into their sums (docs/adr/0011-rules-on-the-stream.md), once there are enough of them or the
 * history has no entry of the present hour. A difference that is in the sum is gone, so it does not matter how often this
 * is done, or by how many at once.
 *
 * Costs a query for each sum, and where it folds three to four writes besides the differences, which are two units each.
 *
 * @param atLeast Differences that are folded together at the least.
 */
export function foldingUsage(atLeast: number): Reaction {
  const size = { most, fewest: atLeast };
  return {
    name: 'fold usage',
    kinds: ['accountUsage', 'rseUsage'],
    async run({ store }, changes) {
      const folds = new Map<string, (latest: Table) => Promise<Plan>>();
      for (const { rseId } of changesOf('rseUsage', changes)) {
        folds.set(rseId, (latest) => foldRseUsage(latest, rseId, size));
      }
      for (const { account, rseId } of changesOf('accountUsage', changes)) {
        folds.set(`${account} ${rseId}`, (latest) => foldAccountUsage(latest, account, rseId, size));
      }
      await forEachLimited([...folds.values()], parallel, (fold) => foldAll(store, fold));
    },
  };
}

/** The reaction that folds what is worth it. */
export const foldUsage = foldingUsage(fewest);

async function foldAll(store: Store, fold: (latest: Table) => Promise<Plan>): Promise<void> {
  let plan: Plan;
  do {
    plan = [];
    await store.write(async (latest) => (plan = await fold(latest)), { inBackground: true });
  } while (plan.length >= most);
}
