import { randomBytes } from 'node:crypto';

import { shardCount } from '../values/shards.ts';
import { join, type Key } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const recordPrefix = 'BATCH';
const listPrefix = 'BATCHLISTS';
const markPrefix = 'BATCHMARKS';
const progressPrefix = 'PROGRESS';

/** The keys of the records of bulk requests. */
export const batchKeys = {
  record: (id: string): Key => ({ PK: batchKeys.shard(Number.parseInt(id.slice(-2), 16) % shardCount), SK: id }),
  /** A list of keys; not in the partitions of the records, all of which are read every few minutes. */
  list: (id: string, index: number): Key => ({ PK: batchKeys.lists(id), SK: String(index).padStart(6, '0') }),
  lists: (id: string): string => join(listPrefix, id),
  shard: (shard: number): string => join(recordPrefix, String(shard)),
  /** The mark of a batch that recovery found unfinished long after it began. */
  mark: (id: string): Key => ({ PK: batchKeys.marks, SK: id }),
  marks: markPrefix,
  /** In the partition of the marks: the time up to which every unfinished batch has a mark. */
  progress: { PK: markPrefix, SK: progressPrefix },
} as const;

/** The id of a batch that begins now, in milliseconds; ids sort by that time. */
export function newBatchId(now: number): string {
  return leastBatchId(now) + randomBytes(6).toString('hex');
}

/** Sorts before the ids of batches that begin at a time or later, and after the ids of earlier ones. */
export function leastBatchId(time: number): string {
  return Math.max(0, time).toString(36).padStart(9, '0');
}

/** When a batch began, in milliseconds. */
export function batchTime(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}
