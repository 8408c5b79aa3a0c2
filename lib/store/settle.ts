import { setTimeout as sleep } from 'node:timers/promises';

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../errors.ts';
import { log } from '../log.ts';
import { forEachLimited } from '../parallel.ts';
import type { KeyRange } from './batch-record.ts';
import { eraseExpressions, type Expressions, foldExpressions, unstageExpressions } from './expressions.ts';
import { stagedPrefix, type Item, type Patch } from './item.ts';
import type { Key } from './keys/key-parts.ts';
import { listRanges } from './list-batches.ts';
import type { Change, Collision } from './plan.ts';
import type { Writer } from './writer.ts';

/** Requests under way at once. */
const parallel = 16;

/** How long a writer may take to fold its own changes, in milliseconds, before somebody else does it. */
export const foldingTime = 5_000;

/**
 * Folds the staged changes of a committed batch into their items; nothing happens where that was done before. What cannot
 * be folded now is no concern of the caller's, whose writes are visible: readers apply it, and recovery folds it.
 *
 * @returns Whether all are folded.
 */
export async function foldChanges(writer: Writer, batch: string, changes: readonly Change[]): Promise<boolean> {
  const failures: unknown[] = [];
  await forEachLimited(changes, parallel, async ({ key, patch }) => {
    try {
      await fold(writer, batch, key, patch);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length === 0) return true;
  log.warn('changes of a bulk request are left to be folded later', {
    batch,
    changes: failures.length,
    because: String(failures[0]),
  });
  return false;
}

/**
 * Clears away what a finished batch left in the table: of an aborted one the inserted items and the staged changes, of
 * a committed one the staged changes, by folding them in. Safe to repeat.
 */
export async function settle(writer: Writer, batch: string): Promise<void> {
  const { state } = await writer.batches.verdict(batch);
  if (state === 'pending') throw new Error(`the batch ${batch} is still pending`);
  const ranges = await listRanges(writer, batch);
  await forEachLimited(ranges, parallel, async (range) => {
    for await (const page of leftovers(writer, batch, range)) {
      await forEachLimited(page, parallel, (item) => settleItem(writer, batch, item, state === 'committed'));
    }
  });
  if (state === 'aborted') await writer.batches.forget(batch);
}

/**
 * Waits until a batch that stood in the way is out of it. A batch whose writer is gone is given up, or brought to its
 * end, here and now.
 *
 * @param until Time in milliseconds after which waiting is given up.
 * @throws DatabaseException (503) when that time has come.
 */
export async function outlast(writer: Writer, { batch, key }: Collision, until: number): Promise<void> {
  for (let waited = false; ; waited = true) {
    const verdict = await writer.batches.verdict(batch);
    if (verdict.state === 'committed') {
      if (verdict.at < Date.now() - foldingTime) await foldItem(writer, batch, key);
      else if (!waited) await sleep(20 + Math.random() * 60);
      return;
    }
    if (verdict.state === 'aborted' || verdict.deadline < Date.now()) {
      if (await writer.batches.abort(batch)) await settle(writer, batch);
      return;
    }
    if (Date.now() > until) throw unavailable();
    await sleep(20 + Math.random() * 60);
  }
}

/** Folds what a committed batch has left on one item, if it has left something there. */
export async function foldItem(writer: Writer, batch: string, key: Key): Promise<void> {
  const item = await getItem(writer, key);
  if (item !== undefined) await settleItem(writer, batch, item, true);
}

/** Folds a staged change, in parts where it is large; several may do so at once. */
async function fold(writer: Writer, batch: string, key: Key, patch: Patch): Promise<void> {
  for (let left: Patch | undefined = patch; left !== undefined;) {
    const parts = foldExpressions(left, batch);
    if (await sendAll(writer, key, parts)) return;
    // Alone, it was folded by somebody else; a part of many, somebody else is at it.
    left = parts.length === 1 ? undefined : ((await getItem(writer, key))?.[stagedPrefix + batch] as Patch | undefined);
  }
}

async function sendAll(writer: Writer, key: Key, parts: readonly Expressions[]): Promise<boolean> {
  for (const part of parts) if (!(await send(writer, key, part))) return false;
  return true;
}

async function getItem({ client, tableName }: Writer, { PK, SK }: Key): Promise<Item | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: { PK, SK }, ConsistentRead: true }));
  return Item as Item | undefined;
}

async function* leftovers(writer: Writer, batch: string, range: KeyRange): AsyncGenerator<Item[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await writer.client.send(
      new QueryCommand({
        TableName: writer.tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        FilterExpression: '#batch = :batch OR #gone = :batch OR attribute_exists(#staged)',
        ExpressionAttributeNames: { '#batch': 'batch', '#gone': 'gone', '#staged': stagedPrefix + batch },
        ExpressionAttributeValues: { ':pk': range.pk, ':from': range.from, ':to': range.to, ':batch': batch },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    yield (page.Items ?? []) as Item[];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

async function settleItem(writer: Writer, batch: string, item: Item, committed: boolean): Promise<void> {
  if (item.batch === batch && !committed) {
    await send(writer, item, eraseExpressions(batch));
    return;
  }
  const staged = item[stagedPrefix + batch] as Patch | undefined;
  const patch = staged ?? (item.gone === batch ? { delete: true } : undefined);
  if (patch === undefined) return;
  if (committed) await fold(writer, batch, item, patch);
  else await send(writer, item, unstageExpressions(patch, batch));
}

/** Sends a conditional write; false: its condition did not hold. */
async function send(writer: Writer, { PK, SK }: Key, expressions: Expressions): Promise<boolean> {
  const { UpdateExpression, ...condition } = expressions;
  const parameters = { TableName: writer.tableName, Key: { PK, SK }, ...condition };
  try {
    await (UpdateExpression === undefined
      ? writer.client.send(new DeleteCommand(parameters))
      : writer.client.send(new UpdateCommand({ ...parameters, UpdateExpression })));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
  }
}
