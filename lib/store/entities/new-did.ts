import { randomBytes } from 'node:crypto';

import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { didOf, keys, shards } from '../keys.ts';
import { mergeSorted } from '../merge.ts';
import type { Insert } from '../plan.ts';
import type { Table } from '../table.ts';

/** Names of one item; 275 bytes each at most, so that an item stays far below 400 KB. */
const namesPerItem = 500;

/** How long lists of new files are kept, in milliseconds. */
const kept = 48 * 3_600_000;

/**
 * The writes that note files which are made together: a list of names, since an index entry for each would cost a write
 * more per file and pile up in one partition.
 */
export function insertNewFiles(files: readonly DidKey[], now: number): Insert[] {
  const writes: Insert[] = [];
  for (let start = 0; start < files.length; start += namesPerItem) {
    const id = randomBytes(6).toString('hex');
    const names = files.slice(start, start + namesPerItem).map(({ scope, name }) => `${scope}:${name}`);
    const item = { ...keys.newFiles(now, id), names, ttl: Math.ceil((now + kept) / 1000) };
    writes.push({
      kind: 'insert',
      item,
      onExists: () => new Error(`the list ${item.SK} of new files was written twice`),
    });
  }
  return writes;
}

/** The collections of a type that were made in an hour and are new, in the order of their creation. */
export async function* listNewCollections(
  table: Table,
  type: Exclude<DidType, 'FILE'>,
  hour: number,
  pageSize: number,
): AsyncGenerator<DidKey> {
  const streams = shards.map((shard) => table.query({ index: 'GSI2', pk: keys.newShard(type, hour, shard), pageSize }));
  for await (const item of mergeSorted(streams, ({ GSI2SK }) => String(GSI2SK))) yield didOf(item);
}

/** The files that were made in an hour, in the order of their creation; whether they are still there is not known. */
export async function* listNewFiles(table: Table, hour: number): AsyncGenerator<DidKey> {
  const streams = shards.map((shard) => table.query({ pk: keys.newShard('FILE', hour, shard), pageSize: 4 }));
  for await (const item of mergeSorted(streams, ({ SK }) => SK)) {
    for (const did of item['names'] as string[]) {
      const [scope = '', name = ''] = did.split(':');
      yield { scope, name };
    }
  }
}
