import type { ReplicaChange } from '../../contract/schemas/replica.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { defined } from '../../defined.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Plan, Write } from '../../store/items/plan.ts';
import { LockUpdates } from '../locks/lock-updates.ts';
import { truncateError } from '../locks/rule-errors.ts';
import { planFollowed } from '../rules/life-cycle/follow-at-once.ts';
import { formatDid } from '../values/format-did.ts';
import { countReplicaLocks } from '../values/replica-state.ts';
import { replicaLockedError } from './find-dids.ts';

/** A wanted change of the state of a replica. */
export interface StateChange extends ReplicaChange {
  /** The attempts to copy that have failed, and the source of the last one, by its id. */
  readonly failure?: { readonly attempts: number; readonly sourceId?: string | undefined };
}

/** What a plan of changed states is made from: the RSE and the files as they were read, and the wanted changes. */
export interface StateChanges {
  readonly rse: Rse;
  readonly files: ReadonlyMap<string, FileDid>;
  readonly changes: readonly StateChange[];
  /** How often the plan was made, from 1. */
  readonly attempt: number;
  readonly now: number;
}

/**
 * Plans new states of replicas on an RSE, with the locks and rules that change with them (spec/replication.md 1.3, 3.5).
 *
 * @throws ReplicaNotFound (404); ReplicaIsLocked (423) for BEING_DELETED of a locked replica.
 */
export async function planStates(latest: Table, { rse, files, changes, attempt, now }: StateChanges): Promise<Plan> {
  const replicas = Array.from(files.values(), (file) => file.replicas.get(rse.id));
  const lockUpdates = await LockUpdates.open(latest, replicas, now);
  for (const change of changes) {
    const file = files.get(formatDid(change));
    const replica = file === undefined ? undefined : lockUpdates.replicaOf(file, rse.id);
    if (file === undefined || replica === undefined) {
      fail('ReplicaNotFound', `No row found for scope: ${change.scope} name: ${change.name} rse: ${rse.rse}`);
    }
    if (change.state === ReplicaState.BEING_DELETED && countReplicaLocks(replica) > 0)
      throw replicaLockedError(file, rse);
    lockUpdates.set(file, rse.id, changeReplica(rse, replica, change, now));
    if (change.state === ReplicaState.AVAILABLE) lockUpdates.markAvailable(file, rse.id);
    if (change.state === ReplicaState.UNAVAILABLE)
      lockUpdates.markFailed(file, rse.id, change.error_message ?? undefined);
  }
  const recovered = Array.from(files.values(), (file) => endRecovered(lockUpdates, file, { rse, now }));
  return [...(await planFollowed(latest.latest(), lockUpdates, attempt, now)), ...recovered.flat()];
}

/** The replica in its new state. BEING_DELETED sets the tombstone; AVAILABLE clears the bad declaration and failures. */
function changeReplica(rse: Rse, replica: Replica, change: StateChange, now: number): Replica {
  const { state, path } = change;
  const { until: _until, declared, failed: _failed, ...kept } = replica;
  const isAvailable = state === ReplicaState.AVAILABLE;
  return {
    ...kept,
    ...(declared === undefined || isAvailable ? {} : { declared }),
    ...defined({ failed: isAvailable ? undefined : findFailure(replica, change, now) }),
    state,
    ...(state === ReplicaState.BEING_DELETED ? { tombstone: 0 } : {}),
    ...(path && !rse.deterministic ? { path } : {}),
  };
}

/** How copies to a replica have failed: with this change, if it reports that a copy did not come to be. */
function findFailure(replica: Replica, change: StateChange, now: number): Replica['failed'] {
  const { failed, state } = replica;
  if (change.state !== ReplicaState.UNAVAILABLE || state !== ReplicaState.COPYING) return failed;
  const { attempts = 1, sourceId } = change.failure ?? {};
  const error = change.error_message ? truncateError(change.error_message) : undefined;
  return { attempts: (failed?.attempts ?? 0) + attempts, at: now, ...defined({ error, sourceId }) };
}

/** The write that ends the bad declaration of a recovered replica, if any. */
function endRecovered(
  lockUpdates: LockUpdates,
  file: FileDid,
  { rse: { id }, now }: Pick<StateChanges, 'rse' | 'now'>,
): Write[] {
  const declared = file.replicas.get(id)?.declared;
  const hasRecovered = declared !== undefined && lockUpdates.replicaOf(file, id)?.declared === undefined;
  return hasRecovered ? [endDeclaration({ ...declared, rseId: id, did: file }, 'RECOVERED', now)] : [];
}
