import type { FileDid, Replica, ReplicaLock } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { noteFreedBy, owner } from './freed-by.ts';
import type { ReplicaChanges } from './replica-changes.ts';

/** The option that decides what happens to a replica after its last lock. */
type PurgeOption = Pick<Rule, 'purgeReplicas'>;

/** The lock of a rule that is to be released from a replica. */
export interface Release {
  /** The file as it was read. */
  readonly file: FileDid;
  readonly rseId: string;
  readonly ruleId: string;
  /** Undefined: the rule is gone already. */
  readonly rule: PurgeOption | undefined;
  /** The owner of the file wants the rule to end, even if it belongs to another account. */
  readonly isOwnersWish?: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Releases the lock of a rule on a replica (spec/replication.md 3.7). After its last lock a replica gets a tombstone:
 * it may be deleted at once if the rule purges or if the replica was never complete (it becomes unavailable), otherwise
 * when space is needed. It is noted who has let it go. In an item without room for that the replica stays until its owner
 * lets it go: without the note anybody's rule would free it. Does nothing without such a lock.
 *
 * @returns Whether there was one.
 */
export function releaseLock(
  changes: ReplicaChanges,
  { file, rseId, ruleId, rule, isOwnersWish = false, now }: Release,
): boolean {
  const replica = changes.replicasOf(file).get(rseId);
  const lock = findLock(replica, ruleId);
  if (replica === undefined || lock === undefined) return false;
  const { [ruleId]: _released, ...others } = replica.locks ?? {};
  const { locks: _locks, ...bare } = replica;
  const isLast = Object.keys(others).length === 0;
  const kept = isLast ? withoutUnfinishedCopy(bare, lock) : { ...bare, locks: others };
  const noted = { ...kept, freedBy: noteFreedBy(file, replica, isOwnersWish ? owner : lock.account) };
  const free = isLast ? makeDeletable(file, noted, { isPurged: rule?.purgeReplicas === true, now }) : noted;
  changes.set(file, rseId, changes.canBecome(file, rseId, free) ? free : withoutOpenTombstone(kept));
  return true;
}

/** The replica, which keeps a tombstone only if it is noted who has let it go: without a note it would be free for everybody. */
function withoutOpenTombstone({ tombstone, ...replica }: Replica): Replica {
  return tombstone === undefined || replica.freedBy === undefined ? replica : { ...replica, tombstone };
}

/** Finds the lock of a rule on a replica. */
export function findLock(replica: Replica | undefined, ruleId: string): ReplicaLock | undefined {
  const { locks } = replica ?? {};
  return locks !== undefined && Object.hasOwn(locks, ruleId) ? locks[ruleId] : undefined;
}

/** The replica, unavailable if its copy has not ended. */
function withoutUnfinishedCopy(replica: Replica, lock: ReplicaLock): Replica {
  // A stuck lock may be the last one while a copy is under way: another rule has asked for it, or this one did before.
  const isUnfinished = replica.state === 'C' && (lock.state === 'R' || replica.askedBy !== undefined);
  if (!isUnfinished) return replica;
  const { askedBy: _askedBy, ...rest } = replica;
  return { ...rest, state: 'U' };
}

interface Deletability {
  readonly isPurged: boolean;
  readonly now: number;
}

function makeDeletable(file: FileDid, replica: Replica, { isPurged, now }: Deletability): Replica {
  // The reaper that deletes it knows its mark by `updatedAt`.
  if (replica.state === 'B') return { ...replica, tombstone: replica.tombstone ?? 0 };
  if (isPurged || replica.state === 'U') return { ...replica, tombstone: 0, updatedAt: now };
  // The order in which replicas go when space is needed: those that were not used for longest first.
  const usedAt = replica.accessedAt ?? replica.createdAt ?? file.createdAt;
  return { ...replica, tombstone: usedAt, updatedAt: now };
}
