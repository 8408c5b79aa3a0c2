import { clock } from '../../clock.ts';
import { forEachLimited } from '../../parallel.ts';
import { batchGet, keysPerGet } from '../items/batch-get.ts';
import { eraseExpressions, unstageExpressions } from '../items/expressions.ts';
import type { Item, Patch } from '../items/item.ts';
import type { Key } from '../keys/key-parts.ts';
import { getRecord, listWrittenKeys } from './list-batches.ts';
import { getItem, sendIfHolds, stagedPatch } from './stored-item.ts';
import { maxParallelRequests, type Writer } from './writer.ts';

/** Removes an item that an aborted batch has inserted; idempotent. */
export async function eraseInsert(writer: Writer, batch: string, key: Key): Promise<void> {
  await sendIfHolds(writer, key, eraseExpressions(batch));
}

/** Drops a change that an aborted batch has staged; idempotent. */
export async function unstageChange(writer: Writer, batch: string, key: Key, patch: Patch): Promise<void> {
  await sendIfHolds(writer, key, unstageExpressions(patch, batch));
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
    await forEachLimited(found, maxParallelRequests, (item) => undoOn(writer, record.SK, item));
    position += keysPerGet;
    if (clock.now() >= until) break;
  }
  return { position, isDone: position >= keys.length };
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
  if (item !== undefined) await undoOn(writer, batch, item);
  const record = end === 'aborted now' ? await getRecord(writer, batch) : undefined;
  if (record === undefined) return;
  const progress = await removeWrites(writer, record, clock.now() + cleanupTimeMs);
  if (progress?.isDone === true) await writer.batches.saveCleanupPosition(batch);
}

/** Removes the write of an aborted batch from an item that was read. */
async function undoOn(writer: Writer, batch: string, item: Item): Promise<void> {
  if (item.batch === batch) return eraseInsert(writer, batch, item);
  const patch = stagedPatch(item, batch);
  if (patch !== undefined) await unstageChange(writer, batch, item, patch);
}
