import type { KeyCondition } from '../expressions/key-condition.ts';
import type { Bound } from '../storage/item-store.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { encodeKeyParts, encodeKeyValue, escapeZeros } from '../values/key.ts';

/** A range of sort keys. */
export interface KeyRange {
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
}

/** The hash key of a key condition. */
export function hashOf({ hash, composite }: KeyCondition): Buffer {
  return composite === undefined ? encodeKeyValue(hash) : encodeKeyParts(composite.hash);
}

/** The sort keys that match a key condition. */
export function rangeOf({ range, composite }: KeyCondition): KeyRange {
  if (composite !== undefined) return rangeOfParts(encodeKeyParts(composite.range), range);
  if (range === undefined) return {};
  const [first, second] = range.values;
  if (first === undefined) return {};
  const bytes = encodeKeyValue(first);
  switch (range.operator) {
    case '=':
      return { from: { bytes, inclusive: true }, to: { bytes, inclusive: true } };
    case '<':
    case '<=':
      return { to: { bytes, inclusive: range.operator === '<=' } };
    case '>':
    case '>=':
      return { from: { bytes, inclusive: range.operator === '>=' } };
    case 'BETWEEN':
      return {
        from: { bytes, inclusive: true },
        to: { bytes: encodeKeyValue(second as AttributeValue), inclusive: true },
      };
    default:
      return { from: { bytes, inclusive: true }, to: endOfPrefix(bytes) };
  }
}

/** The composite sort keys with a prefix whose next attribute matches a condition. */
function rangeOfParts(prefix: Buffer, range: KeyCondition['range']): KeyRange {
  const all = { from: { bytes: prefix, inclusive: true }, to: endOfPrefix(prefix) };
  const [first, second] = range?.values ?? [];
  if (range === undefined || first === undefined) return all;
  const start = (value: AttributeValue) => Buffer.concat([prefix, encodeKeyParts([value])]);
  const from = { bytes: start(first), inclusive: true };
  const to = endOfPrefix(start(second ?? first));
  switch (range.operator) {
    case '<':
      return { ...all, to: { ...from, inclusive: false } };
    case '<=':
      return { ...all, to };
    case '>':
      return { ...all, from: to === undefined ? undefined : { ...to, inclusive: true } };
    case '>=':
      return { ...all, from };
    case 'begins_with':
      return rangeOfParts(Buffer.concat([prefix, escapeZeros(encodeKeyValue(first))]), undefined);
    default:
      return { from, to };
  }
}

/** The first bytes after all with a prefix; undefined if there are none. */
function endOfPrefix(prefix: Buffer): Bound | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return undefined;
  const bytes = Buffer.from(prefix.subarray(0, length));
  bytes[length - 1] = (bytes[length - 1] ?? 0) + 1;
  return { bytes, inclusive: false };
}

/** Whether a sort key is in a range. */
export function isInRange(key: Buffer, { from, to }: KeyRange): boolean {
  if (from !== undefined) {
    const order = Buffer.compare(key, from.bytes);
    if (order < 0 || (order === 0 && !from.inclusive)) return false;
  }
  if (to === undefined) return true;
  const order = Buffer.compare(key, to.bytes);
  return order < 0 || (order === 0 && to.inclusive);
}

/** Narrows a range to the keys after a given one, in reading order. */
export function narrowAfter(range: KeyRange, bytes: Buffer, forward: boolean): KeyRange {
  const bound = { bytes, inclusive: false };
  if (forward) return { ...range, from: bound };
  return { ...range, to: bound };
}
