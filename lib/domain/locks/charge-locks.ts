import type { FileDid } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { findLock } from './release-lock.ts';
import type { ReplicaChanges } from './replica-changes.ts';

/**
 * Charges the locks of a rule on a file to the account of the rule, whichever they were charged to before. The plan fails
 * if the rule has another account by then, unless the caller sees to that.
 */
export function chargeLocks(changes: ReplicaChanges, file: FileDid, rule: Pick<Rule, 'id' | 'account'>): void {
  const { id, account } = rule;
  for (const [rseId, replica] of changes.replicasOf(file)) {
    const lock = findLock(replica, id);
    if (lock === undefined || lock.account === account) continue;
    changes.requireAccount(rule);
    changes.set(file, rseId, { ...replica, locks: { ...replica.locks, [id]: { ...lock, account } } });
  }
}
