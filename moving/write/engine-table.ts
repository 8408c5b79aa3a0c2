import { parseNamed } from '../../lib/json-names.ts';
import { mapLimited } from '../../lib/parallel.ts';
import type { Transport } from '../../local/engine/src/transport.ts';

/** Requests that are sent together; the engine commits those of one turn of the event loop together. */
const requestsAtOnce = 64;

/** The stream of changes of a table. */
const streamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };

/**
 * Sends a request.
 *
 * @throws Error with the engine's answer unless it succeeds.
 */
export async function ask<T>(transport: Transport, operation: string, body: string): Promise<T> {
  const answer = await transport.send(operation, body);
  if (answer.status !== 200) throw new Error(`${operation}: ${answer.body}`);
  return parseNamed(answer.body) as T;
}

/** Sends write requests, each of which is on disk once it is answered. */
export async function sendAll(transport: Transport, bodies: readonly string[]): Promise<void> {
  await mapLimited(bodies, requestsAtOnce, (body) => ask(transport, 'BatchWriteItem', body));
}

/** Switches the stream of a table on or off; nothing happens if it is so already. */
export async function switchStream(transport: Transport, tableName: string, enabled: boolean): Promise<void> {
  const name = { TableName: tableName };
  const { Table } = await ask<{ Table: { StreamSpecification?: { StreamEnabled?: boolean } } }>(
    transport,
    'DescribeTable',
    JSON.stringify(name),
  );
  if ((Table.StreamSpecification?.StreamEnabled === true) === enabled) return;
  const wanted = enabled ? streamSpecification : { StreamEnabled: false };
  await ask(transport, 'UpdateTable', JSON.stringify({ ...name, StreamSpecification: wanted }));
}

/** Whether anything has been written to a table since its stream was switched on, in the last day. */
export async function hasChanged(transport: Transport, tableName: string): Promise<boolean> {
  const table = { TableName: tableName };
  const { Table } = await ask<{ Table: { LatestStreamArn?: string } }>(
    transport,
    'DescribeTable',
    JSON.stringify(table),
  );
  if (Table.LatestStreamArn === undefined) return false;
  const stream = { StreamArn: Table.LatestStreamArn };
  const { StreamDescription } = await ask<{ StreamDescription: { Shards: readonly { ShardId: string }[] } }>(
    transport,
    'DescribeStream',
    JSON.stringify(stream),
  );
  for (const { ShardId } of StreamDescription.Shards) {
    const start = JSON.stringify({ ...stream, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    const iterator = await ask<{ ShardIterator: string }>(transport, 'GetShardIterator', start);
    const { Records } = await ask<{ Records: readonly unknown[] }>(transport, 'GetRecords', JSON.stringify(iterator));
    if (Records.length > 0) return true;
  }
  return false;
}

/** Whether a table has any item. */
export async function hasItems(transport: Transport, tableName: string): Promise<boolean> {
  const { Count } = await ask<{ Count: number }>(transport, 'Scan', JSON.stringify({ TableName: tableName, Limit: 1 }));
  return Count > 0;
}
