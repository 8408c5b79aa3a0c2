import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toAttribute, toNative } from '../../lib/store/items/attribute-values.ts';
import { unicodeText } from '../support/unicode-text.ts';

/*
 * The SDK's converter is the judge. It keeps bytes, which JSON has as base64 text, and gives integers beyond 2^53 in a type of its own.
 */

const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }));
const bytes = fc.uint8Array({ minLength: 1, maxLength: 20 });
const text = unicodeText();
const members = { minLength: 1, maxLength: 4 };
const set = fc
  .oneof(fc.uniqueArray(text, members), fc.uniqueArray(number, members), fc.array(bytes, members))
  .map((elements) => new Set<unknown>(elements));
// The SDK's converter takes this key for the prototype.
const key = fc.string().filter((name) => name !== '__proto__');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    bytes,
    set,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));

/** A value of the SDK as JSON has it. */
function withTexts(attribute: unknown): unknown {
  if (attribute instanceof Uint8Array) return Buffer.from(attribute).toString('base64');
  if (Array.isArray(attribute)) return attribute.map(withTexts);
  if (typeof attribute !== 'object' || attribute === null) return attribute;
  return Object.fromEntries(Object.entries(attribute).map(([name, member]) => [name, withTexts(member)]));
}

describe('values', () => {
  it('have the attributes that the SDK gives them, and come back', () => {
    fc.assert(
      fc.property(value, (given) => {
        const expected = convertToAttr(given, { removeUndefinedValues: true });
        const attribute = toAttribute(given);
        expect(attribute).toEqual(withTexts(expected));
        const native = toNative(attribute);
        expect(native).toEqual(convertToNative(expected));
        // Errors and records of the stream have bytes instead of text.
        expect(toNative(expected)).toEqual(native);
      }),
    );
  });

  it('stay exact as integers of any size', () => {
    const large = 2n ** 100n;
    expect(toAttribute(large)).toEqual({ N: '1267650600228229401496703205376' });
    expect(toAttribute(new Set([large, 1n]))).toEqual({ NS: ['1267650600228229401496703205376', '1'] });
    expect([toNative({ N: String(large) }), toNative({ N: '7' })]).toEqual([large, 7]);
    expect(toNative({ NS: ['1', String(large)] })).toEqual(new Set([1, large]));
  });

  it('leave undefined members and elements out', () => {
    expect(toAttribute({ a: undefined, b: [undefined, 1] })).toEqual({ M: { b: { L: [{ N: '1' }] } } });
  });

  it.each([[Number.NaN], [Infinity], [2 ** 53], [new Date(0)], [new Set()], [undefined], [Symbol('no')], [new Map()]])(
    'are refused if DynamoDB has none such: %s',
    (given) => {
      expect(() => toAttribute(given)).toThrow(TypeError);
    },
  );

  it('are refused in an answer without a type that is known', () => {
    expect(() => toNative({ X: 1 })).toThrow('an attribute without a type: X');
  });
});
