import { type RuleState, ruleStates, type ShortStateRow, type StateRow } from '../../contract/schemas/subscription.ts';
import { getSubscriptionStates, type StateCounts, type Subscription } from '../../store/entities/subscription.ts';
import { chunksOf } from '../chunks.ts';
import type { Context } from '../context.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../paging/page.ts';
import { describeSubscription } from './describe-subscription.ts';
import { findSubscriptions, type WantedSubscriptions } from './find.ts';

/** How many rules of a subscription are in a state; no state: it has none. */
interface Row {
  readonly subscription: Subscription;
  readonly state: RuleState | null;
  readonly count: number;
}

/** How many rules subscriptions have in each state, with what they are like themselves if `details` (spec/access.md 3.5). */
export async function* countRules(
  context: Context,
  wanted: WantedSubscriptions,
  details: boolean,
  page: Page = wholeList,
): AsyncGenerator<Placed<StateRow>> {
  for await (const { row, position } of listRows(context, wanted, page)) {
    const { account, name } = row.subscription;
    const count = { account, name, state: row.state, count: row.count };
    yield { row: details ? { ...count, ...detailsOf(row.subscription) } : count, position };
  }
}

/** The same as the official clients read it: lists without keys, unless they ask for details (spec/access.md 3.5). */
export async function* countRulesShort(
  context: Context,
  wanted: WantedSubscriptions,
  details: boolean,
  page: Page = wholeList,
): AsyncGenerator<Placed<ShortStateRow>> {
  for await (const { row, position } of countRules(context, wanted, details, page)) {
    const short = [row.account, row.name, row.state, row.count] as const;
    yield { row: 'subscription_state' in row ? row : [...short], position };
  }
}

/** By account, name and state; the counters are read, 100 at once, and no rule. */
async function* listRows(
  { store: { table } }: Context,
  wanted: WantedSubscriptions,
  page: Page,
): AsyncGenerator<Placed<Row>> {
  const [account = '', name = '', state = ''] = page.after ?? [];
  const { pageSize } = sliceOf(page);
  const start = page.after === undefined ? {} : { from: { account, name } };
  const subscriptions = findSubscriptions(table, wanted, { ...start, pageSize });
  for await (const chunk of chunksOf(subscriptions, Math.min(pageSize ?? 100, 100))) {
    const counts = await getSubscriptionStates(
      table,
      chunk.map(({ id }) => id),
    );
    for (const subscription of chunk) {
      const isBegun = subscription.account === account && subscription.name === name;
      for (const row of rowsOf(subscription, counts.get(subscription.id) ?? {})) {
        if (isBegun && placeOf(row.state) <= placeOf(state)) continue;
        yield placed(row, subscription.account, subscription.name, row.state ?? '');
      }
    }
  }
}

function rowsOf(subscription: Subscription, counts: StateCounts): Row[] {
  const rows = ruleStates.map((state) => ({ subscription, state, count: counts[state] ?? 0 }));
  const counted = rows.filter(({ count }) => count > 0);
  return counted.length > 0 ? counted : [{ subscription, state: null, count: 0 }];
}

/** Where a state stands among the rows of its subscription; none is before all others. */
function placeOf(state: string | null): number {
  return ruleStates.findIndex((each) => each === state);
}

function detailsOf(subscription: Subscription) {
  const { state, last_processed, lifetime, expired_at, comments } = describeSubscription(subscription);
  return { subscription_state: state, last_processed, lifetime, expired_at, comments };
}
