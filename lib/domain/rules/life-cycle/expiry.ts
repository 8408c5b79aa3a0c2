import type { Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Insert } from '../../../store/items/plan.ts';

/** What decides when a rule goes. */
type Mortal = Pick<Rule, 'id' | 'expiresAt' | 'locked' | 'childRuleId' | 'removing'>;

/** When the rule goes, in milliseconds since 1970; undefined: not by itself (spec/replication.md 3.7). */
export function endOf({ expiresAt, locked, childRuleId }: Mortal): number | undefined {
  return locked === true || childRuleId !== undefined ? undefined : expiresAt;
}

/** Whether a rule is to be removed now, or is being removed already. */
export function isOver(rule: Mortal, now: number): boolean {
  const end = endOf(rule);
  return rule.removing === true || (end !== undefined && end <= now);
}

/**
 * The note of the end of a rule. Whoever makes a rule that expires writes it, and whoever changes what {@link endOf} says:
 * the time, the lock, the child that it waits for. A note that comes too early finds that the rule is not over, and is
 * dropped.
 *
 * @param now In milliseconds since 1970.
 */
export function noteEnd(rule: Mortal, now: number): Insert[] {
  const end = endOf(rule);
  return end === undefined ? [] : [insertWork({ kind: 'remove', ruleId: rule.id }, Math.max(end, now))];
}
