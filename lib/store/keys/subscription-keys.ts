import type { DidKey } from '../../contract/schemas/did.ts';
import { decode, encode, join, type Key, part, shardOf } from './key-parts.ts';

/** What names a subscription. */
export interface SubscriptionKey {
  readonly account: string;
  readonly name: string;
}

/** The keys of subscriptions. */
export const subscriptionKeys = {
  /** All subscriptions lie together, by account and name, so that one query reads them. */
  partition: 'SUBSCRIPTIONS',
  subscription: ({ account, name }: SubscriptionKey): Key => ({
    PK: subscriptionKeys.partition,
    SK: join(account, encode(name)),
  }),
  /** The subscriptions of an account. */
  ofAccount: (account: string) => ({ from: `${join(account)}#`, to: `${join(account)}$` }),
  /** The subscriptions of all accounts that begin with a text: no account holds a character beyond `~`. */
  ofPrefix: (prefix: string) => (prefix === '' ? {} : { from: join(prefix), to: `${prefix}~` }),
  /** Which subscription has an id. */
  byId: (id: string): Key => ({ PK: join('SUBSCRIPTION', id), SK: 'SUBSCRIPTION' }),
  /** Which accounts have a subscription of a name, and how many rules it has by state. */
  byName: ({ account, name }: SubscriptionKey): Key => ({
    PK: subscriptionKeys.namePartition(name),
    SK: join(account),
  }),
  namePartition: (name: string): string => join('SUBSCRIPTIONNAME', encode(name)),
  /** A DID that has been new since a time, in milliseconds, was matched against a subscription. */
  matched: (id: string, { scope, name }: DidKey, since: number): Key => ({
    PK: join('MATCHED', id, String(shardOf(name))),
    SK: join(scope, name, String(since)),
  }),
  /** A DID for which a subscription could not make its rules. */
  failure: (id: string, { scope, name }: DidKey): Key => ({
    PK: subscriptionKeys.failures(id),
    SK: join(scope, name),
  }),
  failures: (id: string): string => join('SUBSCRIPTIONFAILURES', id),
} as const;

/** Reads account and name back out of the key of a subscription. */
export function subscriptionOf({ SK }: Key): SubscriptionKey {
  return { account: part(SK, 0), name: decode(part(SK, 1)) };
}

/** Reads the DID back out of the key of a failure. */
export function failedDidOf({ SK }: Key): DidKey {
  return { scope: part(SK, 0), name: part(SK, 1) };
}
