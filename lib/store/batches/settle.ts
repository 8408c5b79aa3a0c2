import { setTimeout as sleep } from 'node:timers/promises';

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { clock } from '../../clock.ts';
import { unavailable } from '../../errors.ts';
import { log } from '../../log.ts';
import { forEachLimited } from '../../parallel.ts';
import { batchGet, keysPerGet } from '../items/batch-get.ts';
import { chunksOf } from '../items/chunks.ts';
import { DeleteCommand, GetCommand, UpdateCommand } from '../items/commands.ts';
import { eraseExpressions, type Expressions, foldExpressions, unstageExpressions } from '../items/expressions.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Change, Collision } from '../items/plan.ts';
import type { Key } from '../keys/key-parts.ts';
import { foldShared } from './fold-shared.ts';
import { getRecord, listWrittenKeys } from './list-batches.ts';
import { foldStatement, sendStatements, type Statement, statementsPerRequest } from './statements.ts';
import { writeQueuesOf } from './write-queues.ts';
import type { Writer } from './writer.ts';

/** The limit of parallel requests. */
const maxParallelRequests = 16;

/** How long a writer may take to fold its own changes before other processes do it. */
export const foldingTimeMs = 5_000;

/**
 * Folds the staged changes of a committed batch into their items; idempotent. A failure is logged, not thrown: the writes are
 * visible, since readers apply staged changes, and recovery folds them later.
 *
 * @returns Whether all changes are folded.
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
  await forEachLimited(chunksOf(changes, statementsPerRequest), maxParallelRequests, (chunk) =>
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

/** Removes an item that an aborted batch has inserted; idempotent. */
export async function eraseInsert(writer: Writer, batch: string, key: Key): Promise<void> {
  await send(writer, key, eraseExpressions(batch));
}

/** Drops a change that an aborted batch has staged; idempotent. */
export async function unstageChange(writer: Writer, batch: string, key: Key, patch: Patch): Promise<void> {
  await send(writer, key, unstageExpressions(patch, batch));
}

/** How far the cleanup of an aborted batch has come. */
interface CleanupProgress {
  /** How many of its keys were processed. */
  readonly position: number;
  /** Whether these are all keys. */
  readonly isDone: boolean;
}

/**
 * Removes the writes of an aborted batch: inserted items and staged changes, found by the keys that its record lists.
 * Idempotent, also when several processes run it concurrently.
 *
 * @param record The record of the batch.
 * @param until Time in milliseconds at which to stop; at least one request's worth of keys is processed.
 * @returns The progress; undefined where the keys are not known.
 */
export async function removeWrites(writer: Writer, record: Item, until: number): Promise<CleanupProgress | undefined> {
  const written = await listWrittenKeys(writer, record);
  if (written === undefined) return undefined;
  const keys = [...written.changed, ...written.inserted];
  let position = Number(record['position'] ?? 0);
  while (position < keys.length) {
    const found = await batchGet(writer.client, writer.tableName, keys.slice(position, position + keysPerGet));
    await forEachLimited(found, maxParallelRequests, (item) => settleItem(writer, record.SK, item, false));
    position += keysPerGet;
    if (clock.now() >= until) break;
  }
  return { position, isDone: position >= keys.length };
}

/**
 * Waits until the batch of a conflict is settled. A batch whose writer is gone is aborted, or folded, right here.
 *
 * @param until Time in milliseconds at which the wait ends.
 * @throws DatabaseException (503) when the wait has timed out.
 */
export async function waitForBatch(writer: Writer, collision: Collision, until: number): Promise<void> {
  const { batch, key } = collision;
  for (let waited = false; ; waited = true) {
    const verdict = await writer.batches.verdict(batch);
    if (verdict.state === 'committed') {
      if (verdict.at < clock.now() - foldingTimeMs) await foldItem(writer, batch, key);
      else if (!waited) await sleep(20 + Math.random() * 60);
      return;
    }
    if (verdict.state === 'aborted' || verdict.deadline < clock.now()) {
      await abortAbandoned(writer, batch, key);
      return;
    }
    if (clock.now() > until) throw unavailable(collision);
    await sleep(20 + Math.random() * 60);
  }
}

/** How long a process cleans up an abandoned batch that it has come across; recovery completes it. */
const cleanupTimeMs = 5_000;

/**
 * Aborts a batch whose writer is gone. The process that aborts it removes its writes; a later one only the write of `key`.
 *
 * @param key An item with a write of the batch.
 */
export async function abortAbandoned(writer: Writer, batch: string, key?: Key): Promise<void> {
  const end = await writer.batches.takeOver(batch);
  if (end === 'committed') return;
  const item = key === undefined ? undefined : await getItem(writer, key);
  if (item !== undefined) await settleItem(writer, batch, item, false);
  const record = end === 'aborted now' ? await getRecord(writer, batch) : undefined;
  if (record === undefined) return;
  const progress = await removeWrites(writer, record, clock.now() + cleanupTimeMs);
  if (progress?.isDone === true) await writer.batches.saveCleanupPosition(batch);
}

/** Folds the staged change of a committed batch on one item, if there is one. */
export async function foldItem(writer: Writer, batch: string, key: Key): Promise<void> {
  const item = await getItem(writer, key);
  if (item !== undefined) await settleItem(writer, batch, item, true);
}

/** Folds changes by one request; returns those that need a request of their own. */
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
    together.map(({ statement }) => ({ statement, estimateUnits: () => 1 })),
  );
  for (const [index, { change }] of together.entries()) if (answers[index]?.Error !== undefined) single.push(change);
  return single;
}

async function foldOne(writer: Writer, batch: string, change: Change): Promise<void> {
  const isShared = writeQueuesOf(writer.client).areContended([change.key]);
  if (isShared && (await foldShared(writer, batch, change, getItem))) return;
  await fold(writer, batch, change.key, change.patch);
}

/** Folds a staged change, in parts if it is large; several processes may do so concurrently. */
async function fold(writer: Writer, batch: string, key: Key, patch: Patch): Promise<void> {
  for (let left: Patch | undefined = patch; left !== undefined;) {
    const parts = foldExpressions(left, batch);
    if (await sendAll(writer, key, parts)) return;
    // Another process has folded the change or, if it has several parts, is folding it.
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

/** Folds the staged changes of committed batches on an item that was read. */
export async function foldStaged(writer: Writer, item: Item, batches: ReadonlySet<string>): Promise<void> {
  for (const batch of stagedBatches(item).toSorted()) {
    if (batches.has(batch)) await settleItem(writer, batch, item, true);
  }
}

async function settleItem(writer: Writer, batch: string, item: Item, isCommitted: boolean): Promise<void> {
  if (item.batch === batch && !isCommitted) {
    await send(writer, item, eraseExpressions(batch));
    return;
  }
  const staged = item[stagedPrefix + batch] as Patch | undefined;
  const patch = staged ?? (item.gone === batch ? { delete: true } : undefined);
  if (patch === undefined) return;
  if (isCommitted) await fold(writer, batch, item, patch);
  else await send(writer, item, unstageExpressions(patch, batch));
}

/** Sends a conditional write; returns whether its condition held. */
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
