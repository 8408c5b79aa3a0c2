import type { DidKey } from '../../contract/schemas/did.ts';
import { addIntegers } from '../../integer.ts';
import type { Table } from '../../store/batches/table.ts';
import { requireSettled } from '../../store/entities/did-conditions.ts';
import { getDidDependents } from '../../store/entities/did-partition.ts';
import { changeDid, type CollectionDid, getCollections, getFiles } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import type { Write } from '../../store/items/plan.ts';
import { computeShrinkage } from '../dids/plan-detachment.ts';
import { isArchiveName } from '../values/did-names.ts';
import { formatDid } from '../values/format-did.ts';
import { dependentsChangedError, type DidRemoval } from './did-removal.ts';
import { readParentEdges } from './remove-orphans.ts';

/**
 * Removes the collections that become empty (spec/replication.md 1.3): detaches them from their parents and deletes
 * them if they are closed, level by level upwards. Costs a read per collection, and one more round trip per level.
 */
export async function removeEmptyCollections(latest: Table, removal: DidRemoval): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const parents = removal
      .detached()
      .filter(({ parent }) => !done.has(formatDid(parent)) && !removal.isMarkedForDeletion(parent));
    const emptied = await findEmptyCollections(
      latest,
      removal,
      parents.map(({ parent }) => parent),
    );
    if (emptied.length === 0) return;
    const edges = await readParentEdges(latest, emptied);
    for (const collection of emptied) {
      done.add(formatDid(collection));
      for (const edge of edges.get(formatDid(collection)) ?? []) removal.detach(edge);
      if (collection.open === false) removal.markForDeletion(collection, await getDidDependents(latest, collection));
    }
  }
}

async function findEmptyCollections(
  latest: Table,
  removal: DidRemoval,
  parents: readonly DidKey[],
): Promise<CollectionDid[]> {
  const collections = await getCollections(latest, parents);
  const verdicts = await Promise.all(collections.map((collection) => becomesEmpty(latest, removal, collection)));
  return collections.filter((_collection, index) => verdicts[index]);
}

/**
 * Uses the length of a dataset, which is exact. That of a container ignores empty datasets, so its children are listed.
 */
async function becomesEmpty(latest: Table, removal: DidRemoval, collection: CollectionDid): Promise<boolean> {
  const gone = removal.detachedFrom(collection);
  if (collection.type === 'DATASET') {
    requireSettled(collection);
    return addIntegers(collection.length ?? 0, computeShrinkage(gone)['length'] ?? 0) === 0;
  }
  const children = new Set(gone.map(({ child }) => formatDid(child)));
  for await (const { child } of listChildren(latest, collection, { pageSize: children.size + 1 })) {
    if (!children.has(formatDid(child))) return false;
  }
  return true;
}

/**
 * The writes that shrink the remaining collections. Clears `isArchive` of a dataset that loses its last archive
 * (spec/dids.md appendix A #23).
 */
export async function shrinkCollections(latest: Table, removal: DidRemoval, now: number): Promise<Write[]> {
  const survivors = await getCollections(
    latest,
    removal.detached().flatMap(({ parent }) => (removal.isMarkedForDeletion(parent) ? [] : [parent])),
  );
  const archives = removal.archivesToDelete();
  return Promise.all(
    survivors.map(async (collection) => {
      const edges = removal.detachedFrom(collection);
      const wasArchive = collection.isArchive === true && edges.some(({ child }) => archives.has(formatDid(child)));
      const isLast = wasArchive && !(await hasOtherArchive(latest, removal, collection));
      const decided = isLast || (await becomesEmpty(latest, removal, collection));
      return changeDid(
        collection,
        { set: { ...(isLast ? { isArchive: false } : {}), updatedAt: now }, add: computeShrinkage(edges) },
        {
          ...(decided ? { when: requireSettled(collection) } : {}),
          onMismatch: () => dependentsChangedError(collection),
        },
      );
    }),
  );
}

async function hasOtherArchive(latest: Table, removal: DidRemoval, dataset: CollectionDid): Promise<boolean> {
  const gone = new Set(removal.detachedFrom(dataset).map(({ child }) => formatDid(child)));
  const candidates: DidKey[] = [];
  for await (const { child } of listChildren(latest, dataset)) {
    if (isArchiveName(child.name) && !gone.has(formatDid(child))) candidates.push(child);
  }
  return (await getFiles(latest, candidates)).some(({ isArchive }) => isArchive === true);
}
