import { forEachLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, listCollections } from '../../../store/entities/did.ts';
import { listScopes } from '../../../store/entities/scope.ts';
import { getSubscriptionById } from '../../../store/entities/subscription.ts';
import type { SubscriptionTask } from '../../../store/entities/work.ts';
import type { Worker } from '../../values/worker.ts';
import type { SubscriptionFilter } from '../filter.ts';
import { isActive, stampProcessed, toActive } from './active.ts';
import { applyMatch } from './apply.ts';
import { CheckedTerms } from './checked-terms.ts';
import { mayFitScope } from './matches.ts';
import { mayMatch } from './may-match.ts';

/** How much a step looks at: a collection counts once, a scope is a query of its own. */
const limits = { most: 500, scope: 5 };

/** Collections that are matched at once. */
const parallel = 8;

/** A place among all collections, by scope and name; without a name: where the scope begins. */
export interface CollectionPlace {
  readonly scope: string;
  readonly name?: string;
}

/** Collections at a place and behind it, each with the scope that was begun when there is none. */
export async function* walkCollections(
  table: Table,
  filter: SubscriptionFilter,
  from?: CollectionPlace,
): AsyncGenerator<{ readonly scope: string; readonly did?: Did }> {
  for await (const { scope } of listScopes(table, from === undefined ? {} : { from: from.scope })) {
    if (!mayFitScope(filter, scope)) continue;
    yield { scope };
    const after = from?.scope === scope ? from.name : undefined;
    for await (const did of listCollections(table, scope, '', { after, pageSize: 100 })) yield { scope, did };
  }
}

/**
 * Matches what was there before a retroactive subscription against it, scope by scope. Each match is a plan of its own,
 * which remembers it; a step that is repeated finds them done.
 */
export const matchPast: Worker<Extract<SubscriptionTask, { readonly kind: 'matchPast' }>> = async (
  { store, now },
  latest,
  { task, position },
) => {
  const table = latest.latest();
  const subscription = await getSubscriptionById(table, task.subscriptionId);
  if (subscription === undefined || !isActive(subscription, now)) return { writes: [] };
  const active = toActive(subscription);
  const found: Did[] = [];
  let place = position as CollectionPlace | undefined;
  let looked = 0;
  let isCut = false;
  for await (const { scope, did } of walkCollections(table, active.filter, place)) {
    isCut = looked >= limits.most;
    if (isCut) break;
    looked += did === undefined ? limits.scope : 1;
    if (did !== undefined || place?.scope !== scope) place = { scope, ...(did && { name: did.name }) };
    if (did !== undefined && mayMatch(active, did)) found.push(did);
  }
  const context = { store, now, checked: new CheckedTerms() };
  await forEachLimited(found, parallel, (did) => applyMatch(context, { active, did }));
  if (isCut) return { writes: [], position: place };
  await stampProcessed(store, subscription, now);
  return { writes: [] };
};
