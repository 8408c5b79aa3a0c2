import { RucioError } from '../../errors.ts';
import { changeRule } from '../../store/entities/rule-writes.ts';
import type { Rule } from '../../store/entities/rule.ts';
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

/**
 * When stuck rules are repaired (spec/replication.md 3.9): the longer they are stuck, the more rarely, but for as long as they
 * exist. Only people give a rule up.
 */
export const repairDelayMs = { first: 1_800_000, next: 7_200_000, longest: 86_400_000 };

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
 * @param next The next regular repair, if a repair has failed.
 */
export function planRuleFailure(rule: Rule, { message }: Error, now: number, next: NextRepair = noRepair): Write[] {
  const error = truncateError(message);
  if (rule.status === 'FAILED' && rule.error === error && next.writes.length === 0) return [];
  const set = { status: 'FAILED', error, stuckAt: rule.stuckAt ?? now, updatedAt: now, ...next.set };
  const repairs = rule.status === 'FAILED' ? [] : [scheduleRepair(rule.id, now)];
  const change = changeRule(rule.id, { set, remove: ['injecting'] }, { when: { status: rule.status } });
  return [change, ...repairs, ...next.writes];
}

/** The task that repairs a rule after a delay. */
export function scheduleRepair(ruleId: string, now: number, delay = repairDelayMs.first): Write {
  return insertWork({ kind: 'repair', ruleId }, now + delay);
}

/** The next regular repair of a rule: what the rule notes of it, and its task. */
export interface NextRepair {
  readonly set: Pick<Rule, 'repairAt'>;
  readonly writes: readonly Write[];
}

const noRepair: NextRepair = { set: {}, writes: [] };

/**
 * Plans the next regular repair of a rule that a repair leaves stuck: after a quarter of the time since it became stuck,
 * within two hours and a day. A rule has one regular repair at a time: further ones, such as people ask for, have no
 * successor.
 */
export function planNextRepair({ id, stuckAt = 0, repairAt = 0 }: Rule, now: number): NextRepair {
  if (repairAt > now) return noRepair;
  const stuckFor = stuckAt > 0 ? now - stuckAt : 0;
  const delay = Math.min(repairDelayMs.longest, Math.max(repairDelayMs.next, Math.round(stuckFor / 4)));
  return { set: { repairAt: now + delay }, writes: [scheduleRepair(id, now, delay)] };
}
