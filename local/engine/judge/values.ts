import type { AttributeValue } from '../src/values/attribute-value.ts';
import type { Random } from './random.ts';

const someTexts = ['', 'a', 'ab', 'abc', 'b', 'RAW', 'Ünï', '\u{1F600}', '\uFFFD', 'a b', '0', '10', '9'];
const someNumbers = [
  '0',
  '-0',
  '1',
  '-1',
  '1.0',
  '10',
  '9',
  '0.1',
  '0.2',
  '-1.50',
  '1e3',
  '1E-130',
  '9.9999999999999999999999999999999999999E125',
  '-9.9999999999999999999999999999999999999E+125',
  '12345678901234567890123456789012345678',
  '0.00000000000000000000000000000000000001',
  '00012.500',
  '+5',
];
const someBinaries = ['', 'AA==', 'AAA=', '/w==', 'YWJj', 'YWI='];

/** Attributes that usually have one type, so that conditions on them make sense. */
const usualTypes = {
  n: 'N',
  m: 'N',
  s: 'S',
  name: 'S',
  bytes: 'B',
  list: 'L',
  map: 'M',
  texts: 'SS',
  numbers: 'NS',
  binaries: 'BS',
  flag: 'BOOL',
  nothing: 'NULL',
  batch: 'S',
  'a.b': 'N',
  'with space': 'S',
  __proto__x: 'S',
  constructor: 'N',
  ünï: 'L',
} as const;

/** Names of attributes that are not keys; some are reserved words, some need a placeholder. */
export const attributeNames = [...Object.keys(usualTypes), '__proto__'];

type Kind = (typeof usualTypes)[keyof typeof usualTypes];

/** A typical value of an attribute. */
export function usualValue(random: Random, name: string): AttributeValue {
  if (random.chance(0.1) || !Object.hasOwn(usualTypes, name)) return anyValue(random);
  return valueOf(random, usualTypes[name as keyof typeof usualTypes], 0);
}

/** A value of any type. */
export function anyValue(random: Random, depth = 0): AttributeValue {
  const kinds: readonly (readonly [number, Kind])[] = [
    [5, 'S'],
    [5, 'N'],
    [2, 'B'],
    [2, 'BOOL'],
    [1, 'NULL'],
    [2, 'SS'],
    [2, 'NS'],
    [1, 'BS'],
    [depth < 3 ? 3 : 0, 'L'],
    [depth < 3 ? 3 : 0, 'M'],
  ];
  return valueOf(random, random.weighted(kinds), depth);
}

/** A number in one of its notations. */
export function anyNumber(random: Random): AttributeValue {
  return { N: random.chance(0.6) ? String(random.integer(-3, 12)) : random.pick(someNumbers) };
}

/** A text. */
export function anyText(random: Random): AttributeValue {
  return { S: random.pick(someTexts) };
}

function valueOf(random: Random, kind: Kind, depth: number): AttributeValue {
  switch (kind) {
    case 'S':
      return anyText(random);
    case 'N':
      return anyNumber(random);
    case 'B':
      return { B: random.pick(someBinaries) };
    case 'BOOL':
      return { BOOL: random.chance(0.5) };
    case 'NULL':
      return { NULL: true };
    case 'SS':
      return { SS: random.some(someTexts.slice(1), 1, 4) };
    case 'NS':
      return { NS: random.some(['0', '1', '2', '3.5', '-1', '1E2', '10'], 1, 4) };
    case 'BS':
      return { BS: random.some(someBinaries.slice(1), 1, 3) };
    case 'L':
      return { L: Array.from({ length: random.integer(0, 4) }, () => anyValue(random, depth + 1)) };
    case 'M':
      return { M: Object.fromEntries(members(random, depth)) };
  }
}

function members(random: Random, depth: number): [string, AttributeValue][] {
  const names = random.some(['x', 'y', 'z', 'list', 'name', 'a.b', '__proto__'], 0, 4);
  return names.map((name) => [name, name === 'x' ? anyNumber(random) : anyValue(random, depth + 1)]);
}

/** Values that DynamoDB refuses. */
const wrongValues: readonly unknown[] = [
  {},
  { S: 'a', N: '1' },
  { N: 'abc' },
  { N: '' },
  { N: '1E126' },
  { N: '1E-131' },
  { N: '123456789012345678901234567890123456789' },
  { N: ' 1' },
  { SS: [] },
  { NS: [] },
  { BS: [] },
  { SS: ['a', 'a'] },
  { NS: ['1', '1.0'] },
  { NS: ['1', 'x'] },
  { BS: ['AA==', 'AA=='] },
  { NULL: false },
  { L: [{ N: 'abc' }] },
  { M: { x: { SS: [] } } },
];

/** A value that DynamoDB refuses, typed as if it were right. */
export function wrongValue(random: Random): AttributeValue {
  return random.pick(wrongValues) as AttributeValue;
}
