import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesCriteria } from '../../../lib/domain/search/match-did.ts';
import { readCriterion } from '../../../lib/domain/search/read-criterion.ts';
import { RucioError } from '../../../lib/errors.ts';
import type { Did } from '../../../lib/store/entities/did.ts';
import { termOf } from '../../../lib/store/items/metadata-term.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';

const seed = seedFrom('TERM_SEED');
const pairs = volumeOf('indexTerms');

const small = [5, 5n, '5', ' 5', '5.0', '+5', '05', '5e0', '0.5e1', '5_0', 50, -0, 0, '-0', '0.0', 0.1, '.1', '1e-1'];
const large = [2 ** 53, 2n ** 53n, 2 ** 60, 2n ** 60n, '1152921504606846976', '1.152921504606846976e18', 1e21, '1e21'];
const extreme = ['1e999', Infinity, '-1e999', 1e308, '1e308', 10n ** 308n, 5e-324, '5e-324'];
const dates = ['2026-11-21', '2026-11-21T00:00:00Z', '2026-11-21 00:00:00.000', 'Sat, 21 Nov 2026 00:00:00 UTC'];
const words = [true, false, 'true', 'True', 'TRUE', 'false', 'None', 'none', null, '', ' ', 'a', 'A', 'a ', ' a'];
const long = ['x'.repeat(199), 'x'.repeat(198), '9'.repeat(400), '1'.repeat(198)];
const odd = ['2026-02-30', 'h:x', 's:a', 'n:5', '\u{1F434}'];

/** Mostly spellings of a few values, so that many pairs are equal; sometimes arbitrary values. */
const spelling = fc.oneof(
  {
    weight: 50,
    arbitrary: fc.constantFrom<unknown>(...small, ...large, ...extreme, ...dates, ...words, ...long, ...odd),
  },
  fc.string(),
  fc.double({ noNaN: true }),
  fc.double({ noNaN: true }).map(String),
  fc.bigInt(),
  fc.bigInt().map(String),
);
const free = (key: string, value: unknown) => ({ columns: {}, meta: { [key]: value } }) as unknown as Did;

describe(`terms of the metadata index (TERM_SEED=${seed})`, () => {
  it('are equal for values that a search treats as equal', () => {
    let equal = 0;
    fc.assert(
      fc.property(spelling, spelling, (actual, asked) => {
        const criterion = readCriterion('colour', asked as string);
        if (criterion?.pattern !== undefined || criterion === undefined || criterion.value === null) return;
        if (!matchesCriteria(free('colour', actual), [criterion])) return;
        equal += 1;
        expect(termOf(actual)).toBe(termOf(criterion.value));
      }),
      { seed, numRuns: pairs },
    );
    expect(equal).toBeGreaterThan(pairs / 100);
  });

  it('are equal for equal values of columns', () => {
    const columns = { run_number: fc.integer(), datatype: fc.string(), transient: fc.boolean() };
    for (const [key, values] of Object.entries(columns) as [string, fc.Arbitrary<unknown>][]) {
      fc.assert(
        fc.property(values, values, fc.boolean(), (one, two, same) => {
          const actual = same ? one : two;
          const criterion = readOrNothing(key, String(one));
          const did = { columns: { [key]: actual }, meta: {} } as unknown as Did;
          if (criterion?.pattern !== undefined || criterion === undefined || criterion.value === null) return;
          if (matchesCriteria(did, [criterion])) expect(termOf(actual)).toBe(termOf(criterion.value));
        }),
        { seed, numRuns: volumeOf('indexTerms') },
      );
    }
  });

  it('differ for different values, short or long', () => {
    const values = [1, 2, 'a', 'b', true, false, '2026-11-21', '2026-11-22', 'x'.repeat(300), 'y'.repeat(300)];
    expect(new Set(values.map(termOf)).size).toBe(values.length);
    for (const term of values.map(termOf)) expect(Buffer.byteLength(term ?? '')).toBeLessThanOrEqual(200);
  });

  it('do not exist for values that no search finds by equality', () => {
    for (const value of [null, undefined, [], [1], {}, { a: 1 }]) expect(termOf(value)).toBeUndefined();
  });
});

function readOrNothing(key: string, text: string) {
  try {
    return readCriterion(key, text);
  } catch (error) {
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}
