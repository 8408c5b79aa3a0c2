import { describe, expect, it } from 'vitest';

import { findGrowth } from './trend.ts';

const bound = { part: 0.1, amount: 5 };
const line = (begin: number, step: number) => Array.from({ length: 40 }, (_none, at) => begin + at * step);

describe('the growth within a life of a server', () => {
  it.each([
    ['flat', line(100, 0), undefined],
    ['falling', line(100, -1), undefined],
    ['warm after a quarter', [...line(10, 9).slice(0, 10), ...line(100, 0).slice(10)], undefined],
    ['a peak', [...line(100, 0).slice(0, 20), 900, ...line(100, 0).slice(21)], undefined],
    ['within the amount', line(10, 0.1), undefined],
    ['a leak', line(100, 1), 'grew from 115 to 135'],
  ])('%s', (_name, samples, growth) => expect(findGrowth(samples, bound)).toBe(growth));
});
