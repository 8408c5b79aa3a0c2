import type { RuleStateName } from '../../contract/schemas/states.ts';
import type { SubscriptionState } from '../../contract/schemas/subscription.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isFlag, isNumber, isText, nullable, oneOf, optional } from '../items/read-attributes.ts';
import { isEncodablePart, isKeyPart, textOfKey } from '../keys/key-parts.ts';
import { subscriptionKeys, subscriptionOf } from '../keys/subscription-keys.ts';
import type { SubscriptionKey } from '../values/subscription-key.ts';

/** A subscription; dates in milliseconds since 1970 (spec/access.md 3.1). */
export interface Subscription extends SubscriptionKey {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** The filter for DIDs, as JSON. */
  readonly filter: string;
  /** The rules to create for matching DIDs, as JSON. */
  readonly replicationRules: string;
  /** Lower values go first. */
  readonly priority: number;
  readonly state: SubscriptionState;
  readonly comments: string | null;
  readonly retroactive: boolean;
  /** No rules are created. */
  readonly dryRun: boolean;
  /** When it ends; absent: never. */
  readonly lifetime?: number;
  /** When it last became inactive. */
  readonly expiredAt?: number;
  readonly lastProcessed: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The attributes of a subscription that can be changed. */
export type SubscriptionValues = Partial<Omit<Subscription, 'id' | 'account' | 'name' | 'createdAt'>>;

/** The number of rules by state; states without rules may be missing. */
export type StateCounts = Readonly<Partial<Record<RuleStateName, number>>>;

/** The state of a rule of a subscription changes; without `from` the rule is new, without `to` it is deleted. */
export interface StateChange {
  readonly from?: RuleStateName | undefined;
  readonly to?: RuleStateName | undefined;
}

/** The subscription of an account and a name. */
export async function getSubscription(table: Table, key: SubscriptionKey): Promise<Subscription | undefined> {
  if (!isValidKey(key)) return undefined;
  const item = await table.get(subscriptionKeys.subscription(key));
  return item === undefined ? undefined : toSubscription(item);
}

/** The key of the subscription of an id; it never changes. */
export async function getSubscriptionKey(table: Table, id: string): Promise<SubscriptionKey | undefined> {
  const pointer = await table.get(subscriptionKeys.byId(id));
  if (pointer === undefined) return undefined;
  return readKey(pointer);
}

/** The subscription of an id, by two sequential reads. */
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
    yield toSubscription(item);
  }
}

/** The accounts that have a subscription of a name, sorted; `slice` by account. */
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
  return Array.fromAsync(table.query({ pk: subscriptionKeys.partition }), toSubscription);
}

/** The subscriptions of a name of many accounts, by account. */
export async function getSubscriptionsNamed(
  table: Table,
  name: string,
  accounts: readonly string[],
): Promise<Subscription[]> {
  const items = await table.getMany(accounts.map((account) => subscriptionKeys.subscription({ account, name })));
  return items.map(toSubscription).toSorted((a, b) => (a.account < b.account ? -1 : 1));
}

/** The number of rules of a subscription by state, by one read of a small item; undefined: no such subscription. */
export async function getSubscriptionStates(table: Table, key: SubscriptionKey): Promise<StateCounts | undefined> {
  if (!isValidKey(key)) return undefined;
  const item = await table.get(subscriptionKeys.byName(key));
  return item === undefined ? undefined : countsOf(item);
}

/** The number of rules by state of many subscriptions, in their order. */
export async function getStatesOfSubscriptions(
  table: Table,
  subscriptions: readonly SubscriptionKey[],
): Promise<StateCounts[]> {
  const wanted = subscriptions.map(subscriptionKeys.byName);
  const counts = new Map((await table.getMany(wanted)).map((item) => [textOfKey(item), countsOf(item)]));
  return wanted.map((key) => counts.get(textOfKey(key)) ?? {});
}

/**
 * The writes that insert a subscription and the pointers to it.
 *
 * @param onExists Makes the error if the account already has one of this name.
 */
