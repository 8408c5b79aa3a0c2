import { itemSize } from '../items/item-size.ts';
import type { Item } from '../items/item.ts';
import { packKeys, unpackKeys } from '../items/key-list.ts';
import type { Key } from '../keys/key-parts.ts';

/** After this many milliseconds without a word from its writer a batch is given up. */
export const batchDeadline = 60_000;

/** How long a batch may take from its begin to its commit, in milliseconds. */
export const longestBatch = 600_000;

/**
 * How long after the deadline of a batch a write of it may still arrive, in milliseconds. The writer sends nothing after
 * the deadline, and AWS takes no request that was signed a quarter of an hour before; a minute is for clocks that differ.
 */
export const latestArrival = 960_000;

/** From this age on, in milliseconds, recovery has a mark for each batch that is not finished. */
export const markedAge = 900_000;

/**
 * From this age on, in milliseconds, a batch that is not committed never will be: the longest batch, its deadline, and
 * the latest arrival are over. So the list of the unfinished ones may be as old as the rest of the horizon.
 */
export const decidedAge = 1_800_000;

/** After this many milliseconds a stamp needs no look-up of its record: a batch that is not in that list was committed. */
export const batchHorizon = 2 * decidedAge;

/** Records of committed batches outlive the horizon, so that a missing one can only mean an old one. */
const committedLifetime = 2 * batchHorizon;

/** Those of aborted ones outlive the records of the stream, whose readers may be a day late. */
const abortedLifetime = 25 * 3_600_000;

/** Lists of keys are looked at while a batch is not finished, also in a backup that is as old as backups get. */
const listLifetime = 35 * 24 * 3_600_000;

const ttlOf = (now: number, lifetime: number) => Math.ceil((now + lifetime) / 1000);

/**
 * The attribute `ttl`; `now` in milliseconds. The record of a batch that is neither committed nor known to have left nothing
 * has none: it stays, however long nothing runs here.
 */
export const recordTtl = {
  committed: (now: number) => ttlOf(now, committedLifetime),
  aborted: (now: number) => ttlOf(now, abortedLifetime),
  list: (now: number) => ttlOf(now, listLifetime),
} as const;

/** The change of a record by which a writer says that it is still at it; due by the clock, whatever it writes. */
export const renewal = 'SET #deadline = :deadline';

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

/** The items that a batch writes. */
export interface Places {
  readonly inserted: readonly Key[];
  readonly changed: readonly Key[];
}

/** Bytes of keys with which a record stays within a write unit whatever else it says, at the commit and later. */
const room = 800;

/** Bytes of keys in one list; an item holds 400 KB. */
const longestList = 300_000;

/** The attributes that hold the keys of a batch: on its record as far as there is room, and on its lists. */
export interface PackedPlaces {
  readonly record: Readonly<Record<string, unknown>>;
  readonly lists: readonly Readonly<Record<string, Uint8Array>>[];
}

/** Packs the keys of a batch. The record has `changed` whenever something is changed, and says how many lists there are. */
export function packPlaces({ inserted, changed }: Places): PackedPlaces {
  const record: Record<string, unknown> = {};
  const lists: Record<string, Uint8Array>[] = [];
  for (const [name, keys] of Object.entries({ changed, inserted })) {
    const packed = packKeys(keys);
    if (packed.length === 0) continue;
    if (itemSize({ ...record, [name]: packed }) <= room) record[name] = packed;
    else {
      if (name === 'changed') record[name] = new Uint8Array();
      for (let start = 0; start < packed.length; start += longestList) {
        lists.push({ [name]: packed.subarray(start, start + longestList) });
      }
    }
  }
  if (lists.length > 0) record['lists'] = lists.length;
  return { record, lists };
}

/**
 * Reads the keys of a batch.
 *
 * @returns Undefined where lists are missing: the writer did not get to write them, or they are over.
 */
export function unpackPlaces(record: Item, lists: readonly Item[]): Places | undefined {
  if (lists.length < Number(record['lists'] ?? 0)) return undefined;
  const read = (name: string) => unpackKeys(joined([record, ...lists].map((item) => item[name])));
  return { inserted: read('inserted'), changed: read('changed') };
}

/** The keys of what a batch changes, where its record has them all; undefined where they are on its lists. */
export function unpackChanged({ changed }: Item): readonly Key[] | undefined {
  return changed instanceof Uint8Array && changed.length > 0 ? unpackKeys(changed) : undefined;
}

function joined(parts: readonly unknown[]): Uint8Array {
  return Buffer.concat(parts.filter((part): part is Uint8Array => part instanceof Uint8Array));
}
