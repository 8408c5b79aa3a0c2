import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { listParentCollections } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';

/** The most levels that are followed upwards. */
const maxLevels = 20;

/** The most queries for a parent in parallel. */
const maxParallelReads = 50;

/** DIDs with their ancestors. */
export interface FirstParents {
  /** The ancestors of each DID as `scope:name`, the nearest first. */
  readonly ancestors: ReadonlyMap<string, readonly string[]>;
  /** The DIDs and all their ancestors. */
  readonly all: ReadonlyMap<string, Did>;
}

/**
 * Follows DIDs upwards, one parent per level, as Rucio's get_metadata_bulk does; of several parents the first by name.
 * Costs one query for each distinct DID and two round trips per level.
 */
export async function followFirstParents(table: Table, dids: readonly Did[]): Promise<FirstParents> {
  const all = new Map(dids.map((did) => [formatDid(did), did]));
  const parents = new Map<string, DidKey | undefined>();
  let level: readonly DidKey[] = [...all.values()];
  for (let height = 0; height < maxLevels && level.length > 0; height += 1) {
    const found = await mapLimited(level, maxParallelReads, (did) => firstParent(table, did));
    for (const [index, did] of level.entries()) parents.set(formatDid(did), found[index]);
    const unknown = new Map(found.flatMap((parent) => (parent === undefined ? [] : [[formatDid(parent), parent]])));
    for (const known of all.keys()) unknown.delete(known);
    level = [...unknown.values()];
    for (const did of await getDids(table, level)) all.set(formatDid(did), did);
  }
  return { ancestors: new Map(dids.map((did) => [formatDid(did), tracePath(parents, formatDid(did))])), all };
}

function tracePath(parents: ReadonlyMap<string, DidKey | undefined>, start: string): string[] {
  const path: string[] = [];
  for (let parent = parents.get(start); parent !== undefined && path.length < maxLevels;) {
    const next = formatDid(parent);
    if (next === start || path.includes(next)) break;
    path.push(next);
    parent = parents.get(next);
  }
  return path;
}

async function firstParent(table: Table, did: DidKey): Promise<DidKey | undefined> {
  for await (const parent of listParentCollections(table, did, { pageSize: 10 })) return parent;
  return undefined;
}
