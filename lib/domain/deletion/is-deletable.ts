import { ReplicaState } from '../../contract/schemas/states.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import { endOfLease } from '../locks/deletion-mark.ts';
import { countReplicaLocks, effectiveState } from '../values/replica-state.ts';

/** States in which a replica can be read, or can be again once a site is back. */
const readableStates: ReadonlySet<ReplicaState> = new Set([ReplicaState.AVAILABLE, ReplicaState.TEMPORARY_UNAVAILABLE]);

/**
 * Whether a replica may be deleted now, as far as its file tells: it has no lock, its tombstone has passed, and it is neither
 * a source of a copy under way nor the last readable replica of a file that is locked elsewhere
 * (docs/adr/0020-deletion.md).
 */
export function isDeletable(file: FileDid, rseId: string, now: number): boolean {
  const replica = file.replicas.get(rseId);
  const { tombstone } = replica ?? {};
  if (replica === undefined || tombstone === undefined || tombstone >= now) return false;
  if (countReplicaLocks(replica) > 0) return false;
  switch (effectiveState(replica, now)) {
    case ReplicaState.AVAILABLE:
      return !isAskedFor(file) && !(isLockedElsewhere(file) && isLastReadable(file, rseId, now));
    case ReplicaState.UNAVAILABLE:
    case ReplicaState.BAD:
      return true;
    case ReplicaState.BEING_DELETED:
      return endOfLease(file, replica) < now;
    default:
      return false;
  }
}

/**
 * Whether the file is lost with a replica: it is the last one that can be read, or the last one at all. The deletion of a
 * replica that was begun is not a loss any more.
 */
export function isLastCopy(file: FileDid, rseId: string, now: number): boolean {
  const replica = file.replicas.get(rseId);
  if (replica === undefined || replica.state === ReplicaState.BEING_DELETED) return false;
  return file.replicas.size === 1 || (isReadable(replica, now) && isLastReadable(file, rseId, now));
}

/**
 * Whether a copy of the file is under way. Every available replica may be its source: nobody knows which one a mover reads
 * that is not part of Dapple.
 */
function isAskedFor({ replicas }: FileDid): boolean {
  return [...replicas.values()].some(({ state, askedBy }) => state === ReplicaState.COPYING && askedBy !== undefined);
}

function isLockedElsewhere({ replicas }: FileDid): boolean {
  return [...replicas.values()].some((replica) => countReplicaLocks(replica) > 0);
}

/** Whether the file has a replica that can be read, or can be again once a site is back. */
export function hasReadableCopy({ replicas }: FileDid, now: number): boolean {
  return [...replicas.values()].some((replica) => isReadable(replica, now));
}

function isLastReadable({ replicas }: FileDid, rseId: string, now: number): boolean {
  return [...replicas].every(([id, replica]) => id === rseId || !isReadable(replica, now));
}

const isReadable = (replica: Replica, now: number) => readableStates.has(effectiveState(replica, now));
