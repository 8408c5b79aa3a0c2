import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { unlimited } from '../../lib/json.ts';
import { readPythonJson, toPythonJson } from '../../lib/python/json.ts';

describe('JSON as Python writes it', () => {
  it.each([
    [{ a: 1, b: [1, 2], c: {}, d: [], e: null }, '{"a": 1, "b": [1, 2], "c": {}, "d": [], "e": null}'],
    [{ bytes: 2n ** 70n, rses: { X: ['a'] } }, '{"bytes": 1180591620717411303424, "rses": {"X": ["a"]}}'],
    [[Infinity, -Infinity, NaN, unlimited], '[Infinity, -Infinity, NaN, Infinity]'],
    [
      'a,b: "c" \\ \n\u0001\u007f é 日 \u{1F600} \ud800',
      String.raw`"a,b: \"c\" \\ \n\u0001\u007f \u00e9 \u65e5 \ud83d\ude00 \ud800"`,
    ],
    [{ absent: undefined, 'k"ey,:': true, ['x'.repeat(40)]: false }, `{"k\\"ey,:": true, "${'x'.repeat(40)}": false}`],
    ['a'.repeat(100), `"${'a'.repeat(100)}"`],
    [JSON.parse('{"__proto__": {"a": 1}}'), '{"__proto__": {"a": 1}}'],
  ])('%#', (value, text) => {
    expect(toPythonJson(value)).toBe(text);
    expect(toPythonJson([value, value])).toBe(`[${text}, ${text}]`);
  });

  it('means what it is made of, is ASCII, and has no other blanks', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), (value) => {
        const text = toPythonJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).toMatch(/^[ -~]*$/);
        // The engine's own form with line breaks, which stand in no string.
        const lines = JSON.stringify(value, null, ' ').replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
        if (/^[ -~]*$/.test(lines)) expect(text).toBe(lines);
      }),
    );
  });
});

describe('reading JSON that Python has written', () => {
  it('takes the numbers that JSON does not know as texts, and leaves texts as they are', () => {
    const text =
      '{"a": Infinity, "b": [-Infinity, NaN, "NaN \\" Infinity"], "Infinity": {"c":Infinity}, "d": 9007199254740993}';
    expect(readPythonJson(text)).toEqual({
      a: 'Infinity',
      b: ['-Infinity', 'NaN', 'NaN " Infinity'],
      Infinity: { c: 'Infinity' },
      d: 9007199254740993n,
    });
  });

  it.each(['Infinity1', '{"a": inf}', '[NaN NaN]', 'NaN"', '{Infinity: 1'])('refuses %j', (text) => {
    expect(() => readPythonJson(text)).toThrow(SyntaxError);
  });
});
