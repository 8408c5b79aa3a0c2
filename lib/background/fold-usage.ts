import type { Reaction } from '../domain/values/reaction.ts';
import { forEachLimited } from '../parallel.ts';
import type { Table } from '../store/batches/table.ts';
import { foldAccountUsage } from '../store/entities/account-usage.ts';
import { foldRseUsage } from '../store/entities/rse-usage.ts';
import type { Plan } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';
import { changesOf } from '../store/stream/change.ts';

/** The most differences folded by one plan, so that it fits into a transaction. */
const maxDifferences = 90;

/** Fewer differences are not folded: folding a single one costs ten units, reading it with the sum almost nothing. */
const minDifferences = 20;

/** The most sums folded in parallel. */
const maxParallelFolds = 8;

/**
 * Makes the reaction that folds differences of usage into their sums (docs/adr/0011-rules-on-the-stream.md), once there
 * are enough of them or the history has no entry for the present hour. The plan that adds a difference to the sum also deletes its
 * item, so folding is idempotent and safe under concurrency.
 *
 * Costs a query for each sum. Folding costs three to four writes, and two units for each difference.
 *
 * @param minimum The least number of differences that are folded.
 */
export function makeFoldUsage(minimum: number): Reaction {
  const size = { max: maxDifferences, min: minimum };
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
      await forEachLimited([...folds.values()], maxParallelFolds, (fold) => foldAll(store, fold));
    },
  };
}

/** The reaction with the default threshold. */
export const foldUsage = makeFoldUsage(minDifferences);

async function foldAll(store: Store, fold: (latest: Table) => Promise<Plan>): Promise<void> {
  let plan: Plan;
  do {
    plan = [];
    await store.write(async (latest) => (plan = await fold(latest)), { inBackground: true });
  } while (plan.length >= maxDifferences);
}
