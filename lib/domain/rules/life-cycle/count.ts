import type { RuleState } from '../../../contract/schemas/subscription.ts';
import { changeRule, type Rule } from '../../../store/entities/rule.ts';
import { addSubscriptionStates, getSubscriptionById } from '../../../store/entities/subscription.ts';
import { LostRace, type Write } from '../../../store/plan.ts';
import type { Table } from '../../../store/table.ts';
import { stateOfRule } from '../state.ts';

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
  if ((await getSubscriptionById(table, subscriptionId)) === undefined) return [];
  const changed = rules.map((rule) => ({ rule, from: rule.countedAs as RuleState | undefined, to: stateOfRule(rule) }));
  return [
    ...changed.map(({ rule, from, to }) =>
      changeRule(rule.id, { set: { countedAs: to } }, { when: { countedAs: from } }),
    ),
    ...addSubscriptionStates(subscriptionId, changed, raced),
  ];
}

/** The writes that count a rule no longer, which goes. */
export function uncount({ subscriptionId, countedAs }: Rule): Write[] {
  if (subscriptionId === undefined || countedAs === undefined) return [];
  return addSubscriptionStates(subscriptionId, [{ from: countedAs as RuleState }], raced);
}
