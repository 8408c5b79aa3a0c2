import type { RuleStateName } from '../../contract/schemas/states.ts';
import { type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import type { RuleRecord } from '../../domain/rules/describe-rule.ts';
import { listFilteredRules } from '../../domain/rules/filtered-rules.ts';
import {
  findSubscriptions,
  subscriptionNotFound,
  type SubscriptionSelection,
} from '../../domain/subscriptions/find-subscriptions.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * The rules of a subscription, in order of their creation. If several subscriptions match an account with `*`, those of
 * the first one (spec/access.md 3.2, 3.6).
 *
 * @param state Only rules in this state.
 * @throws SubscriptionNotFound (404).
 */
export async function* listSubscriptionRules(
  { store: { table } }: Context,
  wanted: SubscriptionSelection,
  state: RuleStateName | undefined,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  const { value: subscription } = await findSubscriptions(table, wanted, { pageSize: 1 }).next();
  if (subscription === undefined) throw subscriptionNotFound(wanted);
  const filters = { subscription_id: subscription.id, ...(state === undefined ? {} : { state }) };
  yield* listFilteredRules(table, filters, page);
}
