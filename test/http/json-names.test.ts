/** Names of members that are written with escapes. `NAMES_SEED` determines the texts; a failure prints its seed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseExact } from '../../browser/src/api/json.ts';
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

/** Begins the first name of each object. It stands for a text that no other run has parsed: V8 then takes names for others. */
const mark = '\ue000';

const { value: documents } = fc.letrec<{ value: Written; text: Written; object: Written }>((tie) => ({
  text: fc.tuple(texts, fc.array(fc.boolean(), { maxLength: 6 })).map(([value, escapes]) => ({
    value,
    text: quoted(value, (at) => escapes[at] === true),
  })),
  object: fc
    .tuple(
      fc.nat({ max: 3 }),
      fc.array(fc.tuple(tie('text'), tie('value')), { maxLength: 4 }),
      fc.constantFrom('', ' ', '\n\t\r '),
    )
    .map(([first, members, blank]) => {
      const name = `${mark}${first}`;
      const others = members.map(([{ text }, member]) => `${text}${blank}:${blank}${member.text}`);
      return {
        text: `{${blank}${[`"${name}":0`, ...others].join(`,${blank}`)}${blank}}`,
        value: Object.fromEntries([[name, 0], ...members.map(([{ value }, member]) => [value, member.value])]),
      };
    }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('text'),
    tie('object'),
    fc
      .constantFrom('null', 'true', 'false', '0', '-0', '-12.5', '1e-7', '1E+2')
      .map((text): Written => ({ text, value: JSON.parse(text) })),
    fc.tuple(fc.array(tie('value'), { maxLength: 3 }), fc.constantFrom('', ' ', '\n\t\r ')).map(([list, blank]) => ({
      text: `[${blank}${list.map(({ text }) => text).join(`${blank},${blank}`)}${blank}]`,
      value: list.map(({ value }) => value),
    })),
  ),
}));

/** The text whose names are those for which V8 takes the escaped names of a text that is parsed later. */
const poisonOf = (text: string) =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (written) =>
    JSON.stringify(written.slice(1, 1 + (JSON.parse(written) as string).length)),
  );

let runs = 0;
/** A text with a mark of its own. */
const markedIn = (text: string, run: number) => text.replaceAll(mark, `run${run}.`);

const parsers: [name: string, parse: (text: string) => unknown][] = [
  ['the catalogue', parseNamed],
  ['the catalogue, beside large integers', (text) => (parseJson(`[${text},9007199254740993]`) as unknown[])[0]],
  ['the page', parseExact],
  ['the page, beside large integers', (text) => (parseExact(`[${text},9007199254740993]`) as unknown[])[0]],
  ['the engine', parseNamedOfEngine],
];

describe.each(parsers)(`names with escapes as read by %s (NAMES_SEED=${seed})`, (_name, parse) => {
  it('are those of the text, whatever was parsed before', () => {
    fc.assert(
      fc.property(documents, ({ text, value }) => {
        runs += 1;
        JSON.parse(markedIn(poisonOf(text), runs));
        expect(JSON.stringify(parse(markedIn(text, runs)))).toBe(markedIn(JSON.stringify(value), runs));
      }),
      { seed, numRuns: volumeOf('escapedNames') },
    );
  });

  it.each([
    ['a quotation mark', String.raw`{"@":0,"\\":0}`, String.raw`{"@":1,"\"":1}`, '"'],
    ['a line feed', String.raw`{"@":0,"\\":0}`, String.raw`{"@":1,"\n":1}`, '\n'],
    ['a letter that Python escapes', String.raw`{"@":0,"gr\\u0":0}`, String.raw`{"@":1,"gr\u00f6\u00dfe":1}`, 'größe'],
    ['a name behind a value with escapes', String.raw`{"@":0,"\\":0}`, String.raw`{"@":"\n","\n":1}`, '\n'],
    ['blanks behind the name', String.raw`{"@":0,"\\":0}`, String.raw`{"@":1,"\n" ${'\t\r\n'}:1}`, '\n'],
  ])('are not those of an earlier text: %s', (_what, earlier, text, name) => {
    runs += 1;
    JSON.parse(earlier.replace('@', `run${runs}`));
    expect(Object.keys(parse(text.replace('@', `run${runs}`)) as object)).toEqual([`run${runs}`, name]);
  });

  it('are members, not prototypes', () => {
    const read = parse(String.raw`{"\u005f_proto__":{"a":1}}`) as object;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('may be written twice: the last value counts', () => {
    expect(parse(String.raw`{"\u0061":1,"b":2,"a":3,"\u0031":4,"1":5}`)).toEqual({ a: 3, b: 2, 1: 5 });
  });

  it('may be numbers, which take no room for smaller ones', () => {
    const count = 20_000;
    const before = process.memoryUsage().heapUsed;
    const read = parse(String.raw`{"\n":[${Array.from({ length: count }, () => '{"999":1}').join()}]}`);
    expect(read).toMatchObject({ '\n': { length: count } });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(count * 4_000);
  });

  it('may be in objects that are nested deeply', () => {
    const depth = 2_000;
    const text = `${String.raw`{"\n":[`.repeat(depth)}${']}'.repeat(depth)}`;
    expect(JSON.stringify(parse(text))).toBe(text);
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
