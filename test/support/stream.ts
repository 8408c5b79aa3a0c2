/**
 * A catalogue whose stream a test reads by hand: a table of its own with a stream, which no server follows.
 */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';

import { freePort, startEngine, type Engine } from '../../infra/local/dynamodb.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import { findJava } from '../../infra/local/java.ts';
import { localClient } from '../../infra/local/local-client.ts';
import { asLambdaSees } from '../../infra/local/stream-poller.ts';
import { createTable } from '../../infra/local/table.ts';
import { BatchLog } from '../../lib/store/batches.ts';
import { createClient } from '../../lib/store/client.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import type { StreamRecord } from '../../lib/store/stream/record.ts';
import type { Writer } from '../../lib/store/writer.ts';
import { uniqueName } from './server.ts';

/** A table with its stream. */
export interface StreamedTable {
  /** URL of the engine that holds it. */
  readonly endpoint: string;
  readonly store: Store;
  readonly writer: Writer;
  /** The records since the last call, in their order. */
  records(): Promise<StreamRecord[]>;
}

let engine: Promise<Engine> | undefined;

/**
 * Makes an empty table with a stream, in an engine of this process, which ends with it: to read a second stream from its
 * beginning makes DynamoDB Local ten times slower for everybody who uses it.
 */
export async function newStreamedTable(): Promise<StreamedTable> {
  const { endpoint } = await (engine ??= newEngine());
  const tableName = uniqueName('Streamed');
  setEnvironment({ endpoint, tableName });
  const client = localClient(endpoint);
  await createTable(client, tableName);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  client.destroy();
  const documents = createClient({ endpoint });
  return {
    endpoint,
    store: openStore({ endpoint, tableName }),
    writer: { client: documents, tableName, batches: new BatchLog(documents, tableName) },
    records: readerOf(endpoint, Table?.LatestStreamArn ?? ''),
  };
}

async function newEngine(): Promise<Engine> {
  return startEngine({ port: await freePort(), java: (await findJava()).command });
}

function readerOf(endpoint: string, StreamArn: string): () => Promise<StreamRecord[]> {
  const streams = new DynamoDBStreamsClient({ endpoint });
  let next: string | undefined;
  return async () => {
    if (next === undefined) {
      const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
      const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
      const first = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
      next = (await streams.send(new GetShardIteratorCommand(first))).ShardIterator;
    }
    const found: StreamRecord[] = [];
    for (;;) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator: next }));
      next = NextShardIterator;
      found.push(...Records.map(asLambdaSees));
      if (Records.length === 0) return found;
    }
  };
}
