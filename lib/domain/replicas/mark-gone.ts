import { ReplicaState } from '../../contract/schemas/states.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { type LockUpdates, missingSource } from '../locks/lock-updates.ts';
import { effectiveState } from '../values/replica-state.ts';

/** States of replicas from which a lost one can be copied again. */
const copyableStates: ReadonlySet<ReplicaState> = new Set([ReplicaState.AVAILABLE, ReplicaState.TEMPORARY_UNAVAILABLE]);

/**
 * A replica is lost: if it has locks, it is requested again where the file has another replica that can be copied; otherwise
 * its locks become stuck.
 */
export function markGone(lockUpdates: LockUpdates, file: FileDid, rseId: string, now: number): void {
  const replicas = [...lockUpdates.changes.replicasOf(file).values()];
  const canBeCopied = replicas.some((replica) => copyableStates.has(effectiveState(replica, now)));
  if (canBeCopied) lockUpdates.markLost(file, rseId);
  else lockUpdates.markFailed(file, rseId, missingSource);
}
