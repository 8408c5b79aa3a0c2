import { randomBytes, randomInt } from 'node:crypto';

import { chunksOf } from '../../chunks.ts';
import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { isText, listOf, readAttribute } from '../items/read-attributes.ts';
import { didKeys, didOf, newDidOf } from '../keys/did-keys.ts';
import { shards } from '../values/shards.ts';

/** The most names of one item; each takes at most 603 bytes, so the item stays far below 400 KB. */
const namesPerItem = 500;

/**
 * How many partitions the lists of new files of an hour are spread over. Their keys ascend with time, so DynamoDB gains nothing by
 * splitting a partition: each takes 500 lists a second in transactions. Fewer than there were would hide lists.
 */
const listShardCount = 24;
const listShards = Array.from({ length: listShardCount }, (_value, shard) => shard);

/** How long lists of new files are kept. */
const lifetimeMs = 48 * 3_600_000;

/**
 * The writes that record files which are created together: lists of names, since an index entry per file would cost a write
 * each and make one partition hot.
 */
export function insertNewFiles(files: readonly DidKey[], now: number): Insert[] {
  const texts = [...new Set(files.map(({ scope, name }) => `${scope}:${name}`))];
  const writes: Insert[] = [];
  // Lists go to the shards in turn, starting at a random one, so that files spread evenly.
  const first = randomInt(listShardCount);
  for (const names of chunksOf(texts, namesPerItem)) {
    const id = randomBytes(6).toString('hex');
    const shard = (first + writes.length) % listShardCount;
    const item = { ...didKeys.newFiles(now, id, shard), names, ttl: Math.ceil((now + lifetimeMs) / 1000) };
    writes.push({
      kind: 'insert',
      item,
      onExists: () => new Error(`the list ${item.SK} of new files was written twice`),
    });
  }
  return writes;
}

/** A collection, and when it was flagged as new, in milliseconds. */
export interface NewCollection extends DidKey {
  readonly at: number;
}

/** The collections of a type that were flagged as new in an hour, by that time; `slice` by them. */
export function listNewCollections(
  table: Table,
  { type, hour }: { readonly type: Exclude<DidType, 'FILE'>; readonly hour: number },
  slice: Slice<NewCollection> = {},
): ReadyRows<NewCollection> {
  const { after, pageSize } = sliceOfShard(slice);
  const { GSI2SK } = after === undefined ? {} : didKeys.newCollection(after, type, after.at);
  const streams = shards.map((shard) =>
    table.query({ index: 'GSI2', pk: didKeys.newShard(type, hour, shard), after: GSI2SK, pageSize }),
  );
  return mapRows(mergeSorted(streams, sortKeyOf), (item) => ({
    ...didOf(item),
    at: newDidOf({ SK: sortKeyOf(item) }).at,
  }));
}

const sortKeyOf = ({ GSI2SK }: Item) => String(GSI2SK);

/** Files that were created together; they may be deleted since. */
export interface NewFiles {
  /** When they were flagged as new, in milliseconds; with the id it identifies the list. */
  readonly at: number;
  readonly id: string;
  readonly files: readonly DidKey[];
}

/** The lists of the files that were created in an hour, by creation time; `slice` by list. */
export function listNewFiles(
  table: Table,
  hour: number,
  { from, pageSize }: Slice<Pick<NewFiles, 'at' | 'id'>> = {},
): ReadyRows<NewFiles> {
  const streams = listShards.map((shard) => {
    const start = from === undefined ? {} : { from: didKeys.newFiles(from.at, from.id, shard).SK };
    return table.query({ pk: didKeys.newShard('FILE', hour, shard), ...start, pageSize });
  });
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    (item) => ({ ...newDidOf(item), files: readAttribute(item, 'names', isTextList).map(parseDid) }),
  );
}

const isTextList = listOf(isText);

function parseDid(text: string): DidKey {
  const colon = text.indexOf(':');
  return { scope: text.slice(0, colon), name: text.slice(colon + 1) };
}
