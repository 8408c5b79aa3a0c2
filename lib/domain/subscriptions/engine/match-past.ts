import { forEachLimited } from '../../../parallel.ts';
import { latestEffectMs } from '../../../store/batches/commit.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type CollectionDid, listCollections } from '../../../store/entities/did.ts';
import { listScopes } from '../../../store/entities/scope.ts';
import { getSubscriptionById } from '../../../store/entities/subscription.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import type { Worker } from '../../values/worker.ts';
import type { SubscriptionFilter } from '../subscription-filter.ts';
import { isActiveSubscription, markProcessed, toActiveSubscription } from './active-subscriptions.ts';
import { applyMatch } from './apply-match.ts';
import { CheckedTerms } from './checked-terms.ts';
import { mayMatchScope } from './matches-filter.ts';
import { mayMatch } from './may-match.ts';
import { newSince } from './newness.ts';

/** The budget of a step in collections. Each scope is a query and costs as much as several collections. */
const limits = { collectionsPerStep: 500, collectionsPerScope: 5 };

const maxParallelMatches = 8;

/** The pause before recent collections are looked at once more. */
const secondLookMs = 60_000;

/** Recent is what became new this long before the subscription: a write may be dated earlier, and the index be an hour late. */
const recentMs = 3_600_000 + latestEffectMs;

/** A position among all collections; without a name: the beginning of the scope. */
export interface CollectionPlace {
  readonly scope: string;
  readonly name?: string;
}

/** The collections from a position on. Each scope is also yielded once without a DID, at its beginning. */
export async function* walkCollections(
  table: Table,
  filter: SubscriptionFilter,
  from?: CollectionPlace,
): AsyncGenerator<{ readonly scope: string; readonly did?: CollectionDid }> {
  for await (const { scope } of listScopes(table, from === undefined ? {} : { from: from.scope })) {
    if (!mayMatchScope(filter, scope)) continue;
    yield { scope };
    const after = from?.scope === scope ? from.name : undefined;
    for await (const did of listCollections(table, scope, '', { after, pageSize: 100 })) yield { scope, did };
  }
}

/**
 * Matches existing collections against a retroactive subscription, scope by scope. Each match is a plan of its own that
 * records it, so a repeated step does not repeat matches. The collections are read from the index, which is eventually
 * consistent: those that became new shortly before are looked at again.
 */
export const matchPast: Worker<Extract<SubscriptionTask, { readonly kind: 'matchPast' }>> = async (
  { store, now },
  latest,
  { task, position, due },
) => {
  const table = latest.latest();
  const subscription = await getSubscriptionById(table, task.subscriptionId);
  if (subscription === undefined || !isActiveSubscription(subscription, now)) return { writes: [] };
  const active = toActiveSubscription(subscription);
  const found: CollectionDid[] = [];
  let reached = position as CollectionPlace | undefined;
  let examined = 0;
  let isOverBudget = false;
  for await (const { scope, did } of walkCollections(table, active.filter, reached)) {
    isOverBudget = examined >= limits.collectionsPerStep;
    if (isOverBudget) break;
    examined += did === undefined ? limits.collectionsPerScope : 1;
    if (did !== undefined || reached?.scope !== scope) reached = { scope, ...(did && { name: did.name }) };
    if (did !== undefined && newSince(did) >= (task.since ?? 0) && mayMatch(active, did)) found.push(did);
  }
  const context = { store, now, checked: new CheckedTerms() };
  await forEachLimited(found, maxParallelMatches, (did) => applyMatch(context, { active, did }));
  if (isOverBudget) return { writes: [], position: reached };
  await markProcessed(store, subscription, now);
  if (task.since !== undefined) return { writes: [] };
  return { writes: [insertWork({ ...task, since: due - recentMs }, now + secondLookMs)] };
};
