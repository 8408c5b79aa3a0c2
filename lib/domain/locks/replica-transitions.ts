import { ReplicaState } from '../../contract/schemas/states.ts';

/**
 * Meaning of the new state of a replica, and the consequence for its locks (spec/replication.md 1.3, 3.5):
 *
 * - `arrival`: the file is there. Locks become OK.
 * - `failure`: the file is not there. Locks become STUCK, and the repair asks for it again.
 * - `wait`: somebody brings the file. Locks become REPLICATING. A copy that was asked for stays asked for; if none was, it is
 *   where another replica can be copied.
 * - `loss`: what is there is bad, as if it had been declared. Where another replica can be copied, locks become REPLICATING and
 *   the copy is asked for, and a replica without locks may be deleted; otherwise locks become STUCK and the file is lost.
 * - `deletion`: the file is about to be deleted. Only a replica without locks.
 * - `refusal`: a file that is not there cannot be away for a time.
 */
export type Transition = 'arrival' | 'failure' | 'wait' | 'loss' | 'deletion' | 'refusal';

/** The states that a replica can be given. */
export type SettableState = Exclude<ReplicaState, typeof ReplicaState.SOURCE>;

type Row = Readonly<Record<SettableState, Transition>>;

const rowOf = (temporary: 'arrival' | 'refusal'): Row => ({
  [ReplicaState.AVAILABLE]: 'arrival',
  [ReplicaState.UNAVAILABLE]: 'failure',
  [ReplicaState.COPYING]: 'wait',
  [ReplicaState.TEMPORARY_UNAVAILABLE]: temporary,
  [ReplicaState.BAD]: 'loss',
  [ReplicaState.BEING_DELETED]: 'deletion',
});

const [there, absent] = [rowOf('arrival'), rowOf('refusal')];

/**
 * The transitions of a replica, by its present and its new state. `planStates` applies it to
 * the states that clients and movers report. Declarations, rules and the reaper set states of their own (docs/adr/0011-rules-on-the-stream.md).
 */
export const replicaTransitions: Readonly<Record<ReplicaState, Row>> = {
  [ReplicaState.AVAILABLE]: there,
  [ReplicaState.TEMPORARY_UNAVAILABLE]: there,
  [ReplicaState.UNAVAILABLE]: absent,
  [ReplicaState.COPYING]: absent,
  [ReplicaState.BAD]: absent,
  [ReplicaState.BEING_DELETED]: absent,
  [ReplicaState.SOURCE]: absent,
};

/**
 * Whether a client says by a state that it uploads, or has uploaded: what is there now is not what was there before, so that
 * the tombstone of that is void.
 */
export function beginsAnew(state: ReplicaState): boolean {
  return state === ReplicaState.AVAILABLE || state === ReplicaState.COPYING;
}
