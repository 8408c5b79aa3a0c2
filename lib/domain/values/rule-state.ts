import type { Rule } from '../../store/entities/rule.ts';

/** The states of a rule, as they are shown. */
export type RuleState = 'OK' | 'REPLICATING' | 'STUCK' | 'SUSPENDED' | 'WAITING_APPROVAL' | 'INJECT';

/** The states of a lock, as they are shown. */
export type LockState = 'OK' | 'REPLICATING' | 'STUCK';

/** The state of a rule: what was decided about it, or else what its locks say (ADR 0011). */
export function stateOfRule(rule: Pick<Rule, 'status' | 'stuck' | 'replicating'>): RuleState {
  if (rule.status === 'FAILED') return 'STUCK';
  return rule.status === 'ACTIVE' ? stateOfDatasetLocks(rule) : rule.status;
}

/** The state of the dataset locks of a rule, which have none of their own. */
export function stateOfDatasetLocks({ stuck, replicating }: Pick<Rule, 'stuck' | 'replicating'>): LockState {
  if (stuck > 0) return 'STUCK';
  return replicating > 0 ? 'REPLICATING' : 'OK';
}
