import { listNames, RuleState, type RuleStateName } from '../../contract/schemas/states.ts';
import type { ShortStateRow, StateRow } from '../../contract/schemas/subscription.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { describeSubscription } from '../../domain/subscriptions/describe-subscription.ts';
import {
  findSubscriptions,
  singleKeyOf,
  type SubscriptionSelection,
} from '../../domain/subscriptions/find-subscriptions.ts';
import type { Context } from '../../domain/values/context.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import {
  getStatesOfSubscriptions,
  getSubscription,
  getSubscriptionStates,
  type StateCounts,
  type Subscription,
} from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/values/subscription-key.ts';

/** All states, in the order of the rows. */
const ruleStates = listNames(RuleState);

/** The number of rules of a subscription in a state; a null state: it has no rules. */
interface Row {
  readonly key: SubscriptionKey;
  /** Only with details. */
  readonly subscription: Subscription | undefined;
  readonly state: RuleStateName | null;
  readonly count: number;
}

/** The number of rules of subscriptions by state; with their properties if `details` (spec/access.md 3.5). */
export async function* countRules(
  context: Context,
  wanted: SubscriptionSelection,
  details: boolean,
  page: Page = wholeList,
): AsyncGenerator<Placed<StateRow>> {
  for await (const { row, position } of listRows(context, wanted, details, page)) {
    const { key, subscription, state, count } = row;
    const counted = { account: key.account, name: key.name, state, count };
    yield { row: subscription === undefined ? counted : { ...counted, ...detailsOf(subscription) }, position };
  }
}

/** The same in the form of the official clients: lists without keys, unless with details (spec/access.md 3.5). */
export async function* countRulesShort(
  context: Context,
  wanted: SubscriptionSelection,
  details: boolean,
  page: Page = wholeList,
): AsyncGenerator<Placed<ShortStateRow>> {
  for await (const { row, position } of countRules(context, wanted, details, page)) {
    const short = [row.account, row.name, row.state, row.count] as const;
    yield { row: 'subscription_state' in row ? row : [...short], position };
  }
}

/** Rows by account, name and state. Reads counters only, no rules. */
async function* listRows(
  { store: { table } }: Context,
  wanted: SubscriptionSelection,
  details: boolean,
  page: Page,
): AsyncGenerator<Placed<Row>> {
  const [account = '', name = '', state = ''] = page.after ?? [];
  const start = page.after === undefined ? {} : { from: { account, name } };
  const slice = { ...start, pageSize: sliceOf(page).pageSize };
  for await (const counted of listCounted(table, wanted, details, slice)) {
    const { key } = counted;
    const isResumed = key.account === account && key.name === name;
    for (const row of rowsOf(counted)) {
      if (isResumed && rankOf(row.state) <= rankOf(state)) continue;
      yield placed(row, key.account, key.name, row.state ?? '');
    }
  }
}

/** A subscription with the counts of its rules. */
interface Counted extends Pick<Row, 'key' | 'subscription'> {
  readonly counts: StateCounts;
}

/** One subscription costs one read, and one more in parallel for details; several are read in batches of 100. */
async function* listCounted(
  table: Table,
  wanted: SubscriptionSelection,
  details: boolean,
  slice: Slice<SubscriptionKey>,
): AsyncGenerator<Counted> {
  const key = singleKeyOf(wanted);
  if (key !== undefined) {
    const [counts, subscription] = await Promise.all([
      getSubscriptionStates(table, key),
      details ? getSubscription(table, key) : undefined,
    ]);
    if (counts !== undefined) yield { key, subscription, counts };
    return;
  }
  for await (const chunk of splitIntoChunks(
    findSubscriptions(table, wanted, slice),
    Math.min(slice.pageSize ?? 100, 100),
  )) {
    const counts = await getStatesOfSubscriptions(table, chunk);
    for (const [index, subscription] of chunk.entries()) {
      yield { key: subscription, subscription: details ? subscription : undefined, counts: counts[index] ?? {} };
    }
  }
}

function rowsOf({ counts, ...counted }: Counted): Row[] {
  const rows = ruleStates.map((state) => ({ ...counted, state, count: counts[state] ?? 0 }));
  const some = rows.filter(({ count }) => count > 0);
  return some.length > 0 ? some : [{ ...counted, state: null, count: 0 }];
}

/** The rank of a state among the rows of its subscription; null comes first. */
function rankOf(state: string | null): number {
  return ruleStates.findIndex((each) => each === state);
}

function detailsOf(subscription: Subscription) {
  const { state, last_processed, lifetime, expired_at, comments } = describeSubscription(subscription);
  return { subscription_state: state, last_processed, lifetime, expired_at, comments };
}
