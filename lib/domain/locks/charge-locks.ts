import type { FileDid } from '../../store/entities/did.ts';
import { isFull } from '../../store/entities/file-room.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { findLock } from './release-lock.ts';
import type { ReplicaChanges } from './replica-changes.ts';

/**
 * Charges the locks of a rule on a file to the account of the rule, whichever they were charged to before. The plan fails
 * if the rule has another account by then, unless the caller sees to that.
 *
 * @returns Whether they are charged to it then: not if the item of the file has no room for a longer name.
 */
export function chargeLocks(changes: ReplicaChanges, file: FileDid, rule: Pick<Rule, 'id' | 'account'>): boolean {
  const { id, account } = rule;
  const others = [...changes.replicasOf(file)].flatMap(([rseId, replica]) => {
    const lock = findLock(replica, id);
    return lock === undefined || lock.account === account ? [] : [{ rseId, replica, lock }];
  });
  const growth = others.reduce((sum, { lock }) => sum + account.length - lock.account.length, 0);
  if (growth > 0 && isFull(file, growth)) return false;
  if (others.length > 0) changes.requireAccount(rule);
  for (const { rseId, replica, lock } of others)
    changes.set(file, rseId, { ...replica, locks: { ...replica.locks, [id]: { ...lock, account } } });
  return true;
}
