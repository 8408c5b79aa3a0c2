import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import { changeReplicas, type FileDid, type Replica } from '../../store/entities/did.ts';
import { FileGrowth } from '../../store/entities/file-room.ts';
import { deleteRseContent } from '../../store/entities/rse-content.ts';
import { deleteRsePath } from '../../store/entities/rse-path.ts';
import type { Plan, Write } from '../../store/items/plan.ts';
import { planListing } from '../locks/deletable-list.ts';
import { isLetGo, noteFreedBy, owner } from '../locks/freed-by.ts';
import { UsageChanges } from '../locks/usage-changes.ts';
import { dependentsChangedError, DidRemoval } from '../replicas/did-removal.ts';
import { removeOrphans } from '../replicas/remove-orphans.ts';
import { removeEmptyCollections, shrinkCollections } from '../replicas/shrink-collections.ts';

/** Replicas to delete from an RSE. */
interface ReplicasToDelete {
  readonly rseId: string;
  /** Files with a replica on the RSE, as they were read, each once. */
  readonly files: readonly FileDid[];
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * The plan that deletes replicas, and the files and collections that this leaves without replicas or content
 * (spec/replication.md 1.3). Its condition is that the files are as they were read.
 */
export async function planDeletion(latest: Table, { rseId, files, now }: ReplicasToDelete): Promise<Plan> {
  const removal = new DidRemoval();
  const withoutOther = files.filter(({ replicas }) => replicas.size === 1);
  await removeOrphans(latest, removal, withoutOther);
  await removeEmptyCollections(latest, removal);
  const usage = new UsageChanges();
  for (const { bytes = 0 } of files) usage.replica(rseId, bytes, -1);
  return [
    ...files.flatMap((file) => deleteReplicaItems(rseId, file, now)),
    ...files
      .filter((file) => !removal.isMarkedForDeletion(file))
      .map((file) => changeReplicas(file, withoutReplica(file, rseId))),
    ...(await shrinkCollections(latest, removal, now)),
    ...(await removal.writes(latest, now)),
    ...usage.writes(),
  ];
}

/**
 * The file without its replica on an RSE. If the owner has let that go, its other copies, which rules of others have had made,
 * need not wait for the owner: the last of them may go as well.
 */
function withoutReplica(file: FileDid, rseId: string): ReadonlyMap<string, Replica | undefined> {
  const replica = file.replicas.get(rseId);
  const changes = new Map<string, Replica | undefined>([[rseId, undefined]]);
  if (replica === undefined || !isLetGo(file, replica)) return changes;
  const growth = new FileGrowth(file);
  growth.add(replica, undefined);
  for (const [id, other] of file.replicas) {
    if (id === rseId || isLetGo(file, other)) continue;
    const noted = { ...other, freedBy: noteFreedBy(file, other, owner) };
    // Without the note they wait for the owner.
    if (!growth.allows(other, noted)) continue;
    growth.add(other, noted);
    changes.set(id, noted);
  }
  return changes;
}

/** The writes that delete the index items of a replica and end its declaration as bad. */
function deleteReplicaItems(rseId: string, file: FileDid, now: number): Write[] {
  const replica = file.replicas.get(rseId);
  const { declared } = replica ?? {};
  return [
    deleteRseContent(rseId, file, () => dependentsChangedError(file)),
    ...planListing(rseId, file, replica, undefined),
    ...(replica === undefined ? [] : deleteRsePath(rseId, replica, file)),
    ...(declared === undefined ? [] : [endDeclaration({ ...declared, rseId, did: file }, 'DELETED', now)]),
  ];
}
