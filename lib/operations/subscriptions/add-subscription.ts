import type { NewSubscription } from '../../contract/schemas/subscription-options.ts';
import { requireAccount } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { scheduleTasks } from '../../domain/subscriptions/engine/end-subscription.ts';
import { endOfLifetime } from '../../domain/subscriptions/lifetime.ts';
import { serialise } from '../../domain/subscriptions/serialise.ts';
import type { Context } from '../../domain/values/context.ts';
import { newId } from '../../domain/values/ids.ts';
import { fail, RucioError } from '../../errors.ts';
import { insertSubscription, type Subscription } from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/values/subscription-key.ts';

/** The length of Rucio's column. */
const maxNameLength = 64;

/** The priority of a subscription without one. */
const defaultPriority = 3;

/**
 * Creates a subscription (spec/access.md 3.3). A retroactive one has
 * the state `NEW` and is also matched against existing collections. A dry run creates no rules.
 *
 * @returns Its id.
 * @throws AccessDenied (401), InvalidObject (400), AccountNotFound (404), SubscriptionDuplicate (409).
 */
export async function addSubscription(
  context: Context,
  { account, name }: SubscriptionKey,
  options: NewSubscription,
): Promise<string> {
  await authorize(context, 'add_subscription', undefined);
  if (name.length > maxNameLength) {
    fail('InvalidObject', `Problem validating subscription: '${name}' is longer than ${maxNameLength} characters`);
  }
  const { now } = context;
  const { retroactive, lifetime } = options;
  const subscription: Subscription = {
    id: newId(),
    account,
    name,
    filter: serialise('filter', options.filter),
    replicationRules: serialise('replication_rules', options.replication_rules),
    priority: options.priority ?? defaultPriority,
    state: retroactive ? 'NEW' : 'ACTIVE',
    comments: options.comments,
    retroactive,
    dryRun: options.dry_run,
    ...(lifetime === undefined ? {} : { lifetime: endOfLifetime(lifetime, now) }),
    lastProcessed: now,
    createdAt: now,
    updatedAt: now,
  };
  const duplicate = () =>
    new RucioError('SubscriptionDuplicate', `Subscription '${name}' owned by '${account}' already exists!`);
  return context.store.decide(async (latest) => {
    await requireAccount(latest, account);
    const writes = [...insertSubscription(subscription, duplicate), ...scheduleTasks(subscription, now)];
    return { writes, answer: subscription.id };
  });
}
