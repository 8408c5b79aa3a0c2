import { randomBytes, randomInt } from 'node:crypto';

import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { mergeSorted, sliceOfShard } from '../batches/merge.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { didKeys, didOf, newDidOf } from '../keys/did-keys.ts';
import { shardCount, shards } from '../keys/key-parts.ts';

/** Names of one item; 275 bytes each at most, so that an item stays far below 400 KB. */
const namesPerItem = 500;

/** How long lists of new files are kept, in milliseconds. */
const kept = 48 * 3_600_000;

/**
 * The writes that note files which are made together: a list of names, since an index entry for each would cost a write
 * more per file and pile up in one partition.
 */
export function insertNewFiles(files: readonly DidKey[], now: number): Insert[] {
  const texts = [...new Set(files.map(({ scope, name }) => `${scope}:${name}`))];
  const writes: Insert[] = [];
  // One shard after the other from any on, so that as many files lie in as many shards whatever their lists are called.
  const first = randomInt(shardCount);
  for (let start = 0; start < texts.length; start += namesPerItem) {
    const id = randomBytes(6).toString('hex');
    const names = texts.slice(start, start + namesPerItem);
    const shard = (first + writes.length) % shardCount;
    const item = { ...didKeys.newFiles(now, id, shard), names, ttl: Math.ceil((now + kept) / 1000) };
    writes.push({
      kind: 'insert',
      item,
      onExists: () => new Error(`the list ${item.SK} of new files was written twice`),
    });
  }
  return writes;
}

/** A collection with the time at which it was flagged as new, in milliseconds. */
export interface NewCollection extends DidKey {
  readonly at: number;
}

/** The collections of a type that were made in an hour and are new, in the order of their creation; `slice` by them. */
export async function* listNewCollections(
  table: Table,
  { type, hour }: { readonly type: Exclude<DidType, 'FILE'>; readonly hour: number },
  slice: Slice<NewCollection> = {},
): AsyncGenerator<NewCollection> {
  const { after, pageSize } = sliceOfShard(slice);
  const { GSI2SK } = after === undefined ? {} : didKeys.newCollection(after, type, after.at);
  const streams = shards.map((shard) =>
    table.query({ index: 'GSI2', pk: didKeys.newShard(type, hour, shard), after: GSI2SK, pageSize }),
  );
  for await (const item of mergeSorted(streams, sortKeyOf)) {
    yield { ...didOf(item), at: newDidOf({ SK: sortKeyOf(item) }).at };
  }
}

const sortKeyOf = ({ GSI2SK }: Item) => String(GSI2SK);

/** Files that were made together; whether they are still there is not known. */
export interface NewFiles {
  /** When they were flagged as new, in milliseconds; with the id it tells one list from another. */
  readonly at: number;
  readonly id: string;
  readonly files: readonly DidKey[];
}

/** The lists of the files that were made in an hour, in the order of their creation; `slice` by list. */
export async function* listNewFiles(
  table: Table,
  hour: number,
  { from, pageSize }: Slice<Pick<NewFiles, 'at' | 'id'>> = {},
): AsyncGenerator<NewFiles> {
  const streams = shards.map((shard) => {
    const start = from === undefined ? {} : { from: didKeys.newFiles(from.at, from.id, shard).SK };
    return table.query({ pk: didKeys.newShard('FILE', hour, shard), ...start, pageSize });
  });
  for await (const item of mergeSorted(streams, ({ SK }) => SK)) {
    yield { ...newDidOf(item), files: (item['names'] as string[]).map(toDid) };
  }
}

function toDid(text: string): DidKey {
  const [scope = '', name = ''] = text.split(':');
  return { scope, name };
}
