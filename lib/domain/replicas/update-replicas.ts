import type { ReplicaChange } from '../../contract/schemas/replica.ts';
import { fail } from '../../errors.ts';
import { changeReplicas, type Did, type Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import { deleteRsePath, insertRsePath } from '../../store/entities/rse-path.ts';
import type { Plan, Write } from '../../store/plan.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { formatDid } from '../dids/names.ts';
import { findFiles, locked } from './find-replicas.ts';
import { recallLiveRse } from '../rses/find-rse.ts';
import { lockCount } from './states.ts';

/** States that whoever owns a file, or registered its replica, may set. */
const ordinary: ReadonlySet<string> = new Set(['A', 'U', 'C']);

/**
 * Changes the states of replicas on an RSE, all or none; of two changes of one replica the later one holds
 * (spec/replication.md 1.3).
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423) for a locked one that is to be
 *   deleted.
 */
export async function updateReplicas(
  context: Context,
  { rse: name, files: changes }: { readonly rse: string; readonly files: readonly ReplicaChange[] },
): Promise<void> {
  await context.store.write(async (latest) => {
    const [rse, files] = await Promise.all([recallLiveRse(context.store.table, name), findFiles(latest, changes)]);
    await authorize(context, 'update_replicas_states', {
      rseName: rse.rse,
      isOrdinary: changes.every(({ state }) => ordinary.has(state)),
      files: async () =>
        changes.map((change) => ({ scope: change.scope, registrar: registrar(files.get(formatDid(change)), rse) })),
    });
    return plan(context, { rse, files, changes });
  });
}

interface Parts {
  readonly rse: Rse;
  readonly files: ReadonlyMap<string, Did>;
  readonly changes: readonly ReplicaChange[];
}

function plan({ now }: Context, { rse, files, changes }: Parts): Plan {
  const changed = new Map<Did, Replica>();
  for (const change of changes) {
    const file = files.get(formatDid(change));
    const replica = file === undefined ? undefined : (changed.get(file) ?? file.replicas.get(rse.id));
    if (file === undefined || replica === undefined) {
      fail('ReplicaNotFound', `No row found for scope: ${change.scope} name: ${change.name} rse: ${rse.rse}`);
    }
    if (change.state === 'B' && lockCount(replica) > 0) throw locked(file, rse);
    changed.set(file, changeReplica(rse, replica, { ...change, now }));
  }
  return Array.from(changed, ([file, replica]) => writesOf(rse, { file, replica, now })).flat();
}

/** A replica in another state: what is being deleted may go at once, and what is available is bad no more. */
function changeReplica(rse: Rse, replica: Replica, { state, path, now }: ReplicaChange & { now: number }): Replica {
  const { until: _until, declared, ...kept } = replica;
  return {
    ...kept,
    ...(declared === undefined || state === 'A' ? {} : { declared }),
    state,
    ...(state === 'B' ? { tombstone: 0 } : {}),
    ...(path && !rse.deterministic ? { path } : {}),
    updatedAt: now,
  };
}

function writesOf({ id }: Rse, { file, replica, now }: { file: Did; replica: Replica; now: number }): Write[] {
  const { declared, path: old } = file.replicas.get(id) ?? {};
  const { path } = replica;
  const hasRecovered = declared !== undefined && replica.declared === undefined;
  const hasMoved = path !== undefined && trim(path) !== trim(old);
  return [
    changeReplicas(file, new Map([[id, replica]])),
    ...(hasRecovered ? [endDeclaration({ ...declared, rseId: id, did: file }, 'R', now)] : []),
    ...(hasMoved ? [insertRsePath(id, path, file)] : []),
    ...(hasMoved && old !== undefined ? [deleteRsePath(id, old, file)] : []),
  ];
}

/** Slashes before a path mean nothing. */
const trim = (path: string | undefined) => path?.replace(/^\/+/, '');

function registrar(file: Did | undefined, { id }: Rse): string | undefined {
  const replica = file?.replicas.get(id);
  return replica === undefined ? undefined : (replica.account ?? file?.account);
}
