import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseJson, toJson } from '../../../lib/json.ts';
import { type Literal, readLiteral } from '../../../lib/python/literal.ts';
import { unicodeText } from '../../support/unicode-text.ts';
import { volumeOf } from '../../support/volume.ts';

/** A value as Python's `repr` writes it. */
function repr(value: Literal): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, member]) => `${repr(key)}: ${repr(member)}`)
      .join(', ')}}`;
  }
  if (typeof value !== 'string') return String(value);
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(quote, `\\${quote}`);
  return quote + escaped + quote;
}

const scalar = fc.oneof(
  unicodeText().filter((text) => text.isWellFormed()),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
);
const literal: fc.Arbitrary<Literal> = fc.letrec<{ value: Literal }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

describe('Python literals (dids 3.1)', () => {
  it('are read as Python writes them', () => {
    fc.assert(
      fc.property(literal, (value) => {
        expect(readLiteral(repr(value))).toEqual(value);
      }),
      { numRuns: volumeOf('pythonLiterals') },
    );
  });

  it('include JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
        (value) => {
          const json = JSON.stringify(value);
          expect(toJson(readLiteral(json))).toBe(toJson(parseJson(json)));
        },
      ),
      { numRuns: volumeOf('pythonLiterals') },
    );
  });

  it.each([
    ["[{'name': 'raw*', 'run_number.gte': 5}]", [{ name: 'raw*', 'run_number.gte': 5 }]],
    ['{\'a\': -1.5e3, "b": (1, 2,), }', { a: -1500, b: [1, 2] }],
    [String.raw`'\x41\u00e9\U0001F600\q'`, String.raw`Aé😀\q`],
    ['1_000', 1000],
    ['9007199254740993', 9007199254740993n],
    [' True ', true],
  ])('are read: %s', (text, value) => {
    expect(readLiteral(text)).toEqual(value);
  });

  it.each([
    '',
    '[',
    '[1,,2]',
    '{1: 2}',
    "{'a' 1}",
    "'open",
    "'a\nb'",
    'name',
    '1 2',
    '__import__("os")',
    '[[['.repeat(10),
    String.raw`'\xZZ'`,
  ])('are refused: %j', (text) => {
    expect(() => readLiteral(text)).toThrow(SyntaxError);
  });

  it('give a value or a SyntaxError for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        try {
          readLiteral(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      { numRuns: volumeOf('pythonLiterals') },
    );
  });
});
