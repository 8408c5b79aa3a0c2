import type { Table } from '../../../store/batches/table.ts';
import {
  changeSubscriptionAsRead,
  getSubscription,
  listAllSubscriptions,
  type Subscription,
} from '../../../store/entities/subscription.ts';
import type { Store } from '../../../store/open-store.ts';
import { type SubscriptionFilter, readFilter } from '../filter.ts';

/** A subscription that data is matched against, with its filter. */
export interface ActiveSubscription {
  readonly subscription: Subscription;
  readonly filter: SubscriptionFilter;
}

/** How old a stamp becomes before it is renewed, in milliseconds. */
const stampEvery = 60_000;

/** Whether new data is matched against a subscription; one that waits for data of the past takes new data as well. */
export function isActive({ state, retroactive, lifetime }: Subscription, now: number): boolean {
  const isOn = state === 'ACTIVE' || state === 'UPDATED' || (state === 'NEW' && retroactive);
  return isOn && (lifetime === undefined || lifetime > now);
}

/** A subscription with its filter, to be matched against. */
export function toActive(subscription: Subscription): ActiveSubscription {
  return { subscription, filter: readFilter(subscription.filter) };
}

/** The subscriptions that new data is matched against, by priority (spec/access.md 3.7): one query. */
export async function listActive(table: Table, now: number): Promise<ActiveSubscription[]> {
  const all = await listAllSubscriptions(table);
  return all
    .filter((subscription) => isActive(subscription, now))
    .toSorted((a, b) => a.priority - b.priority)
    .map(toActive);
}

/** Says of a subscription that it was processed now; at most once a minute, so that no stream of data meets there. */
export async function stampProcessed(store: Store, subscription: Subscription, now: number): Promise<void> {
  if (!isStale(subscription, now)) return;
  await store.write(async (latest) => {
    const read = await getSubscription(latest.latest(), subscription);
    if (read === undefined || !isActive(read, now) || !isStale(read, now)) return [];
    // A retroactive one stays what it is.
    const state = read.state === 'NEW' ? 'NEW' : 'UPDATED';
    return [changeSubscriptionAsRead(read, { state, lastProcessed: now, updatedAt: now })];
  });
}

const isStale = ({ lastProcessed }: Subscription, now: number) => lastProcessed < now - stampEvery;
