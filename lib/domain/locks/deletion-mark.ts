import { ReplicaState } from '../../contract/schemas/states.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';

/** How long a replica that is being deleted is left to the reaper that has marked it, as in Rucio. */
const deletionLeaseMs = 600_000;

/** How long a file that could not be deleted is left alone at most. */
const maxWaitMs = 24 * 3_600_000;

/** Whether the file of a replica is on the storage, as far as the catalogue knows: a copy or an upload to it has ended. */
export function hasArrived({ state, mark }: Replica): boolean {
  return (mark?.from ?? state) !== ReplicaState.UNAVAILABLE;
}

/**
 * Whether a reaper may be deleting the file of a replica at this moment: it has marked it, and has neither given up nor run
 * out of time.
 */
export function isBeingReaped(file: Pick<FileDid, 'createdAt'>, replica: Replica, now: number): boolean {
  const { state, mark, deletionError } = replica;
  if (state !== ReplicaState.BEING_DELETED || mark === undefined || deletionError !== undefined) return false;
  return endOfLease(file, replica) >= now;
}

/**
 * When the deletion of a replica that was marked may be taken over, in milliseconds since 1970. A file that alone cannot be
 * deleted is tried less and less often, so that it does not hold back the others.
 */
export function endOfLease({ createdAt }: Pick<FileDid, 'createdAt'>, replica: Replica): number {
  const refusals = replica.deletionError === undefined ? 0 : (replica.mark?.refusals ?? 0);
  const waitMs = Math.min(maxWaitMs, deletionLeaseMs * 2 ** Math.max(0, refusals - 1));
  return (replica.updatedAt ?? replica.createdAt ?? createdAt) + waitMs;
}
