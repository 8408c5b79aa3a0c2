import { RucioError } from '../../errors.ts';
import { changeRule, type Rule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import type { Write } from '../../store/items/plan.ts';

/** Errors that are recorded on the rule; all others are internal failures. */
const ruleErrors: ReadonlySet<string> = new Set([
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

/** In characters. */
const maxErrorLength = 245;

/** When stuck rules are repaired (spec/replication.md 3.9). */
export const repairDelayMs = { first: 1_800_000, next: 7_200_000 };

/** Whether an error is to be recorded on the rule. */
export function isRuleError(error: unknown): error is RucioError {
  return error instanceof RucioError && ruleErrors.has(error.name);
}

/** Cuts an error to the length that a rule stores. */
export function truncateError(text: string): string {
  return text.length > maxErrorLength ? `${text.slice(0, maxErrorLength)}...` : text;
}

/**
 * The writes that set a rule to FAILED with an error, and schedule its repair; none if it has this error already.
 *
 * @param now In milliseconds since 1970.
 */
export function planRuleFailure(rule: Rule, { message }: Error, now: number): Write[] {
  const error = truncateError(message);
  if (rule.status === 'FAILED' && rule.error === error) return [];
  const set = { status: 'FAILED', error, stuckAt: rule.stuckAt ?? now, updatedAt: now };
  const repairs = rule.status === 'FAILED' ? [] : [scheduleRepair(rule.id, now)];
  return [changeRule(rule.id, { set, remove: ['injecting'] }, { when: { status: rule.status } }), ...repairs];
}

/** The task that repairs a rule after a delay. */
export function scheduleRepair(ruleId: string, now: number, delay = repairDelayMs.first): Write {
  return insertWork({ kind: 'repair', ruleId }, now + delay);
}
