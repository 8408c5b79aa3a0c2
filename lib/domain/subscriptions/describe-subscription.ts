import type { SubscriptionRecord } from '../../contract/schemas/subscription.ts';
import type { Subscription } from '../../store/entities/subscription.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';

/** A subscription as every route shows it (spec/access.md 3.1). */
export function describeSubscription(subscription: Subscription): SubscriptionRecord {
  return {
    id: subscription.id,
    name: subscription.name,
    account: subscription.account,
    filter: subscription.filter,
    replication_rules: subscription.replicationRules,
    policyid: subscription.priority,
    state: subscription.state,
    lifetime: formatOptionalDate(subscription.lifetime),
    last_processed: formatDate(subscription.lastProcessed),
    expired_at: formatOptionalDate(subscription.expiredAt),
    comments: subscription.comments,
    retroactive: subscription.retroactive,
    created_at: formatDate(subscription.createdAt),
    updated_at: formatDate(subscription.updatedAt),
  };
}
