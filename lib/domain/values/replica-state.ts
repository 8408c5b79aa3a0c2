import { ReplicaState } from '../../contract/schemas/states.ts';
import type { Replica } from '../../store/entities/did.ts';

/** The state of a replica at a time in milliseconds: TEMPORARY_UNAVAILABLE becomes AVAILABLE when its time is over. */
export function effectiveState({ state, until }: Replica, now: number): ReplicaState {
  const isOver = state === ReplicaState.TEMPORARY_UNAVAILABLE && until !== undefined && until <= now;
  return isOver ? ReplicaState.AVAILABLE : state;
}

/** States in which a replica can be read, or can be again once its site is back. */
export const readableStates: ReadonlySet<ReplicaState> = new Set([
  ReplicaState.AVAILABLE,
  ReplicaState.TEMPORARY_UNAVAILABLE,
]);

/** Whether a file has a replica that can be read, now or once its site is back. */
export function isReadable(replicas: Iterable<Replica>): boolean {
  return [...replicas].some(({ state }) => readableStates.has(state));
}

/** The number of locks on a replica. */
export function countReplicaLocks({ locks = {} }: Replica): number {
  return Object.keys(locks).length;
}
