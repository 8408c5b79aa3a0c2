import { decode, encode, join, type Key, part } from './keys.ts';

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
  /** Which subscription has an id, and how many rules it has by state. */
  byId: (id: string): Key => ({ PK: join('SUBSCRIPTION', id), SK: 'SUBSCRIPTION' }),
  /** Which accounts have a subscription of a name. */
  byName: ({ account, name }: SubscriptionKey): Key => ({
    PK: subscriptionKeys.namePartition(name),
    SK: join(account),
  }),
  namePartition: (name: string): string => join('SUBSCRIPTIONNAME', encode(name)),
} as const;

/** Reads account and name back out of the key of a subscription. */
export function subscriptionOf({ SK }: Key): SubscriptionKey {
  return { account: part(SK, 0), name: decode(part(SK, 1)) };
}

/** Reads the id back out of the key of the item that is found by it. */
export function subscriptionIdOf({ PK }: Key): string {
  return part(PK, 1);
}
