import { addIntegers, type Integer, negate } from '../../integer.ts';
import { mergeSorted } from '../batches/merge.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change, Insert, Plan } from '../items/plan.ts';
import { isEncodablePart, newestFirst } from '../keys/key-parts.ts';
import { isUsageDifference, rseKeys, usageOf } from '../keys/rse-keys.ts';
import {
  changedAt,
  changeSum,
  endOfHistory,
  foldDifferences,
  type FoldSize,
  insertDifference,
  newDifferenceId,
  onRace,
  sumOf,
  type UsageDifference,
  type UsageParts,
  versionOf,
} from './usage-difference.ts';

/** What a source says about an RSE, in bytes and files; null where it does not say. */
interface Numbers {
  readonly used: Integer | null;
  readonly free: Integer | null;
  readonly files: Integer | null;
}

/** What a source says about an RSE now. */
export interface RseUsage extends Numbers {
  readonly source: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** What a source said about an RSE at a time, in milliseconds since 1970. */
export interface PastRseUsage extends Numbers {
  readonly source: string;
  readonly at: number;
}

/** The source that is the catalogue itself: the sum of all replicas, with the differences that are not in it yet. */
export const ownSource = 'rucio';

/** What a source says about an RSE. */
export async function getRseUsage(table: Table, rseId: string, source: string): Promise<RseUsage | undefined> {
  const parts = await readParts(table, rseId, source);
  return isEmpty(parts) ? undefined : toUsage(source, parts);
}

/** What the catalogue itself says about an RSE, and a number that each change of that raises. */
export async function getOwnUsage(
  table: Table,
  rseId: string,
): Promise<UsageDifference & { readonly version: number }> {
  const parts = await readParts(table, rseId, ownSource);
  const { used, files } = toUsage(ownSource, parts);
  return { bytes: used ?? 0, files: files ?? 0, version: versionOf(parts) };
}

/** What all sources say about an RSE, by source. */
export async function listRseUsages(table: Table, rseId: string): Promise<RseUsage[]> {
  const items = await Array.fromAsync(table.query({ pk: rseKeys.hangers(rseId), ...rseKeys.usages }));
  return [...Map.groupBy(items, (item) => usageOf(item).source)]
    .map(([source, parts]) => toUsage(source, toParts(parts)))
    .toSorted((a, b) => (a.source < b.source ? -1 : 1));
}

/** What a source said about an RSE over time, newest first; `slice` by time. */
export async function* listPastRseUsages(
  table: Table,
  rseId: string,
  source: string,
  { from, after, pageSize }: Slice<number> = {},
): AsyncGenerator<PastRseUsage> {
  if (!isEncodablePart(source)) return;
  const at = (time: number) => rseKeys.usageAt(rseId, source, time).SK;
  const start = {
    ...(from === undefined ? {} : { from: at(from) }),
    ...(after === undefined ? {} : { after: at(after) }),
  };
  const range = { pk: rseKeys.hangers(rseId), ...rseKeys.usageHistory(source), ...start, pageSize };
  for await (const item of table.query(range)) {
    yield { source, at: usageOf(item).at ?? 0, ...numbersOf(item) };
  }
}

/** What all sources said about an RSE over time, newest first, then by source; `slice` by both. */
export async function* listAllPastRseUsages(
  table: Table,
  rseId: string,
  { after, pageSize }: Slice<Pick<PastRseUsage, 'at' | 'source'>> = {},
): AsyncGenerator<PastRseUsage> {
  const sources = await listRseUsages(table, rseId);
  const streams = sources.map(({ source }) => {
    const isBehind = after !== undefined && source > after.source;
    const start = isBehind ? { from: after.at } : { after: after?.at };
    return listPastRseUsages(table, rseId, source, { ...start, pageSize });
  });
  yield* mergeSorted(streams, ({ at }) => newestFirst(at));
}

/** The write that makes the first record of a source. */
export function insertRseUsage(rseId: string, usage: RseUsage): Insert {
  const { source, ...content } = usage;
  return { kind: 'insert', item: { ...rseKeys.usage(rseId, source), ...content }, onExists: onRace };
}

/**
 * The writes that replace the record of a source, and enter it in the history; none when it says nothing new.
 *
 * @param now In milliseconds since 1970; a record that was written in the same millisecond, or by a faster clock, is
 *   taken for a millisecond older.
 */
export async function setRseUsage(
  latest: Table,
  rseId: string,
  { source, ...numbers }: Numbers & { readonly source: string },
  now: number,
): Promise<Plan> {
  const parts = await readParts(latest, rseId, source);
  if (!isEmpty(parts) && sameNumbers(toUsage(source, parts), numbers)) return [];
  const updatedAt = Math.max(now, changedAt(parts) + 1);
  const { used, free, files } = numbers;
  const more = sumOf(parts.differences);
  const less = (a: Integer | null, b: Integer) => (a === null ? null : addIntegers(a, negate(b)));
  // What is still to be added is part of what is said.
  const sum = { used: less(used, more.bytes), free, files: less(files, more.files), updatedAt };
  const write =
    parts.sum === undefined
      ? insertRseUsage(rseId, { source, ...sum })
      : changeSum(parts.sum, { set: sum, add: { folded: 1 } });
  const item = { ...rseKeys.usageAt(rseId, source, updatedAt), used, free, files, ttl: endOfHistory(updatedAt) };
  return [write, { kind: 'insert', item, onExists: onRace }];
}

/** The write that changes what the catalogue itself says of an RSE. */
export function insertRseUsageDifference(rseId: string, difference: UsageDifference): Insert {
  return insertDifference(rseKeys.usageDifference(rseId, ownSource, newDifferenceId()), difference);
}

/**
 * The writes that fold differences of an RSE into what the catalogue itself says of it; none where there are none.
 *
 * @param size Differences that are folded together.
 */
export async function foldRseUsage(latest: Table, rseId: string, { most, fewest }: FoldSize): Promise<Plan> {
  const parts = await readParts(latest, rseId, ownSource, most + 1);
  return foldDifferences(parts, fewest, {
    key: rseKeys.usage(rseId, ownSource),
    bytes: 'used',
    rest: { free: parts.sum?.['free'] ?? null },
    past: (at) => rseKeys.usageAt(rseId, ownSource, at),
  });
}

/** The write that makes sure that the catalogue still says of an RSE what it said; undefined where it says nothing. */
export async function confirmOwnUsage(latest: Table, rseId: string): Promise<{ used: Integer | null; write?: Change }> {
  const parts = await readParts(latest, rseId, ownSource);
  if (isEmpty(parts)) return { used: 0 };
  const { used } = toUsage(ownSource, parts);
  return parts.sum === undefined ? { used } : { used, write: changeSum(parts.sum, { set: {} }) };
}

/** A record and its differences; only the catalogue itself has any. */
async function readParts(table: Table, rseId: string, source: string, pageSize?: number): Promise<UsageParts> {
  if (!isEncodablePart(source)) return { sum: undefined, differences: [] };
  if (source !== ownSource) return { sum: await table.get(rseKeys.usage(rseId, source)), differences: [] };
  const range = { pk: rseKeys.hangers(rseId), ...rseKeys.usageOf(source) };
  const items =
    pageSize === undefined
      ? await Array.fromAsync(table.query(range))
      : (await table.page({ ...range, pageSize })).items;
  return toParts(items.filter((item) => usageOf(item).source === source));
}

function toParts(items: readonly Item[]): UsageParts {
  return { sum: items.find((item) => !isUsageDifference(item)), differences: items.filter(isUsageDifference) };
}

const isEmpty = ({ sum, differences }: UsageParts) => sum === undefined && differences.length === 0;

function sameNumbers(a: Numbers, b: Numbers): boolean {
  return a.used === b.used && a.free === b.free && a.files === b.files;
}

function toUsage(source: string, parts: UsageParts): RseUsage {
  const { sum, differences } = parts;
  const { used, free, files } = sum === undefined ? nothing : numbersOf(sum);
  const updatedAt = changedAt(parts);
  if (differences.length === 0) return { source, used, free, files, updatedAt };
  const more = sumOf(differences);
  return {
    source,
    used: addIntegers(used ?? 0, more.bytes),
    free,
    files: addIntegers(files ?? 0, more.files),
    updatedAt,
  };
}

const nothing: Numbers = { used: null, free: null, files: null };

function numbersOf(item: Item): Numbers {
  const { used, free, files } = item as unknown as Numbers;
  return { used, free, files };
}
