import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';

import { batchKeys } from '../keys/batch-keys.ts';
import { recordTtl } from './batch-record.ts';
import type { Writer } from './writer.ts';

/*
 * The marks of batches that were found unfinished long after their begin. They lie in one partition, apart from the records
 * of all batches, so that every process can read them now and then.
 */

type Place = Pick<Writer, 'client' | 'tableName'>;

/** Marks a batch that is neither committed nor cleared away. */
export async function markBatch({ client, tableName }: Place, batch: string): Promise<void> {
  await client.send(new PutCommand({ TableName: tableName, Item: batchKeys.mark(batch) }));
}

/** Of a marked batch nothing is left. The mark stays for readers of the stream, which tells of what was removed. */
export async function markCleared({ client, tableName }: Place, batch: string): Promise<void> {
  const Item = { ...batchKeys.mark(batch), cleared: true, ttl: recordTtl.aborted(Date.now()) };
  await client.send(new PutCommand({ TableName: tableName, Item }));
}

/** A marked batch was committed, and its changes are folded. */
export async function dropMark({ client, tableName }: Place, batch: string): Promise<void> {
  await client.send(new DeleteCommand({ TableName: tableName, Key: batchKeys.mark(batch) }));
}

/** All unfinished batches that began before a time have marks. */
export async function markProgress({ client, tableName }: Place, upTo: number): Promise<void> {
  await client.send(new PutCommand({ TableName: tableName, Item: { ...batchKeys.progress, upTo } }));
}
