import { type AttributeValue, typeOf } from '../values/attribute-value.ts';
import { compareValues, equalValues } from '../values/compare.ts';
import { compareNumbers } from '../values/number.ts';
import { binarySize } from '../values/size.ts';
import type { Comparator } from './syntax.ts';

/** Whether a comparison of two values is true; a missing value equals none. */
export function isComparisonTrue(
  operator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return operator === '<>';
  if (operator === '=') return equalValues(left, right);
  if (operator === '<>') return !equalValues(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

/** Whether a value begins with another; defined for texts and binary values. */
export function beginsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S);
  if (!('B' in value) || !('B' in prefix)) return false;
  const bytes = toBytes(prefix.B);
  return toBytes(value.B).subarray(0, bytes.length).equals(bytes);
}

/** Whether a value contains another: part of a text or binary value, or member of a set or list. */
export function contains(value: AttributeValue, part: AttributeValue): boolean {
  switch (typeOf(value)) {
    case 'S':
      return 'S' in value && 'S' in part && value.S.includes(part.S);
    case 'B':
      return 'B' in value && 'B' in part && toBytes(value.B).includes(toBytes(part.B));
    case 'SS':
      return 'SS' in value && 'S' in part && value.SS.includes(part.S);
    case 'NS':
      return 'NS' in value && 'N' in part && value.NS.some((member) => compareNumbers(member, part.N) === 0);
    case 'BS':
      return 'BS' in value && 'B' in part && value.BS.includes(part.B);
    case 'L':
      return 'L' in value && value.L.some((member) => equalValues(member, part));
    default:
      return false;
  }
}

/** The size of a value: characters, bytes or members; undefined for types without a size. */
export function sizeOf(value: AttributeValue): number | undefined {
  if ('S' in value) return value.S.length;
  if ('B' in value) return binarySize(value.B);
  if ('SS' in value) return value.SS.length;
  if ('NS' in value) return value.NS.length;
  if ('BS' in value) return value.BS.length;
  if ('L' in value) return value.L.length;
  if ('M' in value) return Object.keys(value.M).length;
  return undefined;
}

const toBytes = (base64: string) => Buffer.from(base64, 'base64');
