import type { ReplicaChange } from '../../contract/schemas/replica.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { LockUpdates } from '../../domain/locks/lock-updates.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { findFiles, replicaLockedError } from '../../domain/replicas/find-dids.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import { planFollowed } from '../../domain/rules/life-cycle/follow-at-once.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { countReplicaLocks } from '../../domain/values/replica-state.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Plan, Write } from '../../store/items/plan.ts';

/** States that the owner of a file, or the account that registered its replica, may set. */
const ordinaryStates: ReadonlySet<ReplicaState> = new Set([
  ReplicaState.AVAILABLE,
  ReplicaState.UNAVAILABLE,
  ReplicaState.COPYING,
]);

/**
 * Changes the states of replicas on an RSE, all or nothing. If a replica is listed twice, the later state wins. Locks
 * and rules change in the same plan (spec/replication.md 1.3, 3.5).
 *
 * Costs a read per file, and with locks one more round trip and a read per rule.
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423) for BEING_DELETED of a locked
 *   replica.
 */
export async function updateReplicas(
  context: Context,
  { rse: name, files: changes }: { readonly rse: string; readonly files: readonly ReplicaChange[] },
): Promise<void> {
  let attempt = 0;
  await context.store.write(async (latest) => {
    attempt += 1;
    const [rse, files] = await Promise.all([
      requireCachedLiveRse(context.store.table, name),
      findFiles(latest, changes),
    ]);
    await authorize(context, 'update_replicas_states', {
      rseName: rse.rse,
      isOrdinary: changes.every(({ state }) => ordinaryStates.has(state)),
      files: async () =>
        changes.map((change) => ({ scope: change.scope, registrar: findRegistrar(files.get(formatDid(change)), rse) })),
    });
    return planChanges(latest, { rse, files, changes, attempt, now: context.now });
  });
}

/** What a plan of changed states is made from: the RSE and the files as they were read, and the wanted changes. */
interface Parts {
  readonly rse: Rse;
  readonly files: ReadonlyMap<string, FileDid>;
  readonly changes: readonly ReplicaChange[];
  /** How often the plan was made, from 1. */
  readonly attempt: number;
  readonly now: number;
}

async function planChanges(latest: Table, { rse, files, changes, attempt, now }: Parts): Promise<Plan> {
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
    lockUpdates.set(file, rse.id, changeReplica(rse, replica, change));
    if (change.state === ReplicaState.AVAILABLE) lockUpdates.markAvailable(file, rse.id);
    if (change.state === ReplicaState.UNAVAILABLE)
      lockUpdates.markFailed(file, rse.id, change.error_message ?? undefined);
  }
  const recovered = Array.from(files.values(), (file) => endRecovered(lockUpdates, file, { rse, now }));
  return [...(await planFollowed(latest.latest(), lockUpdates, attempt, now)), ...recovered.flat()];
}

/** The replica in its new state. BEING_DELETED sets the tombstone; AVAILABLE clears the bad declaration. */
function changeReplica(rse: Rse, replica: Replica, { state, path }: ReplicaChange): Replica {
  const { until: _until, declared, ...kept } = replica;
  return {
    ...kept,
    ...(declared === undefined || state === ReplicaState.AVAILABLE ? {} : { declared }),
    state,
    ...(state === ReplicaState.BEING_DELETED ? { tombstone: 0 } : {}),
    ...(path && !rse.deterministic ? { path } : {}),
  };
}

/** The write that ends the bad declaration of a recovered replica, if any. */
function endRecovered(
  lockUpdates: LockUpdates,
  file: FileDid,
  { rse: { id }, now }: Pick<Parts, 'rse' | 'now'>,
): Write[] {
  const declared = file.replicas.get(id)?.declared;
  const hasRecovered = declared !== undefined && lockUpdates.replicaOf(file, id)?.declared === undefined;
  return hasRecovered ? [endDeclaration({ ...declared, rseId: id, did: file }, 'RECOVERED', now)] : [];
}

/** The account that registered the replica. */
function findRegistrar(file: FileDid | undefined, { id }: Rse): string | undefined {
  const replica = file?.replicas.get(id);
  return replica === undefined ? undefined : (replica.account ?? file?.account);
}
