import type { SubscriptionChange } from '../../contract/schemas/subscription-options.ts';
import { defined } from '../../defined.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { noteSubscription } from '../../domain/subscriptions/engine/end.ts';
import { subscriptionNotFound } from '../../domain/subscriptions/find.ts';
import { endOf } from '../../domain/subscriptions/lifetime.ts';
import { serialise } from '../../domain/subscriptions/serialise.ts';
import type { Context } from '../../domain/values/context.ts';
import { changeSubscription, getSubscription } from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/keys/subscription-keys.ts';

/**
 * Changes a subscription (spec/access.md 3.4). Its state becomes `UPDATED`, also when nothing is named and when it was
 * inactive, unless it is made inactive. What was inactive once keeps the date.
 *
 * @throws AccessDenied (401), InvalidObject (400), SubscriptionNotFound (404).
 */
export async function updateSubscription(
  context: Context,
  key: SubscriptionKey,
  {
    filter,
    replication_rules: templates,
    lifetime,
    comments,
    retroactive,
    priority,
    state,
    dry_run: dryRun,
  }: SubscriptionChange,
): Promise<void> {
  await authorize(context, 'update_subscription', undefined);
  const { now } = context;
  const isEnded = state === 'INACTIVE';
  const values = defined({
    filter: filter && serialise('filter', filter),
    replicationRules: templates && serialise('replication_rules', templates),
    lifetime: lifetime === undefined ? undefined : endOf(lifetime, now),
    comments: comments ?? undefined,
    retroactive,
    priority,
    dryRun,
    state: isEnded ? ('INACTIVE' as const) : ('UPDATED' as const),
    expiredAt: isEnded ? now : undefined,
    updatedAt: now,
  });
  const notes = { lifetime: values.lifetime, retroactive };
  await context.store.write(async (latest) => {
    const change = changeSubscription(key, values, () => subscriptionNotFound(key));
    // Notes go by the id, which never changes.
    const hasNotes = notes.lifetime !== undefined || retroactive === true;
    const found = hasNotes ? await getSubscription(latest, key) : undefined;
    return [change, ...(found === undefined ? [] : noteSubscription({ id: found.id, ...notes }, now))];
  });
}
