import type { DidKey } from '../../contract/schemas/did.ts';
import { UsageChanges } from '../../domain/locks/usage-changes.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { dependentsChangedError, DidRemoval } from '../../domain/replicas/did-removal.ts';
import { findDids, replicaLockedError } from '../../domain/replicas/find-dids.ts';
import { removeOrphans } from '../../domain/replicas/remove-orphans.ts';
import { removeEmptyCollections, shrinkCollections } from '../../domain/replicas/shrink-collections.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { lockCount } from '../../domain/values/replica-states.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import { changeReplicas, type Did } from '../../store/entities/did.ts';
import { deleteRsePath } from '../../store/entities/rse-path.ts';
import { deleteRseContent, type Rse } from '../../store/entities/rse.ts';
import type { Change, Plan } from '../../store/items/plan.ts';

/** Replicas to delete. */
interface Deletion {
  readonly rse: string;
  readonly files: readonly DidKey[];
  /** Takes RSEs from which nothing can be deleted at present. */
  readonly ignore_availability: boolean;
}

/**
 * Deletes replicas from an RSE with all that follows from it, all or nothing (spec/replication.md 1.3); a file that is
 * listed twice counts once. Who may delete may also ignore what is said of the RSE's availability.
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423); ResourceTemporaryUnavailable
 *   (503).
 */
export async function deleteReplicas(context: Context, { rse: name, files: dids, ignore_availability }: Deletion) {
  await context.store.write(async (latest) => {
    const [rse, found] = await Promise.all([requireCachedLiveRse(context.store.table, name), findDids(latest, dids)]);
    await authorize(context, 'delete_replicas', { rseName: rse.rse });
    if (!rse.availabilityDelete && !ignore_availability) {
      fail('ResourceTemporaryUnavailable', `${rse.rse} is temporary unavailable for deleting`);
    }
    const files = [...new Set(dids.map((did) => found.get(formatDid(did)) ?? notFound()))];
    for (const file of files) {
      const replica = file.replicas.get(rse.id) ?? notFound();
      if (lockCount(replica) > 0) throw replicaLockedError(file, rse);
    }
    return plan(latest, { rse, files, now: context.now });
  });
}

interface Doomed {
  readonly rse: Rse;
  /** Each with a replica on the RSE. */
  readonly files: readonly Did[];
  readonly now: number;
}

async function plan(latest: Table, { rse, files, now }: Doomed): Promise<Plan> {
  const removal = new DidRemoval();
  const bare = files.filter(({ replicas }) => replicas.size === 1);
  await removeOrphans(latest, removal, bare);
  await removeEmptyCollections(latest, removal);
  const usage = new UsageChanges();
  for (const { bytes = 0 } of files) usage.replica(rse.id, bytes, -1);
  return [
    ...files.flatMap((file) => endOfReplica(rse, file, now)),
    ...files
      .filter((file) => !removal.isDoomed(file))
      .map((file) => changeReplicas(file, new Map([[rse.id, undefined]]))),
    ...(await shrinkCollections(latest, removal, now)),
    ...(await removal.writes(latest, now)),
    ...usage.writes(),
  ];
}

/** What goes with a replica besides itself: what finds the file by its RSE, and that it is bad. */
function endOfReplica({ id }: Rse, file: Did, now: number): Change[] {
  const { path, declared } = file.replicas.get(id) ?? {};
  return [
    deleteRseContent(id, file, () => dependentsChangedError(file)),
    ...(path === undefined ? [] : [deleteRsePath(id, path, file)]),
    ...(declared === undefined ? [] : [endDeclaration({ ...declared, rseId: id, did: file }, 'D', now)]),
  ];
}

function notFound(): never {
  return fail('ReplicaNotFound', "One or several replicas don't exist.");
}
