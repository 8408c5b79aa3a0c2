import type { RuleState, SubscriptionState } from '../../contract/schemas/subscription.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { isEncodablePart, isKeyPart, textOfKey } from '../keys/key-parts.ts';
import { type SubscriptionKey, subscriptionKeys, subscriptionOf } from '../keys/subscription-keys.ts';

/** A subscription; dates in milliseconds since 1970 (spec/access.md 3.1). */
export interface Subscription extends SubscriptionKey {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** JSON of what DIDs have to be like. */
  readonly filter: string;
  /** JSON of the rules that are made for them. */
  readonly replicationRules: string;
  /** The least comes first. */
  readonly priority: number;
  readonly state: SubscriptionState;
  readonly comments: string | null;
  readonly retroactive: boolean;
  /** Its rules are not to be made. */
  readonly dryRun: boolean;
  /** When it ends; absent: never. */
  readonly lifetime?: number;
  /** When it was last made inactive. */
  readonly expiredAt?: number;
  readonly lastProcessed: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What of a subscription can be changed. */
export type SubscriptionValues = Partial<Omit<Subscription, 'id' | 'account' | 'name' | 'createdAt'>>;

/** Numbers of rules by state; states without rules may be left out. */
export type StateCounts = Readonly<Partial<Record<RuleState, number>>>;

/** A rule of a subscription is made (no `from`), changes its state, or goes (no `to`). */
export interface StateChange {
  readonly from?: RuleState | undefined;
  readonly to?: RuleState | undefined;
}

/** The subscription of an account and a name. */
export async function getSubscription(table: Table, key: SubscriptionKey): Promise<Subscription | undefined> {
  if (!isPossible(key)) return undefined;
  const item = await table.get(subscriptionKeys.subscription(key));
  return item === undefined ? undefined : fromItem(item);
}

/** What names the subscription of an id, which never changes. */
export async function getSubscriptionKey(table: Table, id: string): Promise<SubscriptionKey | undefined> {
  const pointer = await table.get(subscriptionKeys.byId(id));
  if (pointer === undefined) return undefined;
  const { account, name } = pointer as unknown as SubscriptionKey;
  return { account, name };
}

/** The subscription of an id: two reads, one after the other. */
export async function getSubscriptionById(table: Table, id: string): Promise<Subscription | undefined> {
  const key = await getSubscriptionKey(table, id);
  return key === undefined ? undefined : getSubscription(table, key);
}

/**
 * Subscriptions by account and name; `slice` by both.
 *
 * @param accounts Those of one account, or of all accounts that begin with a text.
 */
export async function* listSubscriptions(
  table: Table,
  accounts: { readonly only: string } | { readonly prefix: string },
  { from, after, pageSize }: Slice<SubscriptionKey> = {},
): AsyncGenerator<Subscription> {
  const text = 'only' in accounts ? accounts.only : accounts.prefix;
  if ('only' in accounts ? !isKeyPart(text) : text !== '' && !isKeyPart(text)) return;
  const bounds = 'only' in accounts ? subscriptionKeys.ofAccount(text) : subscriptionKeys.ofPrefix(text);
  const at = (key: SubscriptionKey) => subscriptionKeys.subscription(key).SK;
  const start = { ...(from === undefined ? {} : { from: at(from) }), after: after && at(after) };
  for await (const item of table.query({ pk: subscriptionKeys.partition, ...bounds, ...start, pageSize })) {
    yield fromItem(item);
  }
}

/** The accounts that have a subscription of a name, in order; `slice` by account. */
export async function* listAccountsWithSubscription(
  table: Table,
  name: string,
  slice: Slice = {},
): AsyncGenerator<string> {
  if (!isEncodablePart(name)) return;
  for await (const { SK } of table.query({ pk: subscriptionKeys.namePartition(name), ...slice })) yield SK;
}

/** All subscriptions. */
export async function listAllSubscriptions(table: Table): Promise<Subscription[]> {
  return Array.fromAsync(table.query({ pk: subscriptionKeys.partition }), fromItem);
}

/** The subscriptions of a name of many accounts, by account. */
export async function getSubscriptionsNamed(
  table: Table,
  name: string,
  accounts: readonly string[],
): Promise<Subscription[]> {
  const items = await table.getMany(accounts.map((account) => subscriptionKeys.subscription({ account, name })));
  return items.map(fromItem).toSorted((a, b) => (a.account < b.account ? -1 : 1));
}

/** How many rules a subscription has by state: one read of a small item. Undefined: there is no such subscription. */
export async function getSubscriptionStates(table: Table, key: SubscriptionKey): Promise<StateCounts | undefined> {
  if (!isPossible(key)) return undefined;
  const item = await table.get(subscriptionKeys.byName(key));
  return item === undefined ? undefined : countsOf(item);
}

/** The same of many subscriptions, in their order. */
export async function getStatesOfSubscriptions(
  table: Table,
  subscriptions: readonly SubscriptionKey[],
): Promise<StateCounts[]> {
  const wanted = subscriptions.map(subscriptionKeys.byName);
  const counts = new Map((await table.getMany(wanted)).map((item) => [textOfKey(item), countsOf(item)]));
  return wanted.map((key) => counts.get(textOfKey(key)) ?? {});
}

/**
 * The writes that make a subscription, and name it where it is looked for.
 *
 * @param onExists What the caller is told when the account has one of this name already.
 */
export function insertSubscription(subscription: Subscription, onExists: () => Error): Insert[] {
  const { account, name, ...attributes } = subscription;
  const twice = () => new Error(`the subscription id ${subscription.id} was given twice`);
  return [
    { kind: 'insert', item: { ...subscriptionKeys.subscription(subscription), ...attributes }, onExists },
    { kind: 'insert', item: { ...subscriptionKeys.byName(subscription) }, onExists },
    { kind: 'insert', item: { ...subscriptionKeys.byId(subscription.id), account, name }, onExists: twice },
  ];
}

/**
 * The write that changes a subscription.
 *
 * @throws What `onMissing` says when there can be none of this key.
 */
export function changeSubscription(key: SubscriptionKey, set: SubscriptionValues, onMissing: () => Error): Change {
  if (!isPossible(key)) throw onMissing();
  const patch = { set, add: { rev: 1 } };
  return { kind: 'change', key: subscriptionKeys.subscription(key), patch, onMismatch: onMissing };
}

/** The write that changes a subscription on condition that it is as it was read. */
export function changeSubscriptionAsRead(read: Subscription, set: SubscriptionValues): Change {
  const { state, updatedAt, lastProcessed, lifetime } = read;
  const onRace = () => new LostRace(`the subscription ${read.id} was changed meanwhile`);
  return { ...changeSubscription(read, set, onRace), when: { state, updatedAt, lastProcessed, lifetime } };
}

/**
 * The write that counts rules of a subscription anew; none when nothing changes.
 *
 * @param changes Of all rules that a plan concerns: a plan may hold one such write for a subscription.
 * @param onMissing What happens when there is no such subscription.
 */
export function addSubscriptionStates(
  key: SubscriptionKey,
  changes: readonly StateChange[],
  onMissing: () => Error,
): Change[] {
  const sums = new Map<RuleState, number>();
  for (const { from, to } of changes) {
    if (from !== undefined) sums.set(from, (sums.get(from) ?? 0) - 1);
    if (to !== undefined) sums.set(to, (sums.get(to) ?? 0) + 1);
  }
  const add = Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).map(([state, sum]) => [countOf(state), sum]));
  if (Object.keys(add).length === 0) return [];
  return [{ kind: 'change', key: subscriptionKeys.byName(key), patch: { add }, onMismatch: onMissing }];
}

/** Before the name of a state, on the item that is found by the name. */
const countPrefix = 'rules:';
const countOf = (state: RuleState) => `${countPrefix}${state}`;

function countsOf(item: Item): StateCounts {
  const counts = Object.entries(item).filter(([attribute]) => attribute.startsWith(countPrefix));
  return Object.fromEntries(counts.map(([attribute, count]) => [attribute.slice(countPrefix.length), Number(count)]));
}

/** Whether a subscription of such a key can exist; nothing else is ever looked for in the table. */
function isPossible({ account, name }: SubscriptionKey): boolean {
  return isKeyPart(account) && isEncodablePart(name);
}

/** A subscription as it lies in its item, or as it lay there. */
export function toSubscription(item: Item): Subscription {
  return fromItem(item);
}

function fromItem(item: Item): Subscription {
  const { PK, SK, batch: _batch, gone: _gone, ...attributes } = item;
  return { ...attributes, ...subscriptionOf({ PK, SK }) } as unknown as Subscription;
}
