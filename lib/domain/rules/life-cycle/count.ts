import type { RuleState } from '../../../contract/schemas/subscription.ts';
import type { Table } from '../../../store/batches/table.ts';
import { changeRule, type Rule } from '../../../store/entities/rule.ts';
import { addSubscriptionStates, getSubscriptionKey } from '../../../store/entities/subscription.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { stateOfRule } from '../../values/rule-state.ts';

const raced = () => new LostRace('the subscription of a rule has gone meanwhile');

/**
 * The writes that count rules of a subscription in the states that they have now. Each rule says in which state it is
 * counted, so that it is counted once, however often this is asked for. The sums change once for all of them.
 */
export async function countInSubscription(
  table: Table,
  subscriptionId: string,
  rules: readonly Rule[],
): Promise<Write[]> {
  const subscription = await getSubscriptionKey(table, subscriptionId);
  if (subscription === undefined) return [];
  const changed = rules.map((rule) => ({ rule, from: rule.countedAs as RuleState | undefined, to: stateOfRule(rule) }));
  return [
    ...changed.map(({ rule, from, to }) =>
      changeRule(rule.id, { set: { countedAs: to } }, { when: { countedAs: from } }),
    ),
    ...addSubscriptionStates(subscription, changed, raced),
  ];
}

/** The writes that count a rule no longer, which goes. */
export async function uncount(table: Table, { subscriptionId, countedAs }: Rule): Promise<Write[]> {
  if (subscriptionId === undefined || countedAs === undefined) return [];
  const subscription = await getSubscriptionKey(table, subscriptionId);
  if (subscription === undefined) throw raced();
  return addSubscriptionStates(subscription, [{ from: countedAs as RuleState }], raced);
}
