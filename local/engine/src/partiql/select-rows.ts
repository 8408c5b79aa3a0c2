import type { KeyRange } from '../reading/range.ts';
import type { StartPlace } from '../reading/start-key.ts';
import type { Target } from '../reading/target.ts';
import type { FoundItem, ItemStore } from '../storage/item-store.ts';
import type { KeyBytes } from '../values/key.ts';
import type { Segment } from './key-coverage.ts';
import { overlapOf } from './ranges.ts';

/** The order in which rows are read. */
export interface Order {
  readonly hashForward: boolean;
  readonly rangeForward: boolean;
  /** Rows are ordered by sort key first, across hash keys. */
  readonly byRange: boolean;
}

/** The rows that a SELECT reads. */
export interface Rows {
  readonly target: Target;
  /** Undefined: all rows. */
  readonly segments: readonly Segment[] | undefined;
  readonly order: Order;
  readonly start: StartPlace | undefined;
}

/** The rows that a SELECT reads, starting after the previous page. */
export function readRows(items: ItemStore, rows: Rows): Iterable<FoundItem> {
  const { target, segments, order, start } = rows;
  if (segments === undefined) {
    return target.index === undefined
      ? items.scan(target.table.id, start?.key)
      : items.entryScan(target.index.id, start);
  }
  if (order.byRange && segments.length > 1) return readSorted(items, { ...rows, segments });
  return readSegments(items, { ...rows, segments });
}

type SegmentRows = Rows & { readonly segments: readonly Segment[] };

function* readSegments(items: ItemStore, { target, segments, order, start }: SegmentRows): Generator<FoundItem> {
  for (const { hash, ranges } of order.hashForward ? segments : segments.toReversed()) {
    const place = start === undefined ? 1 : Buffer.compare(hash, start.key.hash) * (order.hashForward ? 1 : -1);
    if (place < 0) continue;
    const first = place === 0 ? start : undefined;
    for (const range of order.rangeForward ? ranges : ranges.toReversed()) {
      yield* readRange(items, { target, hash, range, forward: order.rangeForward, start: first });
    }
  }
}

interface RangeRows {
  readonly target: Target;
  readonly hash: Buffer;
  readonly range: KeyRange;
  readonly forward: boolean;
  readonly start: StartPlace | undefined;
}

function readRange(
  items: ItemStore,
  { target: { table, index }, hash, range, forward, start }: RangeRows,
): Iterable<FoundItem> {
  if (start === undefined) {
    const all = { hash, ...range, forward };
    return index === undefined ? items.rangeWithKeys(table.id, all) : items.entryRangeWithKeys(index.id, all);
  }
  const { bytes, inclusive } = { bytes: start.key.range, inclusive: index !== undefined };
  const rest = forward ? { from: { bytes, inclusive } } : { to: { bytes, inclusive } };
  const left = overlapOf(range, rest);
  if (left === undefined) return [];
  const narrowed = { hash, ...left, forward };
  return index === undefined
    ? items.rangeWithKeys(table.id, narrowed)
    : items.entryRangeWithKeys(index.id, narrowed, start);
}

/** Rows of several hash keys in the order of their sort keys; reads all of them first. */
function readSorted(items: ItemStore, rows: SegmentRows): FoundItem[] {
  const { order, start } = rows;
  const direction = order.rangeForward ? 1 : -1;
  const compare = (one: KeyBytes, other: KeyBytes) =>
    Buffer.compare(one.range, other.range) * direction || Buffer.compare(one.hash, other.hash);
  const found = [...readSegments(items, { ...rows, start: undefined })].sort((one, other) =>
    compare(placeOf(one), placeOf(other)),
  );
  if (start === undefined) return found;
  const last = found.findLastIndex((row) => {
    const place = compare(placeOf(row), start.key);
    return place < 0 || (place === 0 && compareKeys(row.key, start.itemKey) * direction <= 0);
  });
  return found.slice(last + 1);
}

function compareKeys(one: KeyBytes, other: KeyBytes): number {
  return Buffer.compare(one.hash, other.hash) || Buffer.compare(one.range, other.range);
}

/** The key in the index, or that of the table. */
function placeOf(row: FoundItem & { readonly indexKey?: KeyBytes }): KeyBytes {
  return row.indexKey ?? row.key;
}
