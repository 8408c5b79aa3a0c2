import type { DidKey } from '../../contract/schemas/did.ts';
import { UsageChanges } from '../../domain/locks/usage-changes.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { dependentsChangedError, DidRemoval } from '../../domain/replicas/did-removal.ts';
import { findFiles, replicaLockedError } from '../../domain/replicas/find-dids.ts';
import { removeOrphans } from '../../domain/replicas/remove-orphans.ts';
import { removeEmptyCollections, shrinkCollections } from '../../domain/replicas/shrink-collections.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { countReplicaLocks } from '../../domain/values/replica-state.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import { changeReplicas, type FileDid } from '../../store/entities/did.ts';
import { deleteRsePath } from '../../store/entities/rse-path.ts';
import { deleteRseContent, type Rse } from '../../store/entities/rse.ts';
import type { Change, Plan } from '../../store/items/plan.ts';

/** The body of the request. */
interface Deletion {
  readonly rse: string;
  readonly files: readonly DidKey[];
  /** Also accept an RSE that is not available for deletion. */
  readonly ignore_availability: boolean;
}

/**
 * Deletes replicas from an RSE, and the files and collections that this leaves without replicas or content, all or
 * nothing (spec/replication.md 1.3). A file that is listed twice counts once. The permission to delete includes
 * ignoring the availability.
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423); ResourceTemporaryUnavailable
 *   (503).
 */
export async function deleteReplicas(context: Context, { rse: name, files: dids, ignore_availability }: Deletion) {
  await context.store.write(async (latest) => {
    const [rse, found] = await Promise.all([requireCachedLiveRse(context.store.table, name), findFiles(latest, dids)]);
    await authorize(context, 'delete_replicas', { rseName: rse.rse });
    if (!rse.availabilityDelete && !ignore_availability) {
      fail('ResourceTemporaryUnavailable', `${rse.rse} is temporary unavailable for deleting`);
    }
    const files = [...new Set(dids.map((did) => found.get(formatDid(did)) ?? failNotFound()))];
    for (const file of files) {
      const replica = file.replicas.get(rse.id) ?? failNotFound();
      if (countReplicaLocks(replica) > 0) throw replicaLockedError(file, rse);
    }
    return planDeletion(latest, { rse, files, now: context.now });
  });
}

/** Replicas to delete. */
interface ReplicasToDelete {
  readonly rse: Rse;
  /** Files with a replica on the RSE. */
  readonly files: readonly FileDid[];
  readonly now: number;
}

async function planDeletion(latest: Table, { rse, files, now }: ReplicasToDelete): Promise<Plan> {
  const removal = new DidRemoval();
  const withoutOther = files.filter(({ replicas }) => replicas.size === 1);
  await removeOrphans(latest, removal, withoutOther);
  await removeEmptyCollections(latest, removal);
  const usage = new UsageChanges();
  for (const { bytes = 0 } of files) usage.replica(rse.id, bytes, -1);
  return [
    ...files.flatMap((file) => deleteReplicaItems(rse, file, now)),
    ...files
      .filter((file) => !removal.isMarkedForDeletion(file))
      .map((file) => changeReplicas(file, new Map([[rse.id, undefined]]))),
    ...(await shrinkCollections(latest, removal, now)),
    ...(await removal.writes(latest, now)),
    ...usage.writes(),
  ];
}

/** The writes that delete the index items of a replica and end its declaration as bad. */
function deleteReplicaItems({ id }: Rse, file: FileDid, now: number): Change[] {
  const { path, declared } = file.replicas.get(id) ?? {};
  return [
    deleteRseContent(id, file, () => dependentsChangedError(file)),
    ...(path === undefined ? [] : [deleteRsePath(id, path, file)]),
    ...(declared === undefined ? [] : [endDeclaration({ ...declared, rseId: id, did: file }, 'DELETED', now)]),
  ];
}

function failNotFound(): never {
  return fail('ReplicaNotFound', "One or several replicas don't exist.");
}
