import { ReplicaState } from '../../contract/schemas/states.ts';
import type { Replica } from '../../store/entities/did.ts';

/** The state of a replica at a time in milliseconds: TEMPORARY_UNAVAILABLE becomes AVAILABLE when its time is over. */
export function effectiveState({ state, until }: Replica, now: number): ReplicaState {
  const isOver = state === ReplicaState.TEMPORARY_UNAVAILABLE && until !== undefined && until <= now;
  return isOver ? ReplicaState.AVAILABLE : state;
}

/** The state that a text names, by its letter or by its name. */
export function readReplicaState(text: ReplicaState | keyof typeof ReplicaState): ReplicaState {
  return Object.hasOwn(ReplicaState, text) ? ReplicaState[text as keyof typeof ReplicaState] : (text as ReplicaState);
}

/** The number of locks on a replica. */
export function countReplicaLocks({ locks = {} }: Replica): number {
  return Object.keys(locks).length;
}
