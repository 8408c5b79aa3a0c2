import fc from 'fast-check';

import { unicodeText } from '../../support/unicode-text.ts';

/** The part of JSON schema that the generator supports; every other schema allows any value. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * Meaningful values, by the name of the member or parameter. `body <name>`: whole bodies; `path <path of the route>` and
 * `query <path of the route>`: whole paths and queries.
 */
export type Words = Readonly<Record<string, readonly unknown[]>>;

/** The words for a name; requests and answers share them. */
export function wordsFor(words: Words, name: string): readonly unknown[] {
  const key = name.replace(/^(input|output)_/, '');
  return Object.hasOwn(words, key) ? (words[key] ?? []) : [];
}

/** Texts that often break programs. */
const hardTexts = [
  '',
  ' ',
  '\n',
  '\u0000',
  '\u{1F434}',
  '\ud800',
  'a'.repeat(26),
  'b'.repeat(251),
  'c'.repeat(1100),
  '\u{1F434}'.repeat(600),
  ...`* # / // .. . % %2F a/b ' " \\ é ROOT null true 0 -1 1e999 NaN __proto__ constructor toString`.split(' '),
];

/** Any text, sometimes a hard one. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...hardTexts) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: unicodeText() },
);

const hardIntegers = [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 53, 2n ** 62n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 70n)];
const hardNumbers = [0.5, -0.1, 1e10, 1e11, 1e300, -1e300, 5e-324];

/** Objects that have no text: `String` fails. */
const hardObjects = [{ toString: null }, [{ toString: null }]];

/** Any JSON value. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, ...hardIntegers, ...hardNumbers, ...hardObjects),
  },
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/**
 * Values that are valid for a schema.
 *
 * @param name Of the member or parameter that the value is for.
 */
export function valueOf(schema: Schema, words: Words, name = ''): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((branch) => valueOf(branch, words, name)));
  if (typeof schema.type === 'object') {
    return fc.oneof(...schema.type.map((type) => valueOf({ ...schema, type }, words, name)));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integerOf(schema, wordsFor(words, name));
    case 'number':
      return fc.oneof(
        integerOf(schema, wordsFor(words, name)),
        fc.constantFrom(...hardNumbers.filter((number) => fits(number, schema))),
      );
    case 'string':
      return textOf(schema, wordsFor(words, name).filter(isText));
    case 'array':
      return listOf(schema, words, name);
    case 'object':
      return objectOf(schema, words);
    default:
      return freeOf(wordsFor(words, name));
  }
}

function fits(number: number | bigint, { minimum = -Infinity, maximum = Infinity }: Schema): boolean {
  return number >= minimum && number <= maximum;
}

function integerOf(schema: Schema, words: readonly unknown[]): fc.Arbitrary<unknown> {
  const min = Math.max(-10, schema.minimum ?? -10);
  const small = fc.integer({ min, max: Math.max(min, Math.min(1000, schema.maximum ?? 1000)) });
  const known = [...words.filter(isNumber), ...hardIntegers].filter((integer) => fits(integer, schema));
  return fc.oneof({ weight: 3, arbitrary: small }, { weight: 1, arbitrary: fc.constantFrom<unknown>(min, ...known) });
}

const isText = (word: unknown) => typeof word === 'string';
const isNumber = (word: unknown) => typeof word === 'number';

function freeOf(words: readonly unknown[]): fc.Arbitrary<unknown> {
  if (words.length === 0) return anyValue;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: anyValue });
}

function textOf({ pattern, maxLength = Infinity }: Schema, words: readonly string[]): fc.Arbitrary<string> {
  const free = pattern === undefined ? anyText : fc.stringMatching(new RegExp(pattern));
  const short = free.map((text) => text.slice(0, maxLength));
  if (words.length === 0) return short;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: short });
}

function listOf({ items = {}, minItems = 0, maxItems = 1000 }: Schema, words: Words, name: string) {
  const element = valueOf(items, words, name);
  const list = (longest: number) =>
    fc.array(element, { minLength: minItems, maxLength: Math.max(minItems, Math.min(longest, maxItems)) });
  return fc.oneof({ weight: 19, arbitrary: list(3) }, { weight: 1, arbitrary: list(120) });
}

function objectOf(
  { properties = {}, required = [], additionalProperties: rest }: Schema,
  words: Words,
): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([key, member]) => [key, valueOf(member, words, key)] as const);
  const full = fc.record(Object.fromEntries(members), { noNullPrototype: true });
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  // Few at a time: some optional members exclude each other.
  const someOptional = fc.subarray(optional, { maxLength: Math.min(optional.length, 3) });
  const chosen = fc.oneof({ weight: 4, arbitrary: someOptional }, { weight: 1, arbitrary: fc.constant(optional) });
  const known = fc.tuple(full, chosen).map(([all, keys]) => pick(all, [...required, ...keys]));
  return typeof rest === 'object' ? fc.tuple(known, dictionaryOf(rest, words)).map(merge) : known;
}

function pick(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}

const merge = ([known, free]: [object, object]) => ({ ...free, ...known });

function dictionaryOf(value: Schema, words: Words): fc.Arbitrary<Record<string, unknown>> {
  const keys = wordsFor(words, 'key').filter(isText);
  const known = keys.map((key) => fc.tuple(fc.constant(key), valueOf(value, words, key)));
  const entry = fc.oneof(...known, fc.tuple(anyText, valueOf(value, words)));
  return fc.array(entry, { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}
