import type { Item } from './item.ts';

/** After this many milliseconds without a word from its writer a batch is given up. */
export const batchDeadline = 60_000;

/** How long a batch may take from its begin to its commit, in milliseconds; far less than {@link batchHorizon}. */
export const longestBatch = 600_000;

/** After this many milliseconds a stamp needs no look-up: whatever still carries it was committed. */
export const batchHorizon = 3_600_000;

/** Records of finished batches outlive the horizon, so that a missing one can only mean an old one. */
const recordLifetime = 2 * batchHorizon;

/** An unfinished record stays until somebody has tidied up after it, however long nothing runs here. */
const unfinishedLifetime = 366 * 24 * batchHorizon;

const ttlOf = (now: number, lifetime: number) => Math.ceil((now + lifetime) / 1000);

/** The attribute `ttl` of the record of a batch that is finished, or not yet; `now` in milliseconds. */
export const recordTtl = {
  finished: (now: number) => ttlOf(now, recordLifetime),
  unfinished: (now: number) => ttlOf(now, unfinishedLifetime),
} as const;

/** The change of a record by which a writer says that it is still at it; due by the clock, whatever it writes. */
export const renewal = 'SET #deadline = :deadline';

/** A run of sort keys in one partition in which a batch wrote; enough to find what it left behind. */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

/** The state of a batch; `at` is the time of the commit in milliseconds. */
export type Verdict =
  | { readonly state: 'pending'; readonly deadline: number }
  | { readonly state: 'aborted' }
  | { readonly state: 'committed'; readonly at: number };

/** The verdict on a batch that has no record any more. */
export const committedLongAgo: Verdict = { state: 'committed', at: 0 };

/** Reads the state of a batch out of its record. */
export function toVerdict(record: Item | undefined): Verdict {
  if (record === undefined) return committedLongAgo;
  if (record['state'] === 'committed') return { state: 'committed', at: Number(record['at']) };
  if (record['state'] === 'aborted') return { state: 'aborted' };
  return { state: 'pending', deadline: Number(record['deadline']) };
}
