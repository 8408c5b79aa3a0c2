import { addIntegers, type Integer, negate } from '../../integer.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change, Insert, Plan } from '../items/plan.ts';
import { attributesReader, isInteger, nullable } from '../items/read-attributes.ts';
import { isEncodablePart, newestFirst } from '../keys/key-parts.ts';
import { isUsageDifference, rseKeys, usageOf } from '../keys/rse-keys.ts';
import {
  changedAt,
  changeSum,
  historyTtl,
  foldDifferences,
  type FoldSize,
  insertDifference,
  newDifferenceId,
  makeRaceError,
  sumOf,
  type UsageDifference,
  type UsageParts,
  versionOf,
} from './usage-difference.ts';

/** The numbers that a source reports, in bytes and files; null: not reported. */
interface Numbers {
  readonly used: Integer | null;
  readonly free: Integer | null;
  readonly files: Integer | null;
}

/** The usage of an RSE by a source. */
export interface RseUsage extends Numbers {
  readonly source: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The past usage of an RSE by a source; `at` in milliseconds since 1970. */
export interface PastRseUsage extends Numbers {
  readonly source: string;
  readonly at: number;
}

/** The source of the catalogue itself: the sum over all replicas, with differences that are not folded yet. */
export const ownSource = 'rucio';

/** The usage of an RSE by a source. */
export async function getRseUsage(table: Table, rseId: string, source: string): Promise<RseUsage | undefined> {
  const parts = await readParts(table, rseId, source);
  return isEmpty(parts) ? undefined : toUsage(source, parts);
}

/** The catalogue's own usage of an RSE, and a version that each change raises. */
export async function getOwnUsage(
  table: Table,
  rseId: string,
): Promise<UsageDifference & { readonly version: number }> {
  const parts = await readParts(table, rseId, ownSource);
  const { used, files } = toUsage(ownSource, parts);
  return { bytes: used ?? 0, files: files ?? 0, version: versionOf(parts) };
}

/** The usage of an RSE, by source. */
export async function listRseUsages(table: Table, rseId: string): Promise<RseUsage[]> {
  const items = await Array.fromAsync(table.query({ pk: rseKeys.ofRse(rseId), ...rseKeys.usages }));
  return [...Map.groupBy(items, (item) => usageOf(item).source)]
    .map(([source, parts]) => toUsage(source, toParts(parts)))
    .toSorted((a, b) => (a.source < b.source ? -1 : 1));
}

/** The past usage of an RSE by a source, newest first; `slice` by time. */
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
  const range = { pk: rseKeys.ofRse(rseId), ...rseKeys.usageHistory(source), ...start, pageSize };
  for await (const item of table.query(range)) {
    yield { source, at: usageOf(item).at ?? 0, ...readNumbers(item) };
  }
}

/** The past usage of an RSE by all sources, newest first, then by source; `slice` by both. */
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

/** The write that inserts the first record of a source. */
export function insertRseUsage(rseId: string, usage: RseUsage): Insert {
  const { source, ...content } = usage;
  return { kind: 'insert', item: { ...rseKeys.usage(rseId, source), ...content }, onExists: makeRaceError };
}

/** The write that inserts past usage of an RSE. */
export function insertPastRseUsage(rseId: string, { source, at, used, free, files }: PastRseUsage): Insert {
  const item = { ...rseKeys.usageAt(rseId, source, at), used, free, files, ttl: historyTtl(at) };
  return { kind: 'insert', item, onExists: makeRaceError };
}

/**
 * The writes that replace the record of a source and add it to the history; none if the numbers are the same.
 *
 * @param now In milliseconds since 1970. The new record is always later than the present one, even if clocks differ.
 */
export async function setRseUsage(
  latest: Table,
  rseId: string,
  { source, ...numbers }: Numbers & { readonly source: string },
  now: number,
): Promise<Plan> {
  const parts = await readParts(latest, rseId, source);
  if (!isEmpty(parts) && areEqualNumbers(toUsage(source, parts), numbers)) return [];
  const updatedAt = Math.max(now, changedAt(parts) + 1);
  const { used, free, files } = numbers;
  const pending = sumOf(parts.differences);
  const subtract = (a: Integer | null, b: Integer) => (a === null ? null : addIntegers(a, negate(b)));
  // The reported total includes the differences that are not folded yet.
  const sum = { used: subtract(used, pending.bytes), free, files: subtract(files, pending.files), updatedAt };
  const write =
    parts.sum === undefined
      ? insertRseUsage(rseId, { source, ...sum })
      : changeSum(parts.sum, { set: sum, add: { folded: 1 } });
  return [write, insertPastRseUsage(rseId, { source, at: updatedAt, used, free, files })];
}

/** The write that changes the catalogue's own usage of an RSE. */
export function insertRseUsageDifference(rseId: string, difference: UsageDifference): Insert {
  return insertDifference(rseKeys.usageDifference(rseId, ownSource, newDifferenceId()), difference);
}

/**
 * The writes that fold the differences of an RSE into the catalogue's own usage; none if there are none.
 *
 * @param size How many differences are folded together.
 */
export async function foldRseUsage(latest: Table, rseId: string, { max, min }: FoldSize): Promise<Plan> {
  const parts = await readParts(latest, rseId, ownSource, max + 1);
  return foldDifferences(parts, min, {
    key: rseKeys.usage(rseId, ownSource),
    bytes: 'used',
    rest: { free: parts.sum?.['free'] ?? null },
    past: (at) => rseKeys.usageAt(rseId, ownSource, at),
  });
}

/** The catalogue's own usage of an RSE, and the write whose condition is that it is unchanged; no write without a sum. */
export async function confirmOwnUsage(latest: Table, rseId: string): Promise<{ used: Integer | null; write?: Change }> {
  const parts = await readParts(latest, rseId, ownSource);
  if (isEmpty(parts)) return { used: 0 };
  const { used } = toUsage(ownSource, parts);
  return parts.sum === undefined ? { used } : { used, write: changeSum(parts.sum, { set: {} }) };
}

/** A record and its differences. Only the record of the catalogue itself has differences. */
async function readParts(table: Table, rseId: string, source: string, pageSize?: number): Promise<UsageParts> {
  if (!isEncodablePart(source)) return { sum: undefined, differences: [] };
  if (source !== ownSource) return { sum: await table.get(rseKeys.usage(rseId, source)), differences: [] };
  const range = { pk: rseKeys.ofRse(rseId), ...rseKeys.usageOf(source) };
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

function areEqualNumbers(a: Numbers, b: Numbers): boolean {
  return a.used === b.used && a.free === b.free && a.files === b.files;
}

function toUsage(source: string, parts: UsageParts): RseUsage {
  const { sum, differences } = parts;
  const { used, free, files } = sum === undefined ? noNumbers : readNumbers(sum);
  const updatedAt = changedAt(parts);
  if (differences.length === 0) return { source, used, free, files, updatedAt };
  const pending = sumOf(differences);
  return {
    source,
    used: addIntegers(used ?? 0, pending.bytes),
    free,
    files: addIntegers(files ?? 0, pending.files),
    updatedAt,
  };
}

const noNumbers: Numbers = { used: null, free: null, files: null };

const readNumbers = attributesReader<Numbers>({
  used: nullable(isInteger),
  free: nullable(isInteger),
  files: nullable(isInteger),
});
