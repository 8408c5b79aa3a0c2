import type { ReplicaChange } from '../../contract/schemas/replica.ts';
import { LockUpdates } from '../../domain/locks/lock-updates.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { findDids, replicaLockedError } from '../../domain/replicas/find-dids.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { lockCount } from '../../domain/values/replica-states.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import type { Did, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Plan, Write } from '../../store/items/plan.ts';

/** States that whoever owns a file, or registered its replica, may set. */
const ordinary: ReadonlySet<string> = new Set(['A', 'U', 'C']);

/**
 * Changes the states of replicas on an RSE, all or none; of two changes of one replica the later one holds. Locks and
 * rules follow in the same plan (spec/replication.md 1.3, 3.5).
 *
 * Costs a read for each file, and where there are locks one round more, a read for each rule.
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423) for a locked one that is to be
 *   deleted.
 */
export async function updateReplicas(
  context: Context,
  { rse: name, files: changes }: { readonly rse: string; readonly files: readonly ReplicaChange[] },
): Promise<void> {
  await context.store.write(async (latest) => {
    const [rse, files] = await Promise.all([
      requireCachedLiveRse(context.store.table, name),
      findDids(latest, changes),
    ]);
    await authorize(context, 'update_replicas_states', {
      rseName: rse.rse,
      isOrdinary: changes.every(({ state }) => ordinary.has(state)),
      files: async () =>
        changes.map((change) => ({ scope: change.scope, registrar: registrar(files.get(formatDid(change)), rse) })),
    });
    return plan(latest, { rse, files, changes, now: context.now });
  });
}

interface Parts {
  readonly rse: Rse;
  readonly files: ReadonlyMap<string, Did>;
  readonly changes: readonly ReplicaChange[];
  readonly now: number;
}

async function plan(latest: Table, { rse, files, changes, now }: Parts): Promise<Plan> {
  const replicas = Array.from(files.values(), (file) => file.replicas.get(rse.id));
  const updates = await LockUpdates.open(latest, replicas, now);
  for (const change of changes) {
    const file = files.get(formatDid(change));
    const replica = file === undefined ? undefined : updates.replicaOf(file, rse.id);
    if (file === undefined || replica === undefined) {
      fail('ReplicaNotFound', `No row found for scope: ${change.scope} name: ${change.name} rse: ${rse.rse}`);
    }
    if (change.state === 'B' && lockCount(replica) > 0) throw replicaLockedError(file, rse);
    updates.set(file, rse.id, changeReplica(rse, replica, change));
    if (change.state === 'A') updates.markAvailable(file, rse.id);
    if (change.state === 'U') updates.markFailed(file, rse.id, change.error_message ?? undefined);
  }
  const recovered = Array.from(files.values(), (file) => recovery(updates, file, { rse, now }));
  return [...updates.writes(), ...recovered.flat()];
}

/** A replica in another state: what is being deleted may go at once, and what is available is bad no more. */
function changeReplica(rse: Rse, replica: Replica, { state, path }: ReplicaChange): Replica {
  const { until: _until, declared, ...kept } = replica;
  return {
    ...kept,
    ...(declared === undefined || state === 'A' ? {} : { declared }),
    state,
    ...(state === 'B' ? { tombstone: 0 } : {}),
    ...(path && !rse.deterministic ? { path } : {}),
  };
}

/** The end of the entry in the log that says a replica was bad. */
function recovery(updates: LockUpdates, file: Did, { rse: { id }, now }: Pick<Parts, 'rse' | 'now'>): Write[] {
  const declared = file.replicas.get(id)?.declared;
  const hasRecovered = declared !== undefined && updates.replicaOf(file, id)?.declared === undefined;
  return hasRecovered ? [endDeclaration({ ...declared, rseId: id, did: file }, 'R', now)] : [];
}

function registrar(file: Did | undefined, { id }: Rse): string | undefined {
  const replica = file?.replicas.get(id);
  return replica === undefined ? undefined : (replica.account ?? file?.account);
}
