import { createHash } from 'node:crypto';

import { validationError } from '../errors.ts';
import type { Bindings } from '../expressions/bindings.ts';
import { compileCondition, type Condition } from '../expressions/condition.ts';
import type { Output } from '../json.ts';
import { conditionOfFilter, type FilterConditions } from '../legacy/filter.ts';
import { readPage } from '../reading/page.ts';
import {
  checkStartHash,
  checkStartRange,
  readStartKey,
  readTableStart,
  type StartPlace,
} from '../reading/start-key.ts';
import { findTarget, mustFetch, type Target } from '../reading/target.ts';
import type { FoundItem } from '../storage/item-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import { bindingsOf, readItemView } from './inputs.ts';
import { reading } from './operation.ts';
import { type PageInput, requireNoPathsInKeys, showPage } from './query.ts';

interface ScanInput extends PageInput {
  readonly ScanFilter?: FilterConditions;
  readonly Segment?: number;
  readonly TotalSegments?: number;
}

export const scan = reading(({ storage, now }, input: ScanInput): Output => {
  const bindings = bindingsOf(input);
  const filter = readFilter(input, bindings);
  const shown = readItemView(input, bindings);
  bindings.requireAllUsed();
  const target = findTarget(storage.tables, input, now());
  const key = input.ExclusiveStartKey;
  if (key !== undefined && target.index !== undefined) {
    checkStartHash(key, target);
    checkStartRange(key, target);
  }
  const fetches = mustFetch(target, input.Select, shown);
  const start = key === undefined ? undefined : readStart(key, target);
  requireSegment(start, input);
  requireNoPathsInKeys(target, filter, shown);
  const page = readPage(rowsOf(storage, target, start, input), {
    limit: input.Limit ?? Infinity,
    filter,
    shown,
    countsOnly: input.Select === 'COUNT',
    fetch: fetches ? (found) => ({ ...found, ...storage.items.getById(found.id) }) : undefined,
  });
  return showPage(page, target, input);
});

function readFilter(input: ScanInput, bindings: Bindings): Condition | undefined {
  if (input.FilterExpression !== undefined)
    return compileCondition(input.FilterExpression, 'FilterExpression', bindings);
  if (input.ScanFilter === undefined) return undefined;
  return conditionOfFilter(input.ScanFilter, input.ConditionalOperator, 'ScanFilter');
}

function rowsOf(
  { items }: Storage,
  target: Target,
  start: StartPlace | undefined,
  input: ScanInput,
): Iterable<FoundItem> {
  const { table, index } = target;
  const rows = index === undefined ? items.scan(table.id, start?.key) : items.entryScan(index.id, start);
  const { Segment: segment, TotalSegments: segments } = input;
  if (segment === undefined || segments === undefined) return rows;
  return ofSegment(rows, segment, segments);
}

const readStart = (key: Item, target: Target) =>
  target.index === undefined ? readTableStart(key, target) : readStartKey(key, target);

/** @throws ValidationException for a starting key in another segment. */
function requireSegment(start: StartPlace | undefined, { Segment: segment, TotalSegments: segments }: ScanInput): void {
  if (start === undefined || segments === undefined || segmentOf(start.key.hash, segments) === segment) return;
  throw validationError(
    'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct ' +
      `Segment. TotalSegments: ${segments} Segment: ${segment}`,
  );
}

function* ofSegment(rows: Iterable<FoundItem>, segment: number, segments: number): Generator<FoundItem> {
  for (const row of rows) {
    const { hash } = 'indexKey' in row ? (row.indexKey as FoundItem['key']) : row.key;
    if (segmentOf(hash, segments) === segment) yield row;
  }
}

/** Items with one hash key are in one segment; doubling the number of segments splits each in two. */
function segmentOf(hash: Buffer, segments: number): number {
  return Math.floor((createHash('md5').update(hash).digest().readUInt32BE(0) / 2 ** 32) * segments);
}
