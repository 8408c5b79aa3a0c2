import type { RuleStateName } from '../../../contract/schemas/states.ts';
import type { Table } from '../../../store/batches/table.ts';
import { changeRule } from '../../../store/entities/rule-writes.ts';
import type { NewRule, Rule } from '../../../store/entities/rule.ts';
import { addSubscriptionStates, getSubscriptionKey } from '../../../store/entities/subscription.ts';
import { type Change, LostRace, type Write } from '../../../store/items/plan.ts';
import { stateOfRule } from '../../values/rule-state.ts';

/*
 * How the rules of a subscription are counted by state (spec/access.md 3.5). Each rule records the state in which it is
 * counted. A plan that counts it anew has that state as a condition, so the sums always agree with the rules. Requests
 * count the rules that they change in their own plan, unless others keep changing the sums. The stream counts the rest:
 * what a task changes, and what concurrent requests have reached together.
 */

/** The most attempts of a request that count rules and release parent rules; further ones leave that to the stream. */
const maxAttemptsAtOnce = 2;

/** Whether a request does at once what else the stream would do, given how often it was planned, from 1. */
export function isDoneAtOnce(attempt: number): boolean {
  return attempt <= maxAttemptsAtOnce;
}

const makeLostRace = () => new LostRace('the subscription of a rule was deleted concurrently');

/** The counting of rules: the states in which they are counted, to be set on the rules, and the writes of the sums. */
export interface Counting {
  readonly states: ReadonlyMap<string, RuleStateName>;
  readonly writes: readonly Change[];
}

/** The counting of nothing. */
export const noCounting: Counting = { states: new Map(), writes: [] };

/** Counts rules in their states, those that a subscription counts in another state. Costs a read per subscription. */
export async function planCounting(table: Table, rules: readonly NewRule[]): Promise<Counting> {
  const wrong = Map.groupBy(rules.filter(isCountedWrongly), ({ subscriptionId = '' }) => subscriptionId);
  const counted = await Promise.all([...wrong].map(([id, changed]) => countIn(table, id, changed)));
  return {
    states: new Map(counted.flatMap(({ states }) => [...states])),
    writes: counted.flatMap(({ writes }) => writes),
  };
}

/** The sums change once for all rules. An unknown subscription counts nothing. */
async function countIn(table: Table, subscriptionId: string, rules: readonly NewRule[]): Promise<Counting> {
  const subscription = await getSubscriptionKey(table, subscriptionId);
  if (subscription === undefined) return noCounting;
  const changes = rules.map((rule) => ({ from: rule.countedAs as RuleStateName | undefined, to: stateOfRule(rule) }));
  return {
    states: new Map(rules.map((rule) => [rule.id, stateOfRule(rule)])),
    writes: addSubscriptionStates(subscription, changes, makeLostRace),
  };
}

/** A rule with the state in which its subscription now counts it. */
export function withCounting<R extends NewRule>(rule: R, { states }: Counting): R {
  const countedAs = states.get(rule.id);
  return countedAs === undefined ? rule : { ...rule, countedAs };
}

/** The writes that count rules in their present states, for a plan that does not change them otherwise. */
export async function countInSubscription(table: Table, rules: readonly Rule[]): Promise<Write[]> {
  const { states, writes } = await planCounting(table, rules);
  const changed = rules.filter(({ id }) => states.has(id));
  return [
    ...changed.map(({ id, countedAs }) =>
      changeRule(id, { set: { countedAs: states.get(id) } }, { when: { countedAs } }),
    ),
    ...writes,
  ];
}

/** The writes that stop counting a rule that is being deleted. */
export async function uncountInSubscription(table: Table, { subscriptionId, countedAs }: Rule): Promise<Write[]> {
  if (subscriptionId === undefined || countedAs === undefined) return [];
  const subscription = await getSubscriptionKey(table, subscriptionId);
  if (subscription === undefined) throw makeLostRace();
  return addSubscriptionStates(subscription, [{ from: countedAs as RuleStateName }], makeLostRace);
}

/** Whether the subscription of a rule counts it in an outdated state. */
export function isCountedWrongly(rule: NewRule): boolean {
  return rule.subscriptionId !== undefined && rule.countedAs !== stateOfRule(rule);
}
