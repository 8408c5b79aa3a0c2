/**
 * Generated expressions. `FUZZ_SEED` sets the seed. A failure prints its seed and the smallest failing expression.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { evaluateExpression } from '../../../lib/domain/rse-expression/evaluate-expression.ts';
import type { Expression } from '../../../lib/domain/rse-expression/expression.ts';
import { parseExpression } from '../../../lib/domain/rse-expression/parse-expression.ts';
import { RucioError } from '../../../lib/errors.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';
import { rseOf } from './fleet.ts';
import { fleets, expressions } from './generated-expressions.ts';
import { printExpression } from './print-expression.ts';

const numRuns = volumeOf('rseExpressions');
const seed = seedFrom('FUZZ_SEED');

const tag = fc.stringMatching(/^[A-Za-z0-9]{1,3}([_-][A-Za-z0-9]{1,3}){0,2}$/);
const key = fc.stringMatching(/^[A-Za-z0-9._-]{1,5}$/);
const value = fc.stringMatching(/^[A-Za-z0-9_-]{1,5}$/);
const operator = fc.constantFrom('|', '&', '\\');

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(
      fc.constant({ kind: 'everything' } as const),
      fc.record({ kind: fc.constant('tag' as const), key: tag }),
      fc.record({
        kind: fc.constant('comparison' as const),
        key,
        comparator: fc.constantFrom('=', '<', '>'),
        value,
      }),
    ),
    fc.record({ kind: fc.constant('operation' as const), operator, left: tie('expression'), right: tie('expression') }),
  ),
}));

describe(`generated RSE expressions (FUZZ_SEED=${seed})`, () => {
  it('are the same after printing and parsing', () => {
    fc.assert(
      fc.property(expression, (parsed) => {
        expect(parseExpression(printExpression(parsed))).toEqual(parsed);
      }),
      { numRuns, seed },
    );
  });

  it('have the same RSEs as with plain sets', () => {
    fc.assert(
      fc.property(expressions, fleets, ({ text, names }, fleet) => {
        const found = evaluateExpression(parseExpression(text), fleet).map(({ rse }) => rse);
        expect(found).toEqual(fleet.map(({ rse }) => rse).filter((rse) => names(fleet).has(rse)));
      }),
      { numRuns, seed },
    );
  });

  it('compare the numbers of RSEs as one by one', () => {
    const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('inf', '-inf', 'nan', 'x', '-0'));
    const comparison = fc.tuple(fc.constantFrom('<', '>'), number);
    fc.assert(
      fc.property(fc.array(number, { maxLength: 200 }), comparison, (numbers, [comparator, bound]) => {
        const fleet = numbers.map((n, index) => rseOf(`R${index}`, { attributes: { n: String(n) } }));
        const found = evaluateExpression(parseExpression(`n${comparator}${bound}`), fleet);
        const limit = toFloat(bound);
        const isBeyond = (n: number) => (comparator === '<' ? n < limit : n > limit);
        expect(found).toEqual(fleet.filter((_rse, index) => isBeyond(toFloat(numbers[index]))));
      }),
      { numRuns, seed },
    );
  });

  it('that are malformed are refused as by Rucio and its pattern', () => {
    const part = fc.constantFrom(...`( ) | & \\ * A b1 tier=1 x<2 . _ - = < > é`.split(' '), ' ', '\n');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(errorOf(text)).toBe(expectedError(text));
      }),
      { numRuns, seed },
    );
  });
});

const toFloat = (given: unknown) => Number(String(given).replace('inf', 'Infinity'));

/** The beginning of the error of a text; undefined when it is valid. */
function errorOf(text: string): string | undefined {
  try {
    parseExpression(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof RucioError)) throw error;
    return /^(Problem with parentheses|Expression does not comply to RSE Expression syntax)/.exec(error.message)?.[0];
  }
}

const term = String.raw`\(*(?:[A-Za-z0-9._-]+[=<>][A-Za-z0-9_-]+|[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*|\*)\)*`;
const pattern = new RegExp(String.raw`^${term}(?:[|&\\]${term})*$`);

/** By the grammar as a pattern, with parentheses counted separately. */
function expectedError(text: string): string | undefined {
  let open = 0;
  for (const character of text) {
    open += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (open < 0) break;
  }
  if (open !== 0) return 'Problem with parentheses';
  return pattern.test(text) ? undefined : 'Expression does not comply to RSE Expression syntax';
}
