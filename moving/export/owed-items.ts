import { isFor } from '../../infra/stream-filter.ts';
import type { Item } from '../../lib/store/items/item.ts';
import { type Store, writerOf } from '../../lib/store/open-store.ts';
import { type Consumer, consumers, endOfOwed, OwedPacks } from '../../lib/store/stream/owed-changes.ts';
import { settleRecords } from '../../lib/store/stream/read-stream.ts';
import type { StreamRecord } from '../../lib/store/stream/record.ts';
import type { LocalEngine } from '../../local/open-engine.ts';
import { openPositionFile, readers } from '../../local/stream-position.ts';
import { ask } from '../write/engine-table.ts';

/** Records of one request. */
const recordsPerRead = 1_000;

/** A data folder that nobody changes. */
interface Copy {
  readonly engine: LocalEngine;
  readonly store: Store;
  readonly folder: string;
  readonly tableName: string;
}

/**
 * The changes of a data folder that its server has not followed, as items of the table: what rules, subscriptions, usage and events
 * still owe is in its stream, and a table that is made of the export has another one.
 *
 * @param copy A copy of the folder, where all bulk requests are settled.
 */
export async function* owedItems(copy: Copy): AsyncGenerator<Item> {
  const name = JSON.stringify({ TableName: copy.tableName });
  const { Table } = await ask<{ Table: { LatestStreamArn?: string } }>(copy.engine.transport, 'DescribeTable', name);
  // It was loaded, and no server has run on it.
  if (Table.LatestStreamArn === undefined) return;
  for (const consumer of consumers) {
    const packs = new OwedPacks(consumer, await endOfOwed(copy.store.table, consumer));
    for await (const record of owedRecords(copy, Table.LatestStreamArn, consumer)) yield* packs.add(record);
    yield* packs.end();
  }
}

/** The records after the position of a consumer. */
async function* owedRecords(copy: Copy, streamArn: string, consumer: Consumer): AsyncGenerator<StreamRecord> {
  const writer = writerOf(copy.store);
  const positions = openPositionFile(copy.folder, readers[consumer]).read(streamArn);
  for (const shard of await listShards(copy, streamArn)) {
    for await (const records of readShard(copy, { StreamArn: streamArn, ShardId: shard }, positions.get(shard))) {
      yield* await settleRecords(
        writer,
        records.filter((record) => isFor(consumer, record)),
      );
    }
  }
}

async function listShards({ engine }: Copy, StreamArn: string): Promise<string[]> {
  const { StreamDescription } = await ask<{ StreamDescription: { Shards: readonly { ShardId: string }[] } }>(
    engine.transport,
    'DescribeStream',
    JSON.stringify({ StreamArn }),
  );
  return StreamDescription.Shards.map(({ ShardId }) => ShardId);
}

async function* readShard(
  { engine }: Copy,
  shard: { readonly StreamArn: string; readonly ShardId: string },
  last: string | undefined,
): AsyncGenerator<readonly StreamRecord[]> {
  const place =
    last === undefined
      ? { ShardIteratorType: 'TRIM_HORIZON' }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last };
  const begun = JSON.stringify({ ...shard, ...place });
  let { ShardIterator } = await ask<{ ShardIterator?: string }>(engine.transport, 'GetShardIterator', begun);
  while (ShardIterator !== undefined) {
    const page: { Records: readonly StreamRecord[]; NextShardIterator?: string } = await ask(
      engine.transport,
      'GetRecords',
      JSON.stringify({ ShardIterator, Limit: recordsPerRead }),
    );
    if (page.Records.length === 0) return;
    yield page.Records;
    ShardIterator = page.NextShardIterator;
  }
}
