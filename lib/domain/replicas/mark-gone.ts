import type { FileDid } from '../../store/entities/did.ts';
import { type LockUpdates, missingSource } from '../locks/lock-updates.ts';
import { countReplicaLocks, isReadable } from '../values/replica-state.ts';

/** Whether a file has another replica from which one on an RSE can be copied, now or once its site is back. */
export function canBeCopied(lockUpdates: LockUpdates, file: FileDid, rseId: string): boolean {
  const replicas = [...lockUpdates.changes.replicasOf(file)];
  return isReadable(replicas.flatMap(([id, replica]) => (id === rseId ? [] : [replica])));
}

/**
 * A replica is bad (spec/replication.md 1.8). Where the file has another replica that can be copied, it is requested again if
 * it has locks, and may be deleted at once if it has none. Otherwise its locks become stuck, and it stays: nobody has the file
 * but perhaps this replica.
 */
export function markGone(lockUpdates: LockUpdates, file: FileDid, rseId: string): void {
  const replica = lockUpdates.replicaOf(file, rseId);
  if (replica === undefined) return;
  const isLocked = countReplicaLocks(replica) > 0;
  if (!canBeCopied(lockUpdates, file, rseId)) lockUpdates.markFailed(file, rseId, missingSource);
  else if (isLocked) lockUpdates.markLost(file, rseId);
  else lockUpdates.set(file, rseId, { ...replica, tombstone: 0 });
}
