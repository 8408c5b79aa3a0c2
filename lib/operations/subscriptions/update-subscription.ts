import type { SubscriptionChange } from '../../contract/schemas/subscription-options.ts';
import { defined } from '../../defined.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { scheduleTasks } from '../../domain/subscriptions/engine/end-subscription.ts';
import { subscriptionNotFound } from '../../domain/subscriptions/find-subscriptions.ts';
import { endOfLifetime } from '../../domain/subscriptions/lifetime.ts';
import { serialise } from '../../domain/subscriptions/serialise.ts';
import type { Context } from '../../domain/values/context.ts';
import { changeSubscription, getSubscription } from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/values/subscription-key.ts';

/**
 * Changes a subscription (spec/access.md 3.4). Its state becomes `UPDATED`, also without a change and from
 * `INACTIVE`, unless the change makes it inactive. It keeps the date of its last end.
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
  const isEnding = state === 'INACTIVE';
  const values = defined({
    filter: filter && serialise('filter', filter),
    replicationRules: templates && serialise('replication_rules', templates),
    lifetime: lifetime === undefined ? undefined : endOfLifetime(lifetime, now),
    comments: comments ?? undefined,
    retroactive,
    priority,
    dryRun,
    state: isEnding ? ('INACTIVE' as const) : ('UPDATED' as const),
    expiredAt: isEnding ? now : undefined,
    updatedAt: now,
  });
  const tasks = { lifetime: values.lifetime, retroactive };
  await context.store.write(async (latest) => {
    const change = changeSubscription(key, values, () => subscriptionNotFound(key));
    // Tasks refer to the id, which never changes.
    const needsTasks = tasks.lifetime !== undefined || retroactive === true;
    const found = needsTasks ? await getSubscription(latest, key) : undefined;
    return [change, ...(found === undefined ? [] : scheduleTasks({ id: found.id, ...tasks }, now))];
  });
}
