/**
 * A catalogue whose stream a test reads by hand: a table of its own with a stream, which no server follows.
 */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { DescribeStreamOutput, GetShardIteratorOutput } from '@aws-sdk/client-dynamodb-streams';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import type { StreamRecord } from '../../lib/store/stream/record.ts';
import { localClient } from '../../local/local-client.ts';
import type { LocalEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { engineForStream, useTable } from './run.ts';
import { uniqueName } from './server.ts';

/** A table with its stream. */
export interface StreamedTable {
  /** The engine that holds it. */
  readonly engine: LocalEngine;
  readonly store: Store;
  readonly writer: Writer;
  /** The records since the last call, in their order. */
  records(): Promise<StreamRecord[]>;
}

/** Makes an empty table with a stream in the engine of the run. */
export async function newStreamedTable(): Promise<StreamedTable> {
  const engine = await engineForStream();
  const tableName = uniqueName('Streamed');
  useTable(tableName);
  const client = localClient(engine.client);
  await createTable(client, tableName);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  client.destroy();
  const documents = createClient(engine.client);
  return {
    engine,
    store: openStore({ ...engine.client, tableName }),
    writer: { client: documents, tableName, batches: new BatchLog(documents, tableName) },
    records: readerOf(engine, Table?.LatestStreamArn ?? ''),
  };
}

function readerOf({ transport }: LocalEngine, StreamArn: string): () => Promise<StreamRecord[]> {
  let next: string | undefined;
  const ask = async <T>(operation: string, input: object) =>
    JSON.parse((await transport.send(operation, JSON.stringify(input))).body) as T;
  return async () => {
    if (next === undefined) {
      const { StreamDescription } = await ask<DescribeStreamOutput>('DescribeStream', { StreamArn });
      const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
      const first = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
      next = (await ask<GetShardIteratorOutput>('GetShardIterator', first)).ShardIterator;
    }
    const found: StreamRecord[] = [];
    for (;;) {
      const { Records = [], NextShardIterator } = await ask<Page>('GetRecords', { ShardIterator: next });
      next = NextShardIterator;
      found.push(...Records);
      if (Records.length === 0) return found;
    }
  };
}

interface Page {
  readonly Records?: readonly StreamRecord[];
  readonly NextShardIterator?: string;
}
