import type { Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Insert } from '../../../store/items/plan.ts';

/** Terms that determine when a rule is removed. */
type RuleExpiry = Pick<Rule, 'id' | 'expiresAt' | 'locked' | 'childRuleId' | 'removing'>;

/** When a rule is removed, in milliseconds since 1970; undefined: not automatically (spec/replication.md 3.7). */
export function findEndTime({ expiresAt, locked, childRuleId }: RuleExpiry): number | undefined {
  return locked === true || childRuleId !== undefined ? undefined : expiresAt;
}

/** Whether a rule is due for removal, or is being removed already. */
export function isDueForRemoval(rule: RuleExpiry, now: number): boolean {
  const end = findEndTime(rule);
  return rule.removing === true || (end !== undefined && end <= now);
}

/**
 * The task that removes a rule at its end. Write it with a new rule that expires, and with every change of
 * {@link findEndTime}: of the expiry, the lock, or the child rule. A task that runs too early finds that the rule is
 * not due, and ends.
 *
 * @param now In milliseconds since 1970.
 */
export function scheduleEnd(rule: RuleExpiry, now: number): Insert[] {
  const end = findEndTime(rule);
  return end === undefined ? [] : [insertWork({ kind: 'remove', ruleId: rule.id }, Math.max(end, now))];
}
