import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesCriteria } from '../../../lib/domain/search/match-did.ts';
import { readCriterion } from '../../../lib/domain/search/read-criterion.ts';
import type { Did } from '../../../lib/store/entities/did.ts';
import {
  allTerms,
  intersectRanges,
  isOrdered,
  orderedTermOf,
  rangesOf,
  rangesOfPrefix,
  type TermRange,
} from '../../../lib/store/items/ordered-term.ts';
import { unicodeText } from '../../support/unicode-text.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';

const seed = seedFrom('ORDER_SEED');
const pairs = volumeOf('indexTerms');

const numbers = [
  5,
  '5',
  ' 5\t',
  '5.0',
  '05',
  '-5',
  '.5e1',
  -0,
  '0.0',
  1e-7,
  2 ** 53,
  2n ** 53n + 1n,
  10n ** 400n,
  '-1e999',
];
const dates = ['2026-11-21', '2026-11-21T00:00:00Z', 'Sat, 21 Nov 2026 00:00:00 UTC', '1969-12-31', '2026-02-30'];
const words = [
  '',
  ' ',
  'a',
  'A',
  'a b',
  'a#b',
  'a$b',
  'Z',
  'Sat',
  '\u{1F434}',
  '\uE000',
  '\uFFFF',
  '\u00a05',
  'é',
  true,
  false,
];
const long = [
  'x'.repeat(199),
  'x'.repeat(201),
  `${'x'.repeat(300)}a`,
  `${'x'.repeat(300)}b`,
  '9'.repeat(400),
  '\uD7FF'.repeat(80),
];
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<unknown>(...numbers, ...dates, ...words, ...long, null, [], { a: 1 }) },
  unicodeText(),
  fc.string(),
  fc.double({ noNaN: true }),
  fc.bigInt(),
  fc.double({ noNaN: true }).map(String),
);
const meets = (actual: unknown, entry: string, asked: unknown) => {
  const criterion = readCriterion(entry, asked as string);
  if (criterion === undefined || criterion.value === null) return undefined;
  const did = { columns: {}, meta: { colour: actual } } as unknown as Did;
  return matchesCriteria(did, [criterion]) ? criterion : undefined;
};
/** How the key of an entry with a value begins. */
const entryOf = (actual: unknown) => `${orderedTermOf(actual)}#name`;
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const holds = (ranges: readonly TermRange[], entry: string) =>
  ranges.some(({ from, to }) => byBytes(from, entry) <= 0 && byBytes(entry, to) <= 0);

describe(`ordered terms (ORDER_SEED=${seed})`, () => {
  it('are equal for values that a search treats as equal', () => {
    fc.assert(
      fc.property(value, value, fc.boolean(), (actual, other, same) => {
        const asked = same ? actual : other;
        if (typeof asked === 'object') return;
        const criterion = meets(actual, 'colour', asked);
        if (criterion?.pattern === undefined && criterion !== undefined)
          expect(orderedTermOf(actual)).toBe(orderedTermOf(criterion.value));
      }),
      { seed, numRuns: pairs },
    );
  });

  it.each(['gt', 'gte', 'lt', 'lte'] as const)('%s: the ranges hold every value that matches', (operator) => {
    let matches = 0;
    fc.assert(
      fc.property(value, value, (actual, asked) => {
        if (typeof asked === 'object' || (typeof asked === 'string' && /[*%]/.test(asked))) return;
        const criterion = meets(actual, `colour.${operator}`, asked);
        if (criterion === undefined || criterion.value === null) return;
        matches += 1;
        expect(holds(rangesOf(operator, criterion.value), entryOf(actual))).toBe(true);
      }),
      { seed, numRuns: pairs },
    );
    expect(matches).toBeGreaterThan(pairs / 50);
  });

  it('the ranges of a prefix hold every text that begins with it', () => {
    const text = fc.oneof(fc.constantFrom(...[...numbers, ...dates, ...words, ...long].map(String)), fc.string());
    fc.assert(
      fc.property(text, fc.nat(250), text, (actual, length, other) => {
        const prefix = other.length % 2 === 0 ? actual.slice(0, length) : other;
        if (actual.startsWith(prefix)) expect(holds(rangesOfPrefix(prefix), entryOf(actual))).toBe(true);
        expect(holds([allTerms], entryOf(actual))).toBe(true);
      }),
      { seed, numRuns: pairs },
    );
  });

  it('sort as numbers do, and have bytes in the order of JavaScript', () => {
    const sorted = [-Infinity, -1e300, -2, -1e-300, 0, 5e-324, 0.1, 1, 2, 10, 2 ** 53, 1e300, Infinity];
    const terms = sorted.map((number) => orderedTermOf(number) ?? '');
    expect(terms.toSorted()).toEqual(terms);
    expect(new Set(terms).size).toBe(terms.length);
    fc.assert(
      fc.property(unicodeText(), unicodeText(), (one, other) => {
        const [a, b] = [entryOf(one), entryOf(other)];
        expect(Math.sign(byBytes(a, b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      { seed, numRuns: pairs },
    );
  });

  it('are short, and differ for long texts that differ at the end', () => {
    const [a, b] = [orderedTermOf(`${'x'.repeat(300)}a`) ?? '', orderedTermOf(`${'x'.repeat(300)}b`) ?? ''];
    expect(a).not.toBe(b);
    for (const term of long.map((text) => orderedTermOf(text) ?? '')) expect(Buffer.byteLength(term)).toBeLessThan(230);
  });

  it.each([
    ['white space', `a${' '.repeat(65_000)}b`],
    ['white space after a digit', `1${' '.repeat(65_000)}b`],
    ['digits', `${'1'.repeat(65_000)}x`],
    ['digits and underscores', `${'1_'.repeat(32_000)}x`],
    ['characters that are escaped', '#'.repeat(65_000)],
  ])('take time in proportion to a text of %s', (_what, text) => {
    // In the square of it, these take longer than a test may.
    for (let round = 0; round < 100; round += 1) expect(orderedTermOf(`${text}${round}`)).toMatch(/^t:/);
  });

  it('of integers that are spelled as texts are those of the integers', () => {
    expect(orderedTermOf('1'.repeat(65_000))).toBe(orderedTermOf(Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        expect(orderedTermOf(` ${number}\t`)).toBe(orderedTermOf(number));
      }),
      { seed, numRuns: pairs },
    );
  });

  it('do not exist for values that no comparison matches', () => {
    for (const none of [null, undefined, [], [1], {}, { a: 1 }]) expect(orderedTermOf(none)).toBeUndefined();
    for (const one of [null, undefined, [], { a: 1 }, ...numbers, ...dates, ...words, ...long])
      expect(isOrdered(one)).toBe(orderedTermOf(one) !== undefined);
  });

  it('a narrow range reads no other kind of values', () => {
    expect(rangesOf('gt', 5)).toHaveLength(1);
    expect(holds(rangesOf('gt', 5), entryOf('text'))).toBe(false);
    expect(holds(rangesOf('gt', 5), entryOf(4))).toBe(false);
    expect(holds(rangesOfPrefix('AOD'), entryOf(5))).toBe(false);
    expect(holds(rangesOfPrefix('data'), entryOf('2026-11-21'))).toBe(false);
    expect(intersectRanges(rangesOf('gt', 5), rangesOf('lt', 3))).toEqual([]);
    expect(holds(intersectRanges(rangesOf('gt', 5), rangesOf('lt', 9)), entryOf(7))).toBe(true);
  });
});
