import { randomBytes } from 'node:crypto';

import { join, type Key, shardCount } from './key-parts.ts';

/** The keys of the records of bulk requests. */
export const batchKeys = {
  record: (id: string): Key => ({ PK: batchKeys.shard(Number.parseInt(id.slice(-2), 16) % shardCount), SK: id }),
  /** A list of places; away from the records, all of which are read every few minutes. */
  list: (id: string, index: number): Key => ({ PK: batchKeys.lists(id), SK: String(index).padStart(6, '0') }),
  lists: (id: string): string => join('BATCHLISTS', id),
  shard: (shard: number): string => join('BATCH', String(shard)),
  /** The mark of a batch that recovery has found unfinished long after its begin. */
  mark: (id: string): Key => ({ PK: batchKeys.marks, SK: id }),
  marks: 'BATCHMARKS',
  /** Beside the marks: up to when there are marks. */
  progress: { PK: 'BATCHMARKS', SK: 'PROGRESS' },
} as const;

/** The id of a batch that begins now, in milliseconds; ids sort by that time. */
export function newBatchId(now: number): string {
  return leastBatchId(now) + randomBytes(6).toString('hex');
}

/** What sorts before the ids of batches that begin at a time or later, and after those of earlier ones. */
export function leastBatchId(time: number): string {
  return Math.max(0, time).toString(36).padStart(9, '0');
}

/** When a batch began, in milliseconds. */
export function batchTime(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}
