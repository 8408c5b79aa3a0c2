import { type AttributeValue, type Item, typeOf } from './attribute-value.ts';
import { numberSize } from './number.ts';

/**
 * Sizes as DynamoDB counts them:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */

/** The size limit of an item. */
export const maxItemBytes = 409_600;

const textSize = (text: string) => Buffer.byteLength(text, 'utf8');

/** Bytes of a binary value, given as base64. */
export function binarySize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return (base64.length / 4) * 3 - padding;
}

/** Size of a value in an item, in bytes. */
export function valueSize(value: AttributeValue): number {
  // Most values are texts.
  if ('S' in value) return textSize(value.S);
  const type = typeOf(value);
  const content = (value as Record<string, unknown>)[type];
  switch (type) {
    case 'N':
      return numberSize(content as string);
    case 'B':
      return binarySize(content as string);
    case 'SS':
      return sum(content as string[], textSize);
    case 'NS':
      return sum(content as string[], numberSize);
    case 'BS':
      return sum(content as string[], binarySize);
    case 'L':
      return 3 + sum(content as AttributeValue[], (member) => 1 + valueSize(member));
    case 'M':
      return 3 + Object.keys(content as Item).length + itemSize(content as Item);
    default:
      return 1;
  }
}

/** Size of an item in a table, in bytes. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const name in item) size += textSize(name) + valueSize(item[name] as AttributeValue);
  return size;
}

function sum<T>(members: readonly T[], sizeOf: (member: T) => number): number {
  let size = 0;
  for (const member of members) size += sizeOf(member);
  return size;
}
