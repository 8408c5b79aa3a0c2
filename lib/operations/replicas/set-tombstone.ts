import type { NamedReplica } from '../../contract/schemas/replica.ts';
import { noteFreedBy, owner } from '../../domain/locks/freed-by.ts';
import { ReplicaChanges } from '../../domain/locks/replica-changes.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { findFiles, replicaLockedError } from '../../domain/replicas/find-dids.ts';
import { failRseNotFound, requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { countReplicaLocks } from '../../domain/values/replica-state.ts';
import { fail } from '../../errors.ts';

/**
 * Marks replicas as deletable at once, all or nothing (spec/replication.md 1.7).
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423).
 */
export async function setTombstone(context: Context, replicas: readonly NamedReplica[]): Promise<void> {
  const { store } = context;
  const rses = await Promise.all(replicas.map(({ rse }) => requireCachedLiveRse(store.table, rse)));
  await authorize(context, 'set_tombstone', {});
  await store.write(async (latest) => {
    const files = await findFiles(latest, replicas);
    const changes = new ReplicaChanges(context.now);
    for (const [index, named] of replicas.entries()) {
      const rse = rses[index] ?? failRseNotFound(named.rse);
      const file = files.get(formatDid(named));
      const replica = file?.replicas.get(rse.id);
      if (file === undefined || replica === undefined) {
        fail('ReplicaNotFound', `Replica ${formatDid(named)} on RSE ${rse.rse} could not be found.`);
      }
      if (countReplicaLocks(replica) > 0) throw replicaLockedError(file, rse);
      const freedBy = noteFreedBy(file, replica, owner);
      changes.set(file, rse.id, { ...replica, tombstone: 0, freedBy, updatedAt: context.now });
    }
    return changes.writes(new Map());
  });
}
