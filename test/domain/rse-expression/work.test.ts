import { afterEach, describe, expect, it, vi } from 'vitest';

import { evaluateExpression } from '../../../lib/domain/rse-expression/evaluate-expression.ts';
import { parseExpression } from '../../../lib/domain/rse-expression/parse-expression.ts';
import { RseSet } from '../../../lib/domain/rse-expression/rse-set.ts';
import { rseOf } from './fleet.ts';

const size = 1000;
const primitives = 300;

/** RSEs with numbers that all differ, with few numbers, and with a tag. */
const newFleet = () =>
  Array.from({ length: size }, (_value, index) =>
    rseOf(`R${index}`, { attributes: { n: String(index), few: String(index % 7), all: true } }),
  );

const union = (primitiveOf: (index: number) => string) =>
  Array.from({ length: primitives }, (_value, index) => primitiveOf(index)).join('|');

describe('the work for an expression of many primitives', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['bounds from above that differ', union((index) => `n<${size - index}`)],
    ['bounds from below that differ', union((index) => `n>${index}`)],
    ['bounds between the values of few numbers', union((index) => `few<5e${index}`)],
    ['a bound, repeated', union(() => 'n>1')],
    ['values that differ', union((index) => `n=${index}`)],
    ['a value, repeated', union(() => 'few=3')],
    ['a tag, repeated', union(() => 'all')],
    ['names', union((index) => `R${index}`)],
    ['everything, repeated', union(() => '*')],
    ['a column, repeated', union(() => 'deterministic')],
    ['a type, repeated', union(() => 'rse_type=DISK')],
    ['a mask, repeated', union(() => 'availability=7')],
    ['parentheses that nest', `${'(n>1&'.repeat(primitives)}*${')'.repeat(primitives)}`],
  ])('is that of the words of their sets, beside that for the fleet: %s', (_what, text) => {
    const live = newFleet();
    const made = vi.spyOn(RseSet.prototype, 'with');
    expect(evaluateExpression(parseExpression(text), live).length).toBeGreaterThan(100);
    const positions = made.mock.calls.reduce((sum, [added]) => sum + added.length, 0);
    expect(positions).toBeGreaterThanOrEqual(size);
    expect(positions).toBeLessThan(5 * size + primitives * RseSet.ofNone(size).words);
  });
});
