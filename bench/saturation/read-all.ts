import type { Transport } from '../../local/engine/src/transport.ts';

interface Page {
  readonly Records?: readonly unknown[];
  readonly NextShardIterator: string;
}

/** Makes a reader of the stream of a table: all records since its last call. */
export async function readAll(engine: Transport, TableName: string): Promise<() => Promise<unknown[]>> {
  const ask = async <T>(operation: string, input: object) =>
    JSON.parse((await engine.send(operation, JSON.stringify(input))).body) as T;
  const { Table } = await ask<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await ask<{ StreamDescription: { Shards: readonly { ShardId: string }[] } }>(
    'DescribeStream',
    { StreamArn },
  );
  const ShardId = StreamDescription.Shards[0]?.ShardId;
  const first = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  let { ShardIterator: next } = await ask<{ ShardIterator: string }>('GetShardIterator', first);
  return async () => {
    const found: unknown[] = [];
    for (;;) {
      const { Records = [], NextShardIterator } = await ask<Page>('GetRecords', { ShardIterator: next });
      next = NextShardIterator;
      found.push(...Records);
      if (Records.length === 0) return found;
    }
  };
}
