import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { listParents } from '../../store/entities/edge.ts';
import { formatDid } from '../values/format-did.ts';

/** How far up a lineage is followed. */
const highest = 20;

/** Questions for a parent that are under way at once. */
const parallel = 50;

/** DIDs with what stands above them. */
export interface Lineages {
  /** Of each DID its ancestors as `scope:name`, the nearest first. */
  readonly ancestors: ReadonlyMap<string, readonly string[]>;
  /** The DIDs and all their ancestors. */
  readonly all: ReadonlyMap<string, Did>;
}

/**
 * Follows DIDs upwards, a single parent a level (Rucio's get_metadata_bulk does so too; of several parents we take the
 * first by name). Costs one query for each different DID and two round trips a level.
 */
export async function lineages(table: Table, dids: readonly Did[]): Promise<Lineages> {
  const all = new Map(dids.map((did) => [formatDid(did), did]));
  const parents = new Map<string, DidKey | undefined>();
  let level: readonly DidKey[] = [...all.values()];
  for (let height = 0; height < highest && level.length > 0; height += 1) {
    const found = await mapLimited(level, parallel, (did) => firstParent(table, did));
    for (const [index, did] of level.entries()) parents.set(formatDid(did), found[index]);
    const unknown = new Map(found.flatMap((parent) => (parent === undefined ? [] : [[formatDid(parent), parent]])));
    for (const known of all.keys()) unknown.delete(known);
    level = [...unknown.values()];
    for (const did of await getDids(table, level)) all.set(formatDid(did), did);
  }
  return { ancestors: new Map(dids.map((did) => [formatDid(did), climb(parents, formatDid(did))])), all };
}

function climb(parents: ReadonlyMap<string, DidKey | undefined>, start: string): string[] {
  const path: string[] = [];
  for (let parent = parents.get(start); parent !== undefined && path.length < highest;) {
    const next = formatDid(parent);
    if (next === start || path.includes(next)) break;
    path.push(next);
    parent = parents.get(next);
  }
  return path;
}

async function firstParent(table: Table, did: DidKey): Promise<DidKey | undefined> {
  for await (const { parent, inArchive } of listParents(table, did, { pageSize: 10 }))
    if (inArchive !== true) return parent;
  return undefined;
}
