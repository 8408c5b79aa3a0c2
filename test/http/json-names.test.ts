/** Names of members that are written with escapes. `NAMES_SEED` determines the texts; a failure prints its seed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseNamed } from '../../lib/json-names.ts';
import { parseJson } from '../../lib/json.ts';
import { parseNamed as parseNamedOfEngine } from '../../local/engine/src/values/json-names.ts';
import { seedFrom, volumeOf } from '../support/volume.ts';

const seed = seedFrom('NAMES_SEED');

/** A text in quotes, some characters as `\u` and four digits though they need not be. */
const quoted = (text: string, isEscaped: (at: number) => boolean) =>
  `"${text
    .split('')
    .map((character, at) =>
      isEscaped(at)
        ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
        : JSON.stringify(character).slice(1, -1),
    )
    .join('')}"`;

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'a', 'ß', '\u0000', '\ud800', '_', 'u'), maxLength: 6 }),
  fc.constantFrom('__proto__', 'toString', '1', 'name', ''),
);

interface Written {
  readonly text: string;
  readonly value: unknown;
}

const { value: documents } = fc.letrec<{ value: Written; text: Written; name: Written }>((tie) => ({
  text: fc.tuple(texts, fc.array(fc.boolean(), { maxLength: 6 })).map(([value, escapes]) => ({
    value,
    text: quoted(value, (at) => escapes[at] === true),
  })),
  name: tie('text'),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('text'),
    fc
      .constantFrom('null', 'true', 'false', '0', '-0', '-12.5', '1e-7', '1E+2')
      .map((text): Written => ({ text, value: JSON.parse(text) })),
    fc.tuple(fc.array(tie('value'), { maxLength: 3 }), fc.constantFrom('', ' ', '\n\t\r ')).map(([list, blank]) => ({
      text: `[${blank}${list.map(({ text }) => text).join(`${blank},${blank}`)}${blank}]`,
      value: list.map(({ value }) => value),
    })),
    fc
      .tuple(fc.array(fc.tuple(tie('name'), tie('value')), { maxLength: 4 }), fc.constantFrom('', ' ', '\n\t\r '))
      .map(([members, blank]) => ({
        text: `{${blank}${members.map(([name, { text }]) => `${name.text}${blank}:${blank}${text}`).join(`,${blank}`)}${blank}}`,
        value: Object.fromEntries(members.map(([name, { value }]) => [name.value, value])),
      })),
  ),
}));

/** Texts whose names are those for which V8 takes the escaped names of a text, parsed before. */
function poisonsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].flatMap(([, raw = '']) => {
    const { length } = JSON.parse(`"${raw}"`) as string;
    return raw.includes('\\') ? [`{${JSON.stringify(raw.slice(0, length))}:1}`] : [];
  });
}

const parsers: [name: string, parse: (text: string) => unknown][] = [
  ['the catalogue', parseNamed],
  ['the catalogue, with exact integers', parseJson],
  ['the engine', parseNamedOfEngine],
];

describe.each(parsers)(`names with escapes as read by %s (NAMES_SEED=${seed})`, (_name, parse) => {
  it('are those of the text, whatever was parsed before', () => {
    fc.assert(
      fc.property(documents, ({ text, value }) => {
        for (const poison of poisonsOf(text)) parse(poison);
        expect(JSON.stringify(parse(text))).toBe(JSON.stringify(value));
      }),
      { seed, numRuns: volumeOf('escapedNames') },
    );
  });

  it.each([
    ['a quotation mark', String.raw`{"\\":0}`, String.raw`{"\"":1}`, '"'],
    ['a line feed behind another name', String.raw`{"name":0,"\\":0}`, String.raw`{"name":1,"\n":1}`, '\n'],
    ['a letter that Python escapes', String.raw`{"gr\\u0":0}`, String.raw`{"gr\u00f6\u00dfe":1}`, 'größe'],
  ])('are not those of an earlier text: %s', (_what, earlier, text, name) => {
    parse(earlier);
    expect(Object.keys(parse(text) as object).at(-1)).toBe(name);
  });

  it('are members, not prototypes', () => {
    const read = parse(String.raw`{"\u005f_proto__":{"a":1}}`) as object;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('may be written twice: the last value counts', () => {
    expect(parse(String.raw`{"\u0061":1,"b":2,"a":3}`)).toEqual({ a: 3, b: 2 });
  });

  it('may be nested without end', () => {
    const depth = 100_000;
    const text = `${String.raw`{"\n":[`.repeat(depth)}${']}'.repeat(depth)}`;
    expect(() => parse(text)).not.toThrow();
  });

  it.each([
    '',
    '{',
    String.raw`{"\n":1`,
    String.raw`{"\n":1,}`,
    String.raw`{"\q":1}`,
    '{"\\',
    '\\":',
    String.raw`"\n":1`,
  ])('are refused in a text that is not JSON: %j', (text) => {
    expect(() => parse(text)).toThrow(SyntaxError);
  });
});

describe('texts with names with escapes', () => {
  it('keep their integers', () => {
    expect(parseJson(String.raw`{"\n":[9007199254740993,-0,1.5,12345678901234567890.0]}`)).toEqual({
      '\n': [9_007_199_254_740_993n, 0, 1.5, 12_345_678_901_234_567_168n],
    });
    expect(() => parseJson(`{"\\n":${'1'.repeat(4_301)}}`)).toThrow('an integer of 4301 digits');
  });
});
