import type { DidKey } from '../../contract/schemas/did.ts';
import { planDeletion } from '../../domain/deletion/plan-deletion.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { findFiles, replicaLockedError } from '../../domain/replicas/find-dids.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { countReplicaLocks } from '../../domain/values/replica-state.ts';
import { fail } from '../../errors.ts';

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
    return planDeletion(latest, { rseId: rse.id, files, now: context.now });
  });
}

function failNotFound(): never {
  return fail('ReplicaNotFound', "One or several replicas don't exist.");
}
