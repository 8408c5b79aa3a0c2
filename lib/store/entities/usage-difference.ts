import { randomBytes } from 'node:crypto';

import { clock } from '../../clock.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace, type Plan } from '../items/plan.ts';
import { isInteger, isNumber, optional, readAttribute } from '../items/read-attributes.ts';
import { type Key } from '../keys/key-parts.ts';
import { hourOf } from '../values/hour.ts';

/*
 * Usage is a sum and the differences that are not folded into it yet (docs/adr/0011-rules-on-the-stream.md). A plan that
 * changes usage inserts a difference; the plan that folds it into the sum deletes it.
 */

/** A change of bytes and files; negative for deletions. */
export interface UsageDifference {
  readonly bytes: Integer;
  readonly files: Integer;
}

/** A stored sum, and the differences that are not folded into it. */
export interface UsageParts {
  readonly sum: Item | undefined;
  readonly differences: readonly Item[];
}

/** The keys and attributes of a sum and its history. */
interface SumShape {
  readonly key: Key;
  /** The attribute that counts bytes; files are `files`. */
  readonly bytes: string;
  /** Further attributes of the sum and of its history. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** The entry of the history of a time in milliseconds. */
  readonly past: (at: number) => Key;
}

/** How long the history of usage is kept: three years, at most one entry per hour. */
const historyLifetimeMs = 1_096 * 24 * 3_600_000;

/** The TTL of an entry of the history of usage, in seconds since 1970. */
export function historyTtl(at: number): number {
  return Math.ceil((at + historyLifetimeMs) / 1_000);
}

/** A random id of a difference. */
export const newDifferenceId = () => randomBytes(8).toString('hex');

/** The write that inserts a difference. */
export function insertDifference(key: Key, { bytes, files }: UsageDifference): Insert {
  const onExists = () => new Error(`the difference ${key.SK} was inserted twice`);
  return { kind: 'insert', item: { ...key, bytes, files, at: clock.now() }, onExists };
}

/** The sum of differences. */
export function sumOf(differences: readonly Item[]): UsageDifference {
  const total = (attribute: 'bytes' | 'files') =>
    differences.reduce<Integer>(
      (sum, difference) => addIntegers(sum, readAttribute(difference, attribute, isInteger)),
      0,
    );
  return { bytes: total('bytes'), files: total('files') };
}

/** When usage last changed, in milliseconds since 1970. */
export function changedAt({ sum, differences }: UsageParts): number {
  return Math.max(Number(sum?.['updatedAt'] ?? 0), ...differences.map(({ at }) => Number(at)));
}

/** A version that every change of usage raises, and no fold. */
export function versionOf({ sum, differences }: UsageParts): number {
  return Number(sum?.['folded'] ?? 0) + differences.length;
}

/** How many differences one plan folds. */
export interface FoldSize {
  readonly max: number;
  /** Fewer are not folded, unless the history has no entry of their hour. */
  readonly min: number;
}

/**
 * The writes that fold differences: they delete them, add them to the sum, and add the sum to the history, which keeps the
 * last state of each hour. The sum has an optimistic lock.
 */
export function foldDifferences(
  { sum, differences }: UsageParts,
  minCount: number,
  { key, bytes, rest, past }: SumShape,
): Plan {
  const newest = changedAt({ sum: undefined, differences });
  const isInHistory = hourOf(Number(sum?.['historyAt'] ?? 0)) >= hourOf(newest);
  if (differences.length === 0 || (differences.length < minCount && isInHistory)) return [];
  const added = sumOf(differences);
  const totals = {
    ...rest,
    [bytes]: addIntegers(countOf(sum, bytes), added.bytes),
    files: addIntegers(countOf(sum, 'files'), added.files),
  };
  const updatedAt = Math.max(newest, Number(sum?.['updatedAt'] ?? 0) + 1);
  const set = { ...totals, updatedAt, historyAt: updatedAt };
  const add = { folded: differences.length };
  const last = sum === undefined ? undefined : readAttribute(sum, 'historyAt', optional(isNumber));
  const superseded = last !== undefined && hourOf(last) === hourOf(updatedAt) ? [deleteItem(past(last))] : [];
  return [
    ...differences.map(deleteItem),
    sum === undefined
      ? { kind: 'insert', item: { ...key, ...set, ...add, rev: 1 }, onExists: makeRaceError }
      : changeSum(sum, { set, add }),
    { kind: 'insert', item: { ...past(updatedAt), ...totals, ttl: historyTtl(updatedAt) }, onExists: makeRaceError },
    ...superseded,
  ];
}

/** A number of a sum; 0 without one. */
function countOf(sum: Item | undefined, attribute: string): Integer {
  return sum === undefined ? 0 : (readAttribute(sum, attribute, optional(isInteger)) ?? 0);
}

/** The write that changes a sum that was read, with an optimistic lock on it. */
export function changeSum(
  { PK, SK, rev }: Item,
  { set, add }: { readonly set: Readonly<Record<string, unknown>>; readonly add?: Readonly<Record<string, number>> },
): Change {
  return {
    kind: 'change',
    key: { PK, SK },
    patch: { set, add: { ...add, rev: 1 } },
    when: { rev },
    onMismatch: makeRaceError,
  };
}

function deleteItem({ PK, SK }: Key): Change {
  return { kind: 'change', key: { PK, SK }, patch: { delete: true }, onMismatch: makeRaceError };
}

/** The error when usage has changed since it was read. */
export const makeRaceError = () => new LostRace('usage was changed concurrently');
