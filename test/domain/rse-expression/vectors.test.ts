import { describe, expect, it } from 'vitest';

import { evaluateExpression } from '../../../lib/domain/rse-expression/evaluate-expression.ts';
import { parseExpression } from '../../../lib/domain/rse-expression/parse-expression.ts';
import { rseOf } from './fleet.ts';

const availability = (read: boolean, write: boolean, deletion: boolean) => ({
  availabilityRead: read,
  availabilityWrite: write,
  availabilityDelete: deletion,
});

/** The fleet of spec/rses.md 5.5, by its short names. */
const fleet = {
  AD: rseOf('ALPHA_DISK', {
    location: { country_name: 'Norway', latitude: 60, longitude: -5.5 },
    attributes: {
      country_name: 'Norway',
      tier: '1',
      country: 'NO',
      freespace: '120',
      type: 'DATADISK',
      fast: true,
      nothing: null,
      city: 'Lyon',
    },
  }),
  AT: rseOf('ALPHA_TAPE', {
    rseType: 'TAPE',
    deterministic: false,
    ...availability(true, false, true),
    attributes: { tier: '1', country: 'NO', freespace: '9000', type: 'DATATAPE' },
  }),
  BD: rseOf('BETA_DISK', {
    location: { city: 'Lyon' },
    attributes: { city: 'Lyon', tier: '2', country: 'FR', freespace: '45.5', type: 'DATADISK', fast: false },
  }),
  BS: rseOf('BETA_SCRATCH', {
    volatile: true,
    ...availability(true, false, false),
    attributes: { tier: '2', country: 'FR', freespace: 'n/a', type: 'SCRATCHDISK', fast: true },
  }),
  DE: rseOf('DELTA', {
    stagingArea: true,
    ...availability(false, false, false),
    attributes: { tier: '3', country: 'DE', freespace: '0' },
  }),
  GC: rseOf('GAMMA-CACHE', { volatile: true, attributes: { tier: '3', country: 'DE', 'owner.group': 'phys' } }),
};
const live = Object.values(fleet);
const short = new Map(Object.entries(fleet).map(([name, { rse }]) => [rse, name]));

/** The short names, in the order of the fleet. */
const shown = (expression: string) =>
  evaluateExpression(parseExpression(expression), live)
    .map(({ rse }) => short.get(rse))
    .join(' ');

/** An expression and its RSEs per line. */
const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .map(([expression = '', ...names]) => [expression, names.join(' ')] as const);

describe('RSE expressions stand for (rses 5.5)', () => {
  it.each(
    table(String.raw`
      ALPHA_DISK                                  AD
      *                                           AD AT BD BS DE GC
      tier=1                                      AD AT
      fast                                        AD BS
      fast=TRUE                                   AD BS
      rse_type=TAPE                               AT
      deterministic                               AD BD BS DE GC
      volatile=true                               BS GC
      city=Lyon                                   BD
      tier=1|tier=2&country=FR                    BD BS
      tier=1|(tier=2&type=SCRATCHDISK)            AD AT BS
      tier=1\ALPHA_TAPE|DELTA                     AD DE
      tier=1\(ALPHA_TAPE|DELTA)                   AD
      *\(tier=1|tier=2)                           DE GC
      ((ALPHA_DISK)|(BETA_DISK))&tier=1           AD
      *\fast&tier=2                               BD
      country=NO&type=DATADISK|country=DE\DELTA   AD GC
      (((tier=3)))&*                              DE GC
      tier<2|tier>2                               AD AT DE GC
      freespace>100                               AD AT
      freespace<100                               BD DE
      freespace<inf                               AD AT BD DE
      fast>0                                      AD BS
      tier>-1                                     AD AT BD BS DE GC
      availability_write                          AD BD GC
      NOPE|DELTA                                  DE
      freespace<1e3                               AD BD DE
      freespace<1_000                             AD BD DE
      fast<1                                      BD
      owner.group=phys                            GC
      staging_area                                DE
    `),
  )('%s: %s', (expression, expected) => {
    expect(shown(expression)).toBe(expected);
  });

  it.each(['fast=1', 'NOPE', 'tier=1&tier=2', 'alpha_disk', 'country=fr', 'freespace<abc', 'nosuch<5'])(
    '%s: none',
    (expression) => {
      expect(shown(expression)).toBe('');
    },
  );
});

