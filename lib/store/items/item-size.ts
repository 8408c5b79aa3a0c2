import type { Item } from './item.ts';

/*
 * DynamoDB's rules for item sizes, for what it does not report itself:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */

type Values = Readonly<Record<string, unknown>>;

const textSize = (value: string) => Buffer.byteLength(value, 'utf8');

/** Bytes that a value takes in an item. */
function valueSize(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'number':
    case 'bigint':
      return numberSize(String(value));
    case 'boolean':
      return 1;
    case 'object':
      if (value === null) return 1;
      if (value instanceof Uint8Array) return value.byteLength;
      if (value instanceof Set) return [...value].reduce<number>((sum, member) => sum + valueSize(member), 0);
      if (Array.isArray(value)) return 3 + value.reduce<number>((sum, member) => sum + 1 + valueSize(member), 0);
      return 3 + membersSize(value as Values, 1);
    default:
      return 0;
  }
}

/** No number takes more bytes. */
const maxNumberBytes = 21;

/**
 * One byte for two significant digits, one for the exponent, one for a minus sign; zero takes one. Pairs of digits begin at the
 * decimal point; a number with a fraction or an exponent may take a byte less.
 */
function numberSize(decimal: string): number {
  if (decimal === '0') return 1;
  const [, minus = '', mantissa = '', rest = ''] = /^(-?)([\d.]*)(.*)$/.exec(decimal) ?? [];
  const digits = mantissa.replace('.', '');
  const isInteger = rest === '' && digits.length === mantissa.length;
  const zeros = isInteger ? (/0*$/.exec(digits)?.[0].length ?? 0) : -2;
  return Math.min(Math.ceil(digits.length / 2) - Math.floor(zeros / 2) + 1 + minus.length, maxNumberBytes);
}

/** Bytes that an item takes in the table. */
export function itemSize(item: Values): number {
  return membersSize(item, 0);
}

/** Bytes of names and values, with some more for each. */
function membersSize(members: Values, extra: number): number {
  let size = 0;
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) size += extra + textSize(name) + valueSize(value);
  }
  return size;
}

/** Write request units of a new item: one per KB in the table, and one per KB in each index that contains it. */
export function insertUnits(item: Item): number {
  const units = Math.ceil(itemSize(item) / 1024);
  const gsi2Units = item['GSI2PK'] === undefined ? 0 : 1;
  return units + (item['GSI1PK'] === undefined ? 0 : units) + gsi2Units;
}