export function insertSubscription(subscription: Subscription, onExists: () => Error): Insert[] {
  const { account, name, ...attributes } = subscription;
  const makeDuplicateIdError = () => new Error(`the subscription id ${subscription.id} was given twice`);
  return [
    { kind: 'insert', item: { ...subscriptionKeys.subscription(subscription), ...attributes }, onExists },
    insertSubscriptionStates(subscription, {}, onExists),
    {
      kind: 'insert',
      item: { ...subscriptionKeys.byId(subscription.id), account, name },
      onExists: makeDuplicateIdError,
    },
  ];
}

/** The write that inserts the number of rules of a subscription by state, which is also the pointer from its name. */
export function insertSubscriptionStates(key: SubscriptionKey, counts: StateCounts, onExists: () => Error): Insert {
  const counters = Object.entries(counts).map(([state, count]) => [`${countPrefix}${state}`, count] as const);
  return { kind: 'insert', item: { ...subscriptionKeys.byName(key), ...Object.fromEntries(counters) }, onExists };
}

/**
 * The write that changes a subscription.
 *
 * @throws The error of `onMissing` if the key is invalid.
 */
export function changeSubscription(key: SubscriptionKey, set: SubscriptionValues, onMissing: () => Error): Change {
  if (!isValidKey(key)) throw onMissing();
  const patch = { set, add: { rev: 1 } };
  return { kind: 'change', key: subscriptionKeys.subscription(key), patch, onMismatch: onMissing };
}

/** The write that changes a subscription that was read, with an optimistic lock on it. */
export function changeSubscriptionAsRead(read: Subscription, set: SubscriptionValues): Change {
  const { state, updatedAt, lastProcessed, lifetime } = read;
  const makeRaceError = () => new LostRace(`the subscription ${read.id} was changed concurrently`);
  return { ...changeSubscription(read, set, makeRaceError), when: { state, updatedAt, lastProcessed, lifetime } };
}

/**
 * The write that updates the number of rules by state; none if nothing changes.
 *
 * @param changes The changes of all rules in the plan: a plan may hold only one such write per subscription.
 * @param onMissing Makes the error if there is no such subscription.
 */
export function addSubscriptionStates(
  key: SubscriptionKey,
  changes: readonly StateChange[],
  onMissing: () => Error,
): Change[] {
  const sums = new Map<RuleStateName, number>();
  for (const { from, to } of changes) {
    if (from !== undefined) sums.set(from, (sums.get(from) ?? 0) - 1);
    if (to !== undefined) sums.set(to, (sums.get(to) ?? 0) + 1);
  }
  const add = Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).map(([state, sum]) => [countOf(state), sum]));
  if (Object.keys(add).length === 0) return [];
  return [{ kind: 'change', key: subscriptionKeys.byName(key), patch: { add }, onMismatch: onMissing }];
}

/** The prefix of attributes for the number of rules; the state follows. */
const countPrefix = 'rules:';
const countOf = (state: RuleStateName) => `${countPrefix}${state}`;

function countsOf(item: Item): StateCounts {
  const counts = Object.entries(item).filter(([attribute]) => attribute.startsWith(countPrefix));
  return Object.fromEntries(counts.map(([attribute, count]) => [attribute.slice(countPrefix.length), Number(count)]));
}

/** Whether a subscription of such a key can exist; others are not looked up. */
function isValidKey({ account, name }: SubscriptionKey): boolean {
  return isKeyPart(account) && isEncodablePart(name);
}

const readKey = attributesReader<SubscriptionKey>({ account: isText, name: isText });

const readSubscription = attributesReader<Omit<Subscription, keyof SubscriptionKey>>({
  id: isText,
  filter: isText,
  replicationRules: isText,
  priority: isNumber,
  state: oneOf<SubscriptionState>({
    ACTIVE: true,
    INACTIVE: true,
    NEW: true,
    UPDATED: true,
    BROKEN: true,
  }),
  comments: nullable(isText),
  retroactive: isFlag,
  dryRun: isFlag,
  lifetime: optional(isNumber),
  expiredAt: optional(isNumber),
  lastProcessed: isNumber,
  createdAt: isNumber,
  updatedAt: isNumber,
});

/** Reads a subscription out of its item. */
export function toSubscription(item: Item): Subscription {
  return { ...readSubscription(item), ...subscriptionOf(item) };
}
