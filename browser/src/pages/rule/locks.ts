import type { Rule } from '../../api/types.ts';

/** Locks up to which a rule is analysed automatically: an analysis reads the files of the rule. */
export const analysedLocks = 2_000;

/** The locks of a rule, in any state. */
export function countLocks(rule: Pick<Rule, 'locks_ok_cnt' | 'locks_replicating_cnt' | 'locks_stuck_cnt'>): number {
  return rule.locks_ok_cnt + rule.locks_replicating_cnt + rule.locks_stuck_cnt;
}
