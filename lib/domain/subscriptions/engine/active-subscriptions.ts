import type { Table } from '../../../store/batches/table.ts';
import {
  changeSubscriptionAsRead,
  getSubscription,
  listAllSubscriptions,
  type Subscription,
} from '../../../store/entities/subscription.ts';
import type { Store } from '../../../store/open-store.ts';
import { type SubscriptionFilter, readFilter } from '../subscription-filter.ts';

/** A subscription with its parsed filter. */
export interface ActiveSubscription {
  readonly subscription: Subscription;
  readonly filter: SubscriptionFilter;
}

const stampIntervalMs = 60_000;

/** Whether new DIDs are matched against a subscription; also while existing DIDs are still being matched. */
export function isActiveSubscription({ state, retroactive, lifetime }: Subscription, now: number): boolean {
  const isOn = state === 'ACTIVE' || state === 'UPDATED' || (state === 'NEW' && retroactive);
  return isOn && (lifetime === undefined || lifetime > now);
}

/** Parses the filter of a subscription. */
export function toActiveSubscription(subscription: Subscription): ActiveSubscription {
  return { subscription, filter: readFilter(subscription.filter) };
}

/** The active subscriptions by priority (spec/access.md 3.7). Costs one query. */
export async function listActiveSubscriptions(table: Table, now: number): Promise<ActiveSubscription[]> {
  const all = await listAllSubscriptions(table);
  return all
    .filter((subscription) => isActiveSubscription(subscription, now))
    .toSorted((a, b) => a.priority - b.priority)
    .map(toActiveSubscription);
}

/**
 * Sets the time at which a subscription was processed; at most once a minute, so that batches do not conflict on its
 * item.
 */
export async function markProcessed(store: Store, subscription: Subscription, now: number): Promise<void> {
  if (!isStale(subscription, now)) return;
  await store.write(async (latest) => {
    const read = await getSubscription(latest.latest(), subscription);
    if (read === undefined || !isActiveSubscription(read, now) || !isStale(read, now)) return [];
    // A retroactive subscription stays NEW.
    const state = read.state === 'NEW' ? 'NEW' : 'UPDATED';
    return [changeSubscriptionAsRead(read, { state, lastProcessed: now, updatedAt: now })];
  });
}

const isStale = ({ lastProcessed }: Subscription, now: number) => lastProcessed < now - stampIntervalMs;
