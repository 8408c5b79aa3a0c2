import type { RuleStateName } from '../../../contract/schemas/states.ts';
import type { Table } from '../../../store/batches/table.ts';
import { changeRule, type Rule } from '../../../store/entities/rule.ts';
import { addSubscriptionStates, getSubscriptionKey } from '../../../store/entities/subscription.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { stateOfRule } from '../../values/rule-state.ts';

const makeLostRace = () => new LostRace('the subscription of a rule was deleted concurrently');

/**
 * The writes that count the rules of a subscription in their present states. Each rule records the state in which it is
 * counted (optimistic lock), so counting is idempotent. The sums change once for all rules.
 */
export async function countInSubscription(
  table: Table,
  subscriptionId: string,
  rules: readonly Rule[],
): Promise<Write[]> {
  const subscription = await getSubscriptionKey(table, subscriptionId);
  if (subscription === undefined) return [];
  const changed = rules.map((rule) => ({
    rule,
    from: rule.countedAs as RuleStateName | undefined,
    to: stateOfRule(rule),
  }));
  return [
    ...changed.map(({ rule, from, to }) =>
      changeRule(rule.id, { set: { countedAs: to } }, { when: { countedAs: from } }),
    ),
    ...addSubscriptionStates(subscription, changed, makeLostRace),
  ];
}

/** The writes that stop counting a rule that is being deleted. */
export async function uncountInSubscription(table: Table, { subscriptionId, countedAs }: Rule): Promise<Write[]> {
  if (subscriptionId === undefined || countedAs === undefined) return [];
  const subscription = await getSubscriptionKey(table, subscriptionId);
  if (subscription === undefined) throw makeLostRace();
  return addSubscriptionStates(subscription, [{ from: countedAs as RuleStateName }], makeLostRace);
}
