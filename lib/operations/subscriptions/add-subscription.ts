import type { NewSubscription } from '../../contract/schemas/subscription-options.ts';
import { requireAccount } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { noteSubscription } from '../../domain/subscriptions/engine/end.ts';
import { endOf } from '../../domain/subscriptions/lifetime.ts';
import { serialise } from '../../domain/subscriptions/serialise.ts';
import type { Context } from '../../domain/values/context.ts';
import { newId } from '../../domain/values/ids.ts';
import { fail, RucioError } from '../../errors.ts';
import { insertSubscription, type Subscription } from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/keys/subscription-keys.ts';

/** As long as Rucio's column. */
const longestName = 64;

/** The priority of a subscription that names none. */
const defaultPriority = 3;

/**
 * Creates a subscription (spec/access.md 3.3). One that is retroactive shows
 * `NEW`, and is matched against what is there already, too; one that is a dry run makes no rules.
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
  if (name.length > longestName) {
    fail('InvalidObject', `Problem validating subscription: '${name}' is longer than ${longestName} characters`);
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
    ...(lifetime === undefined ? {} : { lifetime: endOf(lifetime, now) }),
    lastProcessed: now,
    createdAt: now,
    updatedAt: now,
  };
  const duplicate = () =>
    new RucioError('SubscriptionDuplicate', `Subscription '${name}' owned by '${account}' already exists!`);
  return context.store.decide(async (latest) => {
    await requireAccount(latest, account);
    const writes = [...insertSubscription(subscription, duplicate), ...noteSubscription(subscription, now)];
    return { writes, answer: subscription.id };
  });
}
