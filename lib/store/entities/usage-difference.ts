import { randomBytes } from 'node:crypto';

import { addIntegers, type Integer } from '../../integer.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace, type Plan } from '../items/plan.ts';
import { hourOf, type Key } from '../keys/key-parts.ts';

/*
 * Usage is a sum and the differences behind it that are not in the sum yet (docs/adr/0011-rules-on-the-stream.md). Who
 * changes what is used inserts a difference; who folds it into the sum deletes it in the same plan.
 */

/** So many bytes in so many files; less than nothing where something has gone. */
export interface UsageDifference {
  readonly bytes: Integer;
  readonly files: Integer;
}

/** A sum as it lies in the table, and what is still to be added to it. */
export interface UsageParts {
  readonly sum: Item | undefined;
  readonly differences: readonly Item[];
}

/** Where a sum and its history lie. */
interface SumShape {
  readonly key: Key;
  /** The attribute that counts bytes; files are `files`. */
  readonly bytes: string;
  /** What else the sum says, and its history. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** The entry of the history of a time in milliseconds. */
  readonly past: (at: number) => Key;
}

/** How long the history of usage is kept, in milliseconds: three years, an entry an hour at most. */
const historyKept = 1_096 * 24 * 3_600_000;

/** When an entry of the history of usage is forgotten, in seconds since 1970. */
export function endOfHistory(at: number): number {
  return Math.ceil((at + historyKept) / 1_000);
}

/** What tells one difference from another. */
export const newDifferenceId = () => randomBytes(8).toString('hex');

/** The write that enters a difference. */
export function insertDifference(key: Key, { bytes, files }: UsageDifference): Insert {
  const onExists = () => new Error(`the difference ${key.SK} was entered twice`);
  return { kind: 'insert', item: { ...key, bytes, files, at: Date.now() }, onExists };
}

/** The sum of differences. */
export function sumOf(differences: readonly Item[]): UsageDifference {
  const total = (attribute: 'bytes' | 'files') =>
    differences.reduce<Integer>((sum, difference) => addIntegers(sum, difference[attribute] as Integer), 0);
  return { bytes: total('bytes'), files: total('files') };
}

/** When usage last changed, in milliseconds since 1970. */
export function changedAt({ sum, differences }: UsageParts): number {
  return Math.max(Number(sum?.['updatedAt'] ?? 0), ...differences.map(({ at }) => Number(at)));
}

/** A number that every change of usage raises, and no fold. */
export function versionOf({ sum, differences }: UsageParts): number {
  return Number(sum?.['folded'] ?? 0) + differences.length;
}

/** How many differences one plan folds. */
export interface FoldSize {
  readonly most: number;
  /** Fewer are left where they are, unless the history has no entry of their hour. */
  readonly fewest: number;
}

/**
 * The writes that fold differences: they delete them, add to the sum, and enter it in the history, which keeps the last
 * state of each hour. Of two plans that fold the same one is made anew.
 */
export function foldDifferences(
  { sum, differences }: UsageParts,
  fewest: number,
  { key, bytes, rest, past }: SumShape,
): Plan {
  const newest = changedAt({ sum: undefined, differences });
  const isInHistory = hourOf(Number(sum?.['historyAt'] ?? 0)) >= hourOf(newest);
  if (differences.length === 0 || (differences.length < fewest && isInHistory)) return [];
  const more = sumOf(differences);
  const totals = {
    ...rest,
    [bytes]: addIntegers((sum?.[bytes] ?? 0) as Integer, more.bytes),
    files: addIntegers((sum?.['files'] ?? 0) as Integer, more.files),
  };
  const updatedAt = Math.max(newest, Number(sum?.['updatedAt'] ?? 0) + 1);
  const set = { ...totals, updatedAt, historyAt: updatedAt };
  const add = { folded: differences.length };
  const last = sum?.['historyAt'] as number | undefined;
  const superseded = last !== undefined && hourOf(last) === hourOf(updatedAt) ? [drop(past(last))] : [];
  return [
    ...differences.map(drop),
    sum === undefined
      ? { kind: 'insert', item: { ...key, ...set, ...add, rev: 1 }, onExists: onRace }
      : changeSum(sum, { set, add }),
    { kind: 'insert', item: { ...past(updatedAt), ...totals, ttl: endOfHistory(updatedAt) }, onExists: onRace },
    ...superseded,
  ];
}

/** The write that changes a sum as it was read. */
export function changeSum(
  { PK, SK, rev }: Item,
  { set, add }: { readonly set: Readonly<Record<string, unknown>>; readonly add?: Readonly<Record<string, number>> },
): Change {
  return {
    kind: 'change',
    key: { PK, SK },
    patch: { set, add: { ...add, rev: 1 } },
    when: { rev },
    onMismatch: onRace,
  };
}

function drop({ PK, SK }: Key): Change {
  return { kind: 'change', key: { PK, SK }, patch: { delete: true }, onMismatch: onRace };
}

/** Somebody else has written since it was read: the plan is made anew. */
export const onRace = () => new LostRace('usage was changed in the meantime');
