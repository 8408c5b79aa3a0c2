import { mapLimited } from '../../parallel.ts';
import type { Range, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { isNumber, isText, readAttribute } from '../items/read-attributes.ts';
import { didKeys } from '../keys/did-keys.ts';
import { shardOf } from '../values/shards.ts';
import type { Edge } from './edge.ts';

/** Identifies an attachment; one that is repeated after a detachment is another one. */
export type Attachment = Pick<Edge, 'parent' | 'child' | 'createdAt'>;

/** The limit of parallel queries. */
const maxParallelQueries = 16;

/** A range is read while it has at most this many entries per wanted one; a query of its own costs as much. */
const maxEntriesPerEdge = 13;

/** A range counts as too thin once this many of the wanted entries were missing in what was read of it. */
const maxMissing = 16;

/** More times of attachment than this are not worth a filter; an `IN` takes 100. */
const maxFilteredTimes = 20;

/**
 * The edges that the index from children to parents does not contain yet. An entry that was visible once stays visible.
 * Children that are adjacent in the index, as those of one request are, take one query per shard.
 */
export async function findUnindexed<E extends Attachment>(table: Table, edges: readonly E[]): Promise<E[]> {
  const shards = Map.groupBy(edges, ({ child }) => didKeys.parentShard(child.scope, shardOf(child.name)));
  const unindexed = await mapLimited([...shards], maxParallelQueries, ([pk, some]) => findInShard(table, pk, some));
  return unindexed.flat();
}

async function findInShard<E extends Attachment>(table: Table, pk: string, edges: readonly E[]): Promise<E[]> {
  const ranges = edges
    .map(({ child }) => didKeys.parentsOf(child.name))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.from), Buffer.from(b.from)));
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bySortKey = Map.groupBy(edges, ({ child, parent }) => didKeys.parents(child, parent).GSI1SK);
  const missing = new Set(edges);
  const range = { from: first.from, to: last.to, pageSize: 2 * edges.length, where: filterByTime(edges) };
  let entries = 0;
  for await (const { items, read } of table.pages({ index: 'GSI1', pk, ...range })) {
    for (const item of items) {
      const candidates = bySortKey.get(readAttribute(item, 'GSI1SK', isText)) ?? [];
      for (const edge of candidates) if (isEntryOf(edge, item)) missing.delete(edge);
    }
    if (missing.size === 0) return [];
    entries += read;
    const found = edges.length - missing.size;
    if (entries >= maxEntriesPerEdge * Math.min(edges.length, found + maxMissing))
      return queryEach(table, [...missing]);
  }
  return [...missing];
}

/** A filter for the entries of attachments: those between them in a range are of other times. */
function filterByTime(edges: readonly Attachment[]): Range['where'] {
  const times = [...new Set(edges.map(({ createdAt }) => createdAt))];
  return times.length > maxFilteredTimes ? undefined : { attribute: 'createdAt', oneOf: times };
}

/** Queries edges one by one, because too many other entries are between them. */
async function queryEach<E extends Attachment>(table: Table, edges: readonly E[]): Promise<E[]> {
  const isIndexed = await mapLimited(edges, maxParallelQueries, async (edge) => {
    const { GSI1PK: pk, GSI1SK: sk } = didKeys.parents(edge.child, edge.parent);
    const found = await Array.fromAsync(table.query({ index: 'GSI1', pk, from: sk, to: sk }));
    return found.some((item) => isEntryOf(edge, item));
  });
  return edges.filter((_edge, index) => isIndexed[index] !== true);
}

/** Whether an entry with the key of an attachment is that attachment, and not an earlier or later one. */
const isEntryOf = ({ createdAt }: Attachment, entry: Item) => readAttribute(entry, 'createdAt', isNumber) === createdAt;
