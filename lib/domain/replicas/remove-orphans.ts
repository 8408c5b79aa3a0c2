import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDidDependents } from '../../store/entities/did-partition.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, getEdges, listParents } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';
import type { DidRemoval } from './did-removal.ts';

/** Questions for parents and for what hangs on a file that are under way at once. */
const parallel = 50;

/**
 * Lets the files go that have lost their last replica, unless they are LOST or lie in an archive that stays
 * (spec/replication.md 1.3). An archive that goes frees its constituents, of which those go that have no replica of their
 * own. Costs two queries for each file, and one more round for each level of archives.
 *
 * @param files Those that have no replica left.
 */
export async function removeOrphans(latest: Table, removal: DidRemoval, files: readonly Did[]): Promise<void> {
  const bare = new Set(files.map(formatDid));
  let level = files;
  while (level.length > 0) {
    const orphans = await findOrphans(latest, removal, level);
    const hangers = await mapLimited(orphans, parallel, ({ file }) => getDidDependents(latest, file));
    const freed: Edge[] = [];
    for (const [index, { file, edges }] of orphans.entries()) {
      const own = hangers[index] ?? { edges: [], ruleIds: [], followers: [] };
      removal.doom(file, own);
      for (const edge of edges.filter(isContentEdge)) removal.detach(edge);
      for (const edge of own.edges) {
        removal.free(edge);
        freed.push(edge);
      }
    }
    const constituents = await getDids(
      latest,
      freed.map(({ child }) => child),
    );
    level = constituents.filter(
      (file) => !removal.isDoomed(file) && (file.replicas.size === 0 || bare.has(formatDid(file))),
    );
  }
}

interface Orphan {
  readonly file: Did;
  /** What it is attached to. */
  readonly edges: readonly Edge[];
}

async function findOrphans(latest: Table, removal: DidRemoval, files: readonly Did[]): Promise<Orphan[]> {
  const present = files.filter(({ availability }) => availability !== 'LOST');
  const edges = await readParentEdges(latest, present);
  return present
    .map((file) => ({ file, edges: edges.get(formatDid(file)) ?? [] }))
    .filter((orphan) => orphan.edges.every((edge) => isContentEdge(edge) || removal.isFreed(edge)));
}

/** The attachments of DIDs to others, by the DID: the index knows which there are, the table which there still are. */
export async function readParentEdges(latest: Table, dids: readonly Did[]): Promise<Map<string, Edge[]>> {
  const found = await mapLimited(dids, parallel, (did) => Array.fromAsync(listParents(latest, did)));
  return Map.groupBy(await getEdges(latest, found.flat()), ({ child }) => formatDid(child));
}
