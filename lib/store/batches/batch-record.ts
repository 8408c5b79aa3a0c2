import { itemSize } from '../items/item-size.ts';
import type { Item } from '../items/item.ts';
import { packKeys, unpackKeys } from '../items/key-list.ts';
import type { Key } from '../keys/key-parts.ts';

/** A batch whose writer has not renewed its deadline for this long is aborted. */
export const batchDeadlineMs = 60_000;

/** The longest time from the begin of a batch to its commit. */
export const maxBatchMs = 600_000;

/**
 * How long after the deadline of a batch one of its writes may still arrive. The writer sends nothing after the deadline,
 * and AWS rejects requests that were signed 15 minutes before; one minute allows for clock skew.
 */
export const latestArrivalMs = 960_000;

/** From this age on recovery keeps a mark for each unfinished batch. */
export const markedAgeMs = 900_000;

/**
 * From this age on an uncommitted batch will never be committed: the longest duration, the deadline and the latest arrival
 * are over. So a list of the unfinished batches may be as old as the rest of the horizon.
 */
export const decidedAgeMs = 1_800_000;

/** Stamps of older batches need no look-up of the record: a batch that is not in that list was committed. */
export const batchHorizonMs = 2 * decidedAgeMs;

/** Records of committed batches outlive the horizon, so a missing record always means an old batch. */
const committedLifetimeMs = 2 * batchHorizonMs;

/** Records of aborted batches outlive the stream records, which readers may read a day late. */
const abortedLifetimeMs = 25 * 3_600_000;

/** Lists of keys are needed while a batch is unfinished, also in a restored backup of the greatest age. */
const listLifetimeMs = 35 * 24 * 3_600_000;

const ttlOf = (now: number, lifetimeMs: number) => Math.ceil((now + lifetimeMs) / 1000);

/**
 * The attribute `ttl`; `now` in milliseconds. A record has none until its batch is committed, or aborted and cleaned up: it
 * stays, even if nothing runs here for long.
 */
export const recordTtl = {
  committed: (now: number) => ttlOf(now, committedLifetimeMs),
  aborted: (now: number) => ttlOf(now, abortedLifetimeMs),
  list: (now: number) => ttlOf(now, listLifetimeMs),
} as const;

/** The update of a record that renews the deadline of its batch. */
export const renewal = 'SET #deadline = :deadline';

/**
 * The state of a batch; `at` is the time of the commit in milliseconds. `isAhead`: when this process read the record, that time
 * had not come yet by its clock, so the clock of the writer was ahead, or this one is behind.
 */
export type Verdict =
  | { readonly state: 'pending'; readonly deadline: number }
  | { readonly state: 'aborted' }
  | { readonly state: 'committed'; readonly at: number; readonly isAhead?: boolean };

/** The verdict on a batch whose record has expired. */
export const committedLongAgo: Verdict = { state: 'committed', at: 0 };

/** Reads the state of a batch out of its record. */
export function toVerdict(record: Item | undefined): Verdict {
  if (record === undefined) return committedLongAgo;
  if (record['state'] === 'committed') return { state: 'committed', at: Number(record['at']) };
  if (record['state'] === 'aborted') return { state: 'aborted' };
  return { state: 'pending', deadline: Number(record['deadline']) };
}

/** The keys of the items that a batch writes. */
export interface WrittenKeys {
  readonly inserted: readonly Key[];
  readonly changed: readonly Key[];
}

/** The keys on a record take at most this much, so that every write of the record costs one unit. */
const maxRecordKeysBytes = 800;

/** The keys on one list item; an item holds 400 KB. */
const maxListBytes = 300_000;

/** The attributes that hold the keys of a batch: on its record as far as they fit, otherwise on list items. */
export interface PackedKeys {
  readonly record: Readonly<Record<string, unknown>>;
  readonly lists: readonly Readonly<Record<string, Uint8Array>>[];
}

/** Packs the keys of a batch. The record has `changed` if the batch changes anything, and the number of lists. */
export function packWrittenKeys({ inserted, changed }: WrittenKeys): PackedKeys {
  const record: Record<string, unknown> = {};
  const lists: Record<string, Uint8Array>[] = [];
  for (const [name, keys] of Object.entries({ changed, inserted })) {
    const packed = packKeys(keys);
    if (packed.length === 0) continue;
    if (itemSize({ ...record, [name]: packed }) <= maxRecordKeysBytes) record[name] = packed;
    else {
      if (name === 'changed') record[name] = new Uint8Array();
      for (let start = 0; start < packed.length; start += maxListBytes) {
        lists.push({ [name]: packed.subarray(start, start + maxListBytes) });
      }
    }
  }
  if (lists.length > 0) record['lists'] = lists.length;
  return { record, lists };
}

/**
 * Reads the keys of a batch.
 *
 * @returns Undefined where lists are missing: the writer failed before it wrote them, or they have expired.
 */
export function unpackWrittenKeys(record: Item, lists: readonly Item[]): WrittenKeys | undefined {
  if (lists.length < Number(record['lists'] ?? 0)) return undefined;
  const read = (name: string) => unpackKeys(concatenate([record, ...lists].map((item) => item[name])));
  return { inserted: read('inserted'), changed: read('changed') };
}

/** The keys that a batch changes, if its record has them all; undefined if they are on its lists. */
export function unpackChangedKeys({ changed }: Item): readonly Key[] | undefined {
  return changed instanceof Uint8Array && changed.length > 0 ? unpackKeys(changed) : undefined;
}

function concatenate(parts: readonly unknown[]): Uint8Array {
  return Buffer.concat(parts.filter((part): part is Uint8Array => part instanceof Uint8Array));
}
