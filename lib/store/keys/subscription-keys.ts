import type { DidKey } from '../../contract/schemas/did.ts';
import { shardOf } from '../values/shards.ts';
import type { SubscriptionKey } from '../values/subscription-key.ts';
import { decode, encode, join, type Key, type KeyPrefix, part, rangeOf, readName, spellName } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const subscriptionsPrefix = 'SUBSCRIPTIONS';
const byIdPrefix = 'SUBSCRIPTION';
const byNamePrefix = 'SUBSCRIPTIONNAME';
const matchedPrefix = 'MATCHED';
const failurePrefix = 'SUBSCRIPTIONFAILURES';

/** The keys of subscriptions. */
export const subscriptionKeys = {
  /** All subscriptions share one partition, sorted by account and name, so that one query reads them. */
  partition: subscriptionsPrefix,
  subscription: ({ account, name }: SubscriptionKey): Key => ({
    PK: subscriptionKeys.partition,
    SK: join(account, encode(name)),
  }),
  /** The subscriptions of an account. */
  ofAccount: (account: string) => rangeOf(account),
  /** The subscriptions of all accounts that begin with a text: no account holds a character after `~`. */
  ofPrefix: (prefix: string) => (prefix === '' ? {} : { from: join(prefix), to: `${prefix}~` }),
  /** The pointer from an id to its subscription. */
  byId: (id: string): Key => ({ PK: join(byIdPrefix, id), SK: byIdPrefix }),
  /** The accounts that have a subscription of a name, and the number of its rules by state. */
  byName: ({ account, name }: SubscriptionKey): Key => ({
    PK: subscriptionKeys.namePartition(name),
    SK: join(account),
  }),
  namePartition: (name: string): string => join(byNamePrefix, encode(name)),
  /** A DID was matched against a subscription; `since` is the time at which it became new, in milliseconds. */
  matched: (id: string, { scope, name }: DidKey, since: number): Key => ({
    PK: join(matchedPrefix, id, String(shardOf(name))),
    SK: join(scope, spellName(name), String(since)),
  }),
  /** A DID for which a subscription failed to create its rules. */
  failure: (id: string, { scope, name }: DidKey): Key => ({
    PK: subscriptionKeys.failures(id),
    SK: join(scope, spellName(name)),
  }),
  failures: (id: string): string => join(failurePrefix, id),
} as const;

/** How the keys of these items begin. */
export const subscriptionItems = {
  subscription: { PK: subscriptionsPrefix, SK: '' },
} as const satisfies Record<string, KeyPrefix>;

/** Reads account and name back out of the key of a subscription. */
export function subscriptionOf({ SK }: Key): SubscriptionKey {
  return { account: part(SK, 0), name: decode(part(SK, 1)) };
}

/** Reads the DID back out of the key of a failure. */
export function failedDidOf({ SK }: Key): DidKey {
  return { scope: part(SK, 0), name: readName(part(SK, 1)) };
}
