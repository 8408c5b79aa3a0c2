import { hash } from 'node:crypto';

import { readSpacedFloat } from '../../python/number.ts';
import { parseDate } from '../../time.ts';

/*
 * Terms of metadata values that sort as the values do. The order is weak: values that differ may share a term, but a
 * greater value never has a lesser term. So a range of terms holds every value of a range of values, and possibly others:
 * a search compares the values as well (lib/domain/search/match-did.ts).
 */

/**
 * The version of the terms. An entry is found and deleted by the term of the value that its DID stores, so a change of the
 * terms needs a new version and a new index.
 */
export const termVersion = 1;

/** The kinds of values, in the order of their terms. Dates and numbers that are spelled as texts are not texts here. */
const kinds = { boolean: 'b', date: 'd', number: 'n', text: 't' } as const;

/** Longer texts are cut, and a hash of the whole text follows. */
const maxTextBytes = 200;

/** Bounds are cut before a unit could be that terms do not hold any more. */
const maxBoundBytes = maxTextBytes - 10;

/** A range of terms, and of whatever follows them in a key; both inclusive. */
export interface TermRange {
  readonly from: string;
  readonly to: string;
}

/** Sorts after every character of a term. */
const greatest = '\uFFFF';

/**
 * The term of a value. Values that a search regards as equal have the same term.
 *
 * @returns Undefined for null, lists and objects: no comparison matches them.
 */
export function orderedTermOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return `${kinds.boolean}:${value ? '1' : '0'}`;
    case 'number':
    case 'bigint':
      return numberTerm(kinds.number, value);
    case 'string': {
      const number = readSpacedFloat(value);
      if (number !== undefined) return numberTerm(kinds.number, number);
      const date = parseDate(value);
      return date === undefined ? textTerm(value) : numberTerm(kinds.date, date);
    }
    default:
      return undefined;
  }
}

/** The types of values that have terms. */
const orderedTypes: ReadonlySet<string> = new Set(['boolean', 'number', 'bigint', 'string']);

/** Whether a value has a term, which takes no time whatever its length. */
export const isOrdered = (value: unknown): boolean => orderedTypes.has(typeof value);

/** An order comparison. */
export type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';

/** The ranges, in order, that hold the terms of all values for which a comparison with `value` can be true. */
export function rangesOf(operator: OrderOperator, value: string | number | bigint | boolean): TermRange[] {
  const isUpwards = operator === 'gt' || operator === 'gte';
  if (typeof value === 'boolean') return [wholeKind('boolean')];
  if (typeof value !== 'string') return [numberRange('number', value, isUpwards)];
  const date = parseDate(value);
  if (date !== undefined) return [numberRange('date', date, isUpwards)];
  const { to } = wholeKind('text');
  const bound = textPrefix(value);
  if (!isUpwards) return [{ from: wholeKind('date').from, to: bound + greatest }];
  return [...datesAndNumbers(value <= lastOfDates, value <= lastOfNumbers), { from: bound, to }];
}

/** The ranges, in order, that hold the terms of all texts that begin with a prefix. */
export function rangesOfPrefix(prefix: string): TermRange[] {
  const bound = textPrefix(prefix);
  const ofDates = prefix === '' || /^\d/.test(prefix) || /^[A-Z]([a-z]{0,2}$|[a-z]{2},)/.test(prefix);
  const ofNumbers = prefix === '' || /^[\t-\r +\-.\d]/.test(prefix);
  return [...datesAndNumbers(ofDates, ofNumbers), { from: bound, to: bound + greatest }];
}

/** The range of all terms. */
export const allTerms: TermRange = { from: `${kinds.boolean}:`, to: `${kinds.text}:${greatest}` };

/** The terms that are in a range of both lists; the ranges of each list are in order and do not overlap. */
export function intersectRanges(some: readonly TermRange[], others: readonly TermRange[]): TermRange[] {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const from = one.from > other.from ? one.from : other.from;
      const to = one.to < other.to ? one.to : other.to;
      return from <= to ? [{ from, to }] : [];
    }),
  );
}

function wholeKind(kind: keyof typeof kinds): TermRange {
  return { from: `${kinds[kind]}:`, to: `${kinds[kind]}:${greatest}` };
}

/** No date and no number that is spelled as a text is greater. */
const lastOfDates = 'Z';
const lastOfNumbers = '9\uFFFF';

/** All dates and all numbers, which may be spelled as texts, each if they are wanted. */
function datesAndNumbers(dates: boolean, numbers: boolean): TermRange[] {
  if (!dates && !numbers) return [];
  return [{ from: wholeKind(dates ? 'date' : 'number').from, to: wholeKind(numbers ? 'number' : 'date').to }];
}

function numberRange(kind: 'date' | 'number', value: number | bigint, isUpwards: boolean): TermRange {
  const { from, to } = wholeKind(kind);
  const bound = numberTerm(kinds[kind], value);
  return isUpwards ? { from: bound, to } : { from, to: bound + greatest };
}

/** The bits of the nearest double, so that they sort as the numbers do. */
function numberTerm(kind: string, value: number | bigint): string {
  const bytes = Buffer.alloc(8);
  // Minus zero has other bits than zero.
  bytes.writeDoubleBE(Number(value) + 0);
  const bits = bytes.readBigUInt64BE();
  const isNegative = bits >> 63n === 1n;
  const sortable = isNegative ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return `${kind}:${sortable.toString(16).padStart(16, '0')}`;
}

function textTerm(text: string): string {
  const whole = escapeStart(text, maxTextBytes);
  const cut = cutText(whole, maxTextBytes);
  if (cut === whole) return `${kinds.text}:${whole}`;
  return `${kinds.text}:${cut}${hash('sha256', text, 'base64url').slice(0, 22)}`;
}

/** How the terms begin of all texts that begin with a text, and no term of a greater text sorts before it. */
const textPrefix = (text: string) => `${kinds.text}:${cutText(escapeStart(text, maxBoundBytes), maxBoundBytes)}`;

/** The escaped text, or as much of a longer one as is longer than some bytes: each unit takes one at least. */
const escapeStart = (text: string, bytes: number) => escapeText(text.slice(0, bytes + 1));

const firstPlain = '%';
const lastPlain = '\uD7FE';

/**
 * Gives texts the order in keys, by bytes of UTF-8, that they have in JavaScript, by units of UTF-16, and keeps the separator
 * of keys out of them. Each other unit becomes two, of which the first sorts before or after all plain ones.
 */
function escapeText(text: string): string {
  return text.replaceAll(/[\0-$\uD7FF-\uFFFF]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return unit < firstPlain
      ? `$${String.fromCharCode(firstPlain.charCodeAt(0) + code)}`
      : `\uD7FF${String.fromCharCode(firstEscaped + code - lastPlain.charCodeAt(0))}`;
  });
}

/** All escaped units begin here, which leaves room for them before the first that is escaped. */
const firstEscaped = 0x40_00;

function cutText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  for (let end = 0; end < text.length; end += 1) {
    bytes += Buffer.byteLength(text.charAt(end));
    if (bytes > maxBytes) return text.slice(0, end);
  }
  return text;
}
