import type { Did, Replica, ReplicaLock } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import type { ReplicaChanges } from './replica-changes.ts';

/** What decides how a replica is left when its last lock goes. */
type Purging = Pick<Rule, 'purgeReplicas'>;

/** The lock of a rule to be taken from a replica. */
export interface Release {
  /** As it was read. */
  readonly file: Did;
  readonly rseId: string;
  readonly ruleId: string;
  /** Undefined where the rule is gone already. */
  readonly rule: Purging | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Takes the lock of a rule from a replica (spec/replication.md 3.7). When it was the last one the replica may be deleted
 * from then on: at once if the rule purges, or if the replica was never finished, which then counts as unavailable; else
 * when space is needed. Does nothing where there is no such lock.
 *
 * @returns Whether there was one.
 */
export function releaseLock(changes: ReplicaChanges, { file, rseId, ruleId, rule, now }: Release): boolean {
  const replica = changes.replicasOf(file).get(rseId);
  const lock = lockOf(replica, ruleId);
  if (replica === undefined || lock === undefined) return false;
  const { [ruleId]: _released, ...others } = replica.locks ?? {};
  const { locks: _locks, ...bare } = replica;
  changes.set(
    file,
    rseId,
    Object.keys(others).length > 0
      ? { ...bare, locks: others }
      : { ...abandoned(file, bare, { lock, purges: rule?.purgeReplicas === true, now }) },
  );
  return true;
}

/** The lock of a rule on a replica, if there is one. */
export function lockOf(replica: Replica | undefined, ruleId: string): ReplicaLock | undefined {
  const { locks } = replica ?? {};
  return locks !== undefined && Object.hasOwn(locks, ruleId) ? locks[ruleId] : undefined;
}

interface LastLock {
  readonly lock: ReplicaLock;
  readonly purges: boolean;
  readonly now: number;
}

function abandoned(file: Did, replica: Replica, { lock, purges, now }: LastLock): Replica {
  if (lock.state === 'R') return { ...withoutWish(replica), state: 'U', tombstone: 0, updatedAt: now };
  if (purges || replica.state === 'U') return { ...replica, tombstone: 0, updatedAt: now };
  return { ...replica, tombstone: replica.createdAt ?? file.createdAt, updatedAt: now };
}

/** Nobody has to copy the file any more. */
function withoutWish({ askedBy: _askedBy, ...replica }: Replica): Replica {
  return replica;
}
