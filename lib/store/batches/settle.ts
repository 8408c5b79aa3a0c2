import { setTimeout as sleep } from 'node:timers/promises';

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../../errors.ts';
import { log } from '../../log.ts';
import { forEachLimited } from '../../parallel.ts';
import { batchGet, keysPerGet } from '../items/batch-get.ts';
import { chunksOf } from '../items/chunks.ts';
import { eraseExpressions, type Expressions, foldExpressions, unstageExpressions } from '../items/expressions.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Change, Collision } from '../items/plan.ts';
import type { Key } from '../keys/key-parts.ts';
import { foldShared } from './fold-shared.ts';
import { getRecord, listPlaces } from './list-batches.ts';
import { foldStatement, sendStatements, type Statement, statementsPerRequest } from './statements.ts';
import { turnsOf } from './turns.ts';
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
  const attempt = async (tried: readonly Change[], run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      failures.push(...tried.map(() => error));
    }
  };
  await forEachLimited(chunksOf(changes, statementsPerRequest), parallel, (chunk) =>
    attempt(chunk, async () => {
      for (const change of await foldTogether(writer, batch, chunk)) {
        await attempt([change], () => foldOne(writer, batch, change));
      }
    }),
  );
  if (failures.length === 0) return true;
  log.warn('changes of a bulk request are left to be folded later', {
    batch,
    changes: failures.length,
    because: String(failures[0]),
  });
  return false;
}

/** Removes an item that an aborted batch has inserted; nothing happens where it is not there. */
export async function eraseInsert(writer: Writer, batch: string, key: Key): Promise<void> {
  await send(writer, key, eraseExpressions(batch));
}

/** Drops a change that an aborted batch has staged; nothing happens where it is not there. */
export async function unstageChange(writer: Writer, batch: string, key: Key, patch: Patch): Promise<void> {
  await send(writer, key, unstageExpressions(patch, batch));
}

/** How far an aborted batch has been looked through. */
interface Look {
  /** How many of its keys. */
  readonly position: number;
  /** Whether these are all. */
  readonly isDone: boolean;
}

/**
 * Removes what an aborted batch has left in the table: inserted items and staged changes, found by the keys that it named
 * before it wrote. Safe to repeat, and in several processes at once.
 *
 * @param record The record of the batch.
 * @param until Time in milliseconds at which to stop; a part is done in any case.
 * @returns How far it came; undefined where the keys are not known.
 */
export async function clearAway(writer: Writer, record: Item, until: number): Promise<Look | undefined> {
  const places = await listPlaces(writer, record);
  if (places === undefined) return undefined;
  const keys = [...places.changed, ...places.inserted];
  let position = Number(record['position'] ?? 0);
  while (position < keys.length) {
    const found = await batchGet(writer.client, writer.tableName, keys.slice(position, position + keysPerGet));
    await forEachLimited(found, parallel, (item) => settleItem(writer, record.SK, item, false));
    position += keysPerGet;
    if (Date.now() >= until) break;
  }
  return { position, isDone: position >= keys.length };
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
      await endAbandoned(writer, batch, key);
      return;
    }
    if (Date.now() > until) throw unavailable();
    await sleep(20 + Math.random() * 60);
  }
}

/** How long somebody who has met an abandoned batch clears up after it, in milliseconds; recovery does the rest. */
const clearingTime = 5_000;

/**
 * Gives a batch up whose writer is gone. Who ends it clears away what it has left; who comes later, the item in his way.
 *
 * @param key An item on which something of it was met.
 */
export async function endAbandoned(writer: Writer, batch: string, key?: Key): Promise<void> {
  const end = await writer.batches.takeOver(batch);
  if (end === 'committed') return;
  const item = key === undefined ? undefined : await getItem(writer, key);
  if (item !== undefined) await settleItem(writer, batch, item, false);
  const record = end === 'aborted now' ? await getRecord(writer, batch) : undefined;
  if (record === undefined) return;
  const look = await clearAway(writer, record, Date.now() + clearingTime);
  if (look?.isDone === true) await writer.batches.noteLook(batch);
}

/** Folds what a committed batch has left on one item, if it has left something there. */
export async function foldItem(writer: Writer, batch: string, key: Key): Promise<void> {
  const item = await getItem(writer, key);
  if (item !== undefined) await settleItem(writer, batch, item, true);
}

/** Folds changes by one request; returns those that need one of their own. */
async function foldTogether(writer: Writer, batch: string, changes: readonly Change[]): Promise<Change[]> {
  const single: Change[] = [];
  const together: { change: Change; statement: Statement }[] = [];
  for (const change of changes) {
    const statement = foldStatement(writer.tableName, change.key, change.patch, batch);
    if (statement === undefined) single.push(change);
    else together.push({ change, statement });
  }
  if (together.length < 2) return [...changes];
  const { answers } = await sendStatements(
    writer,
    together.map(({ statement }) => ({ statement, units: 1 })),
  );
  for (const [index, { change }] of together.entries()) if (answers[index]?.Error !== undefined) single.push(change);
  return single;
}

async function foldOne(writer: Writer, batch: string, { key, patch }: Change): Promise<void> {
  const isShared = turnsOf(writer.client).areHot([key]);
  if (isShared && (await foldShared(writer, batch, key, (one) => getItem(writer, one)))) return;
  await fold(writer, batch, key, patch);
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

/** Folds what committed batches have left on an item as it was read. */
export async function foldStaged(writer: Writer, item: Item, batches: ReadonlySet<string>): Promise<void> {
  for (const batch of stagedBatches(item).toSorted()) {
    if (batches.has(batch)) await settleItem(writer, batch, item, true);
  }
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
