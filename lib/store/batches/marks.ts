import { clock } from '../../clock.ts';
import { DeleteCommand, PutCommand } from '../items/commands.ts';
import { batchKeys } from '../keys/batch-keys.ts';
import { recordTtl } from './batch-record.ts';
import type { Writer } from './writer.ts';

/*
 * The marks of batches that recovery found unfinished long after they began. They have a partition of their own, which is
 * small enough for every process to read regularly.
 */

type TableAccess = Pick<Writer, 'client' | 'tableName'>;

/** Marks a batch that is neither committed nor cleaned up. */
export async function markBatch({ client, tableName }: TableAccess, batch: string): Promise<void> {
  await client.send(new PutCommand({ TableName: tableName, Item: batchKeys.mark(batch) }));
}

/** Marks a batch as cleaned up. The mark stays for readers of the stream, which still delivers its writes. */
export async function markCleanedUp({ client, tableName }: TableAccess, batch: string): Promise<void> {
  const Item = { ...batchKeys.mark(batch), cleared: true, ttl: recordTtl.aborted(clock.now()) };
  await client.send(new PutCommand({ TableName: tableName, Item }));
}

/** Drops the mark of a batch that is committed and folded. */
export async function dropMark({ client, tableName }: TableAccess, batch: string): Promise<void> {
  await client.send(new DeleteCommand({ TableName: tableName, Key: batchKeys.mark(batch) }));
}

/** Saves the time before which all unfinished batches have marks. */
export async function saveMarkProgress({ client, tableName }: TableAccess, upTo: number): Promise<void> {
  await client.send(new PutCommand({ TableName: tableName, Item: { ...batchKeys.progress, upTo } }));
}
