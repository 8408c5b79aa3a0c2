import { mapLimited } from '../../parallel.ts';
import type { Table } from '../batches/table.ts';
import { didKeys } from '../keys/did-keys.ts';
import { shardOf } from '../keys/key-parts.ts';
import { type Edge, listParents, toEdge } from './edge.ts';

/** One attachment; a child that was detached and attached again is another one. */
export type Attached = Pick<Edge, 'parent' | 'child' | 'createdAt'>;

/** Questions that are under way at once. */
const parallel = 16;

/** A range is read on while no more than so many entries of it were of others for each that was sought. */
const mostOthers = 4;

const textOf = ({ parent, child, createdAt }: Attached) =>
  [parent.scope, parent.name, child.scope, child.name, createdAt].join('\n');

/**
 * Those of some edges that the index from children to parents does not show yet. What it has shown it shows from then on.
 * Children that lie side by side in the index, as those of one request do, are read by one query for each shard.
 */
export async function findUnshown<E extends Attached>(table: Table, edges: readonly E[]): Promise<E[]> {
  const shards = Map.groupBy(edges, ({ child }) => didKeys.parentShard(child.scope, shardOf(child.name)));
  const unshown = await mapLimited([...shards], parallel, ([pk, some]) => findInShard(table, pk, some));
  return unshown.flat();
}

async function findInShard<E extends Attached>(table: Table, pk: string, edges: readonly E[]): Promise<E[]> {
  const ranges = edges
    .map(({ child }) => didKeys.parentsOf(child.name))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.from), Buffer.from(b.from)));
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return [];
  const sought = new Map(edges.map((edge) => [textOf(edge), edge]));
  const range = { from: first.from, to: last.to };
  let left = (1 + mostOthers) * edges.length;
  for await (const item of table.query({ index: 'GSI1', pk, ...range, pageSize: edges.length })) {
    sought.delete(textOf(toEdge(item)));
    left -= 1;
    if (sought.size === 0) return [];
    if (left === 0) return askEach(table, [...sought.values()]);
  }
  return [...sought.values()];
}

/** Looks for edges one by one, where there are many others between them. */
async function askEach<E extends Attached>(table: Table, edges: readonly E[]): Promise<E[]> {
  const shown = await mapLimited(edges, parallel, async (edge) => {
    for await (const found of listParents(table, edge.child)) if (textOf(found) === textOf(edge)) return true;
    return false;
  });
  return edges.filter((_edge, index) => shown[index] !== true);
}
