import { describe, expect, it } from 'vitest';

import { itemSize, valueSize } from '../../infra/local/engine/values/size.ts';

/*
 * AWS documents the size of a number as about one byte for two significant digits and one byte more. The pairs are those
 * of DynamoDB Local: they begin at the decimal point.
 */
describe('the size of a number', () => {
  it.each([
    ['0', 1],
    ['1', 2],
    ['12', 2],
    ['123', 3],
    ['1234', 3],
    ['10', 2],
    ['100', 2],
    ['110', 3],
    ['1100', 2],
    ['120000000000000', 3],
    ['1000000000000000', 2],
    ['1.5', 3],
    ['12.5', 3],
    ['1.25', 3],
    ['12.34', 3],
    ['0.1', 2],
    ['0.01', 2],
    ['0.012', 3],
    ['0.0123', 3],
    ['0.001', 2],
  ])('of %s is %i bytes', (N, bytes) => {
    expect(valueSize({ N })).toBe(bytes);
  });

  it('has a byte more for a minus', () => {
    expect(['-1', '-123', '-1.5', '-12'].map((N) => valueSize({ N }))).toEqual([3, 4, 4, 3]);
  });

  it('is 21 bytes at most', () => {
    const digits = '2345678901234567890123456789012345678';
    expect([`1.${digits}`, `-1.${digits}`, `12${digits.slice(1)}`].map((N) => valueSize({ N }))).toEqual([21, 21, 20]);
  });

  it('is the same in sets and lists', () => {
    expect(valueSize({ NS: ['0', '1.5', '-1'] })).toBe(7);
    expect(valueSize({ L: [{ N: '0' }, { S: 'ab' }] })).toBe(8);
    expect(itemSize({ id: { S: 'a' }, n: { N: '1.5' } })).toBe(7);
  });
});
