import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDidDependents } from '../../store/entities/did-partition.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { type Edge, getEdges, listParentEdges } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';
import type { DidRemoval } from './did-removal.ts';

const maxParallelQueries = 50;

/**
 * Deletes the files that have lost their last replica, unless they are LOST or in an archive that remains
 * (spec/replication.md 1.3). When an archive is deleted, its constituents without a replica of their own are deleted as
 * well. Costs two queries per file, and one more round trip per level of archives.
 *
 * @param files Files without a replica.
 */
export async function removeOrphans(latest: Table, removal: DidRemoval, files: readonly FileDid[]): Promise<void> {
  const withoutReplica = new Set(files.map(formatDid));
  let level = files;
  while (level.length > 0) {
    const orphans = await findOrphans(latest, removal, level);
    const dependents = await mapLimited(orphans, maxParallelQueries, ({ file }) => getDidDependents(latest, file));
    const constituentEdges: Edge[] = [];
    for (const [index, { file, edges }] of orphans.entries()) {
      const own = dependents[index] ?? { edges: [], ruleIds: [], followers: [], isOpendata: false };
      removal.markForDeletion(file, own);
      for (const edge of edges) if (isContentEdge(edge)) removal.detach(edge);
      for (const edge of own.edges) {
        removal.detachConstituent(edge);
        constituentEdges.push(edge);
      }
    }
    const constituents = await getFiles(
      latest,
      constituentEdges.map(({ child }) => child),
    );
    level = constituents.filter(
      (file) => !removal.isMarkedForDeletion(file) && (file.replicas.size === 0 || withoutReplica.has(formatDid(file))),
    );
  }
}

interface Orphan {
  readonly file: FileDid;
  /** Its attachments to parents. */
  readonly edges: readonly Edge[];
}

async function findOrphans(latest: Table, removal: DidRemoval, files: readonly FileDid[]): Promise<Orphan[]> {
  const present = files.filter(({ availability }) => availability !== 'LOST');
  const edges = await readParentEdges(latest, present);
  return present
    .map((file) => ({ file, edges: edges.get(formatDid(file)) ?? [] }))
    .filter((orphan) => orphan.edges.every((edge) => isContentEdge(edge) || removal.isConstituentDetached(edge)));
}

/** The attachments of DIDs to parents, by the DID. The index finds them, the table says which still exist. */
export async function readParentEdges(latest: Table, dids: readonly DidKey[]): Promise<Map<string, Edge[]>> {
  const found = await mapLimited(dids, maxParallelQueries, (did) => Array.fromAsync(listParentEdges(latest, did)));
  return Map.groupBy(await getEdges(latest, found.flat()), ({ child }) => formatDid(child));
}
