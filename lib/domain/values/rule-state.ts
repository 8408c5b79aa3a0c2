import type { LockStateName, RuleStateName } from '../../contract/schemas/states.ts';
import type { Rule } from '../../store/entities/rule.ts';

/** The state of a rule: from its status, or else from the counters of its locks (ADR 0011). */
export function stateOfRule(rule: Pick<Rule, 'status' | 'stuck' | 'replicating'>): RuleStateName {
  if (rule.status === 'FAILED') return 'STUCK';
  return rule.status === 'ACTIVE' ? stateOfDatasetLocks(rule) : rule.status;
}

/** The state of the dataset locks of a rule. They store none of their own. */
export function stateOfDatasetLocks({ stuck, replicating }: Pick<Rule, 'stuck' | 'replicating'>): LockStateName {
  if (stuck > 0) return 'STUCK';
  return replicating > 0 ? 'REPLICATING' : 'OK';
}