describe('RSE expressions beyond the vectors (rses 5.3)', () => {
  it('a column hides the attribute of the same name in = and as a tag, not in < and >', () => {
    expect(shown('city=Lyon')).toBe('BD');
    expect(shown('city')).toBe('');
    expect(shown('id')).toBe('');
    expect(shown(`id=${fleet.AD.id}`)).toBe('AD');
    expect(shown('rse=DELTA')).toBe('DE');
    expect(shown('vo=def')).toBe(shown('*'));
    expect(shown('country_name=Norway|longitude=0')).toBe('AD');
    expect(shown('latitude=6e1')).toBe('AD');
    expect(shown('latitude=x')).toBe('');
    expect(shown('volatile=0')).toBe('AD AT BD DE');
    expect(shown('volatile>0')).toBe('');
    expect(shown('rse_type')).toBe('');
    for (const column of ['deleted', 'deleted_at', 'created_at', 'updated_at']) {
      expect(shown(`${column}|${column}=1|${column}=false`)).toBe('');
    }
  });

  it('availability is the mask; its higher bits are ignored (rses 2.2, 9.4)', () => {
    expect(shown('availability=7')).toBe('AD BD GC');
    expect(shown('availability=15')).toBe('AD BD GC');
    expect(shown('availability=5')).toBe('AT');
    expect(shown('availability=0')).toBe('DE');
    expect(shown('availability=x')).toBe('');
    expect(shown('availability')).toBe('');
  });

  it('availability as a tag means the mask 1, as true is 1', () => {
    const only = rseOf('DELETE_ONLY', availability(false, false, true));
    const mask = [4, 2, 1].find((bit) => evaluateExpression(parseExpression(`availability=${bit}`), [only]).length > 0);
    expect(mask).toBe(1);
    expect(evaluateExpression(parseExpression('availability'), [only])).toEqual([only]);
  });

  it('a mask is an integer without any other characters', () => {
    expect(shown('availability=x7')).toBe('');
    expect(shown('availability=7x')).toBe('');
    expect(shown('availability=-1')).toBe(shown('availability=7'));
  });

  it.each([
    ['9995', '3'],
    ['1000005', '5'],
    ['-1000003', '5'],
    ['-12', '4'],
    ['-0', '0'],
    ['-8000', '0'],
    [`${'9'.repeat(40)}7`, '5'],
  ])('the lowest bits of the integer %s are the mask %s', (integer, mask) => {
    expect(Number(BigInt(integer) & 7n)).toBe(Number(mask));
    expect(shown(`availability=${integer}`)).toBe(shown(`availability=${mask}`));
  });

  it('boolean columns accept 1, 0 and both words in any case', () => {
    expect(shown('volatile=1')).toBe('BS GC');
    expect(shown('volatile=TRUE')).toBe('BS GC');
    expect(shown('volatile=False')).toBe(shown('volatile=0'));
    expect(shown('deterministic=false')).toBe('AT');
  });

  it('attributes store false as a boolean, whatever its spelling', () => {
    expect(shown('fast=false')).toBe('BD');
    expect(shown('fast=FALSE')).toBe('BD');
  });

  it('rse_type is DISK or TAPE', () => {
    expect(shown('rse_type=DISK')).toBe('AD BD BS DE GC');
  });

  it('numbers in attributes can have blanks around them (rses 5.3)', () => {
    const padded = [' 5 ', ' inf '].map((size) => rseOf('PADDED', { attributes: { size } }));
    expect(evaluateExpression(parseExpression('size>4'), padded)).toEqual(padded);
  });

  it('null is neither a text nor a number (rses 9.4)', () => {
    expect(shown('nothing|nothing=null|nothing<5|nothing>-5')).toBe('');
  });

  it('names of members of Object.prototype are ordinary names', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(shown(`${name}=1|${name}>0|${name}<1`)).toBe('');
    }
    expect(shown('toString|hasOwnProperty|constructor=Object')).toBe('');
  });

  it.each([
    ['rse_type=tape', 'Invalid rse_type: tape'],
    ['volatile=maybe', 'Invalid boolean value: maybe'],
    ['nosuch&(DELTA|rse_type=x)', 'Invalid rse_type: x'],
  ])('%s is 400 InvalidObject', (expression, message) => {
    expect(() => shown(expression)).toThrow(expect.objectContaining({ name: 'InvalidObject', message }));
  });
});
