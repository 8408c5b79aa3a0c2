import type { SubscriptionMatch } from '../../contract/schemas/subscription.ts';
import { type Page, type Placed, placed, wholeList } from '../../domain/paging/page.ts';
import { toActiveSubscription } from '../../domain/subscriptions/engine/active-subscriptions.ts';
import { CheckedTerms } from '../../domain/subscriptions/engine/checked-terms.ts';
import { walkCollections } from '../../domain/subscriptions/engine/match-past.ts';
import { isMatchable } from '../../domain/subscriptions/engine/newness.ts';
import { planMatch } from '../../domain/subscriptions/engine/plan-match.ts';
import { subscriptionNotFound } from '../../domain/subscriptions/find-subscriptions.ts';
import type { Context } from '../../domain/values/context.ts';
import type { NewRule } from '../../store/entities/rule.ts';
import { getSubscription } from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/values/subscription-key.ts';
import { formatOptionalDate } from '../../time.ts';

/**
 * The rules that a subscription would create now for existing collections, by scope and name, whatever its state. Only
 * plans the rules. Reads all collections of the scopes in its filter.
 *
 * @throws SubscriptionNotFound (404).
 */
export async function* listSubscriptionMatches(
  { store, now }: Context,
  key: SubscriptionKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<SubscriptionMatch>> {
  const subscription = await getSubscription(store.table, key);
  if (subscription === undefined) throw subscriptionNotFound(key);
  const active = toActiveSubscription(subscription);
  const [scope, name = ''] = page.after ?? [];
  const from = scope === undefined ? undefined : { scope, name };
  const checked = new CheckedTerms();
  for await (const { did } of walkCollections(store.table, active.filter, from)) {
    if (did === undefined || !isMatchable(did)) continue;
    const { isMatch, rules, failure } = await planMatch(store.table, { active, did }, { checked, now });
    if (!isMatch) continue;
    const row = {
      scope: did.scope,
      name: did.name,
      did_type: did.type,
      rules: rules.map(describe),
      exception: failure?.error.name ?? null,
      message: failure?.error.message ?? null,
    };
    yield placed(row, did.scope, did.name);
  }
}

function describe({ account, rseExpression, copies, activity, sourceReplicaExpression, expiresAt }: NewRule) {
  return {
    account,
    rse_expression: rseExpression,
    copies,
    activity,
    source_replica_expression: sourceReplicaExpression ?? null,
    expires_at: formatOptionalDate(expiresAt),
  };
}
