import { RucioError } from '../../errors.ts';
import { changeRule, type Rule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import type { Write } from '../../store/items/plan.ts';

/** What says that a rule cannot be placed as things are; anything else is a failure of ours. */
const ofRule: ReadonlySet<string> = new Set([
  'AccountNotFound',
  'InvalidRSEExpression',
  'InvalidObject',
  'InvalidSourceReplicaExpression',
  'InvalidRuleWeight',
  'RSEWriteBlocked',
  'RSEOverQuota',
  'InsufficientTargetRSEs',
  'InsufficientAccountLimit',
]);

/** The longest error that a rule keeps, in characters. */
const longest = 245;

/** When what is stuck is looked at again, in milliseconds (spec/replication.md 3.9). */
export const repairDelay = { first: 1_800_000, next: 7_200_000 };

/** Whether an error is the rule's own, which it then shows. */
export function isOfRule(error: unknown): error is RucioError {
  return error instanceof RucioError && ofRule.has(error.name);
}

/** An error as a rule shows it. */
export function cutError(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/**
 * The writes that say that a rule cannot be placed, and look at it again later; none where it says so already.
 *
 * @param now In milliseconds since 1970.
 */
export function failRule(rule: Rule, { message }: Error, now: number): Write[] {
  const error = cutError(message);
  if (rule.status === 'FAILED' && rule.error === error) return [];
  const set = { status: 'FAILED', error, stuckAt: rule.stuckAt ?? now, updatedAt: now };
  const noted = rule.status === 'FAILED' ? [] : [stuckFor(rule.id, now)];
  return [changeRule(rule.id, { set, remove: ['injecting'] }, { when: { status: rule.status } }), ...noted];
}

/** The write that has what is stuck of a rule looked at again. */
export function stuckFor(ruleId: string, now: number, delay = repairDelay.first): Write {
  return insertWork({ kind: 'repair', ruleId }, now + delay);
}
