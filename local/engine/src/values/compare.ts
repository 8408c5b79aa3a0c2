import { type AttributeValue, contentOf, type Item, typeOf } from './attribute-value.ts';
import { compareNumbers } from './number.ts';

/** Compares two texts in DynamoDB's order: by their UTF-8 bytes. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : Number(isSurrogate(a)) - Number(isSurrogate(b));
  }
  return left.length - right.length;
}

/** Characters beyond U+FFFF are surrogate pairs in UTF-16, and sort last. */
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

/** Compares two binary values, given as base64. */
export function compareBinaries(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left, 'base64'), Buffer.from(right, 'base64'));
}

/**
 * Compares two values of one ordered type (S, N, B): negative if the first is smaller.
 *
 * @returns undefined if the types differ or have no order.
 */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if ('S' in left && 'S' in right) return compareTexts(left.S, right.S);
  if ('N' in left && 'N' in right) return compareNumbers(left.N, right.N);
  if ('B' in left && 'B' in right) return compareBinaries(left.B, right.B);
  return undefined;
}

/** Whether two values are equal: numbers by value, sets in any order. */
export function equalValues(left: AttributeValue, right: AttributeValue): boolean {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  switch (type) {
    case 'N':
      return compareNumbers(contentOf(left) as string, contentOf(right) as string) === 0;
    case 'SS':
    case 'NS':
    case 'BS':
      return equalSets(contentOf(left) as string[], contentOf(right) as string[], type);
    case 'L': {
      const [one, other] = [contentOf(left) as AttributeValue[], contentOf(right) as AttributeValue[]];
      return one.length === other.length && one.every((member, i) => equalValues(member, other[i] as AttributeValue));
    }
    case 'M':
      return equalItems(contentOf(left) as Item, contentOf(right) as Item);
    default:
      return contentOf(left) === contentOf(right);
  }
}

/** Whether two items or maps have the same attributes with equal values. */
export function equalItems(left: Item, right: Item): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && equalValues(left[name] as AttributeValue, right[name] as AttributeValue),
    )
  );
}

function equalSets(left: readonly string[], right: readonly string[], type: 'SS' | 'NS' | 'BS'): boolean {
  if (left.length !== right.length) return false;
  const other = new Set(right);
  if (left.every((member) => other.has(member))) return true;
  return type === 'NS' && left.every((member) => right.some((one) => compareNumbers(member, one) === 0));
}
