import fc from 'fast-check';

import type { Rse } from '../../../lib/store/entities/rse.ts';
import { rseOf } from './fleet.ts';

/** An expression as a text, with redundant parentheses, and its meaning by the specification. */
interface Generated {
  readonly text: string;
  readonly names: (fleet: Fleet) => ReadonlySet<string>;
}

type Fleet = readonly Rse[];

const primitive = (text: string, test: (rse: Rse) => boolean): Generated => ({
  text,
  names: (fleet) => new Set(fleet.filter(test).map(({ rse }) => rse)),
});

const flags = ['volatile', 'deterministic'] as const;
const keys = ['tier', 'space', 'a.b', 'ALPHA', 'BETA-2'] as const;
const values = ['1', '2', 'true', 'FALSE', 'x', '-1', '1e1', 'inf'] as const;
const attributes = ['1', '2', true, false, 'x', '-1', '1.5', null, 'true?'] as const;

/** The values above for `=`, and the attributes and the values for `<` and `>`. */
const booleans = new Map<string, unknown>([
  ['true', true],
  ['FALSE', false],
]);
const numbers = new Map<unknown, number>([
  [true, 1],
  [false, 0],
  ['1', 1],
  ['2', 2],
  ['-1', -1],
  ['1.5', 1.5],
  ['1e1', 10],
  ['inf', Infinity],
]);
const number = (value: unknown) => numbers.get(value) ?? NaN;

/** spec/rses.md 5.3, form by form, for the columns and attributes that {@link fleets} have. */
const primitives: fc.Arbitrary<Generated> = fc.oneof(
  fc.constant(primitive('*', () => true)),
  fc
    .constantFrom('tier', 'ALPHA', 'BETA-2', 'NOBODY')
    .map((tag) => primitive(tag, (rse) => rse.attributes[tag] === true)),
  fc.constantFrom(...flags).map((flag) => primitive(flag, (rse) => rse[flag])),
  fc
    .tuple(fc.constantFrom(...flags), fc.constantFrom('1', 'true', '0', 'False'))
    .map(([flag, value]) => primitive(`${flag}=${value}`, (rse) => rse[flag] === (value === '1' || value === 'true'))),
  fc.constantFrom('DISK', 'TAPE').map((type) => primitive(`rse_type=${type}`, ({ rseType }) => rseType === type)),
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom(...values))
    .map(([key, value]) =>
      primitive(`${key}=${value}`, (rse) => rse.attributes[key] === (booleans.get(value) ?? value)),
    ),
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom(...values))
    .map(([key, value]) => primitive(`${key}<${value}`, (rse) => number(rse.attributes[key]) < number(value))),
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom(...values))
    .map(([key, value]) => primitive(`${key}>${value}`, (rse) => number(rse.attributes[key]) > number(value))),
);

const operations = {
  '|': (a, b) => a.union(b),
  '&': (a, b) => a.intersection(b),
  '\\': (a, b) => a.difference(b),
} satisfies Record<string, (a: ReadonlySet<string>, b: ReadonlySet<string>) => Set<string>>;
type Sign = keyof typeof operations;

const apply = (left: Generated, [sign, right]: readonly [Sign, Generated]): Generated => ({
  text: left.text + sign + right.text,
  names: (fleet) => operations[sign](left.names(fleet), right.names(fleet)),
});

/** Expressions with their meaning. */
export const { expressions } = fc.letrec<{ expressions: Generated; term: Generated }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    primitives,
    tie('expressions').map(({ text, names }) => ({ text: `(${text})`, names })),
  ),
  expressions: fc
    .tuple(tie('term'), fc.array(fc.tuple(fc.constantFrom<Sign>('|', '&', '\\'), tie('term')), { maxLength: 3 }))
    .map(([first, rest]) => rest.reduce<Generated>(apply, first)),
}));

/** One to five RSEs. */
const fewRses = fc
  .uniqueArray(fc.constantFrom('ALPHA', 'BETA-2', 'GAMMA', 'DELTA', 'EPSILON'), { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(member)));

/** RSEs by the hundred, whose sets have several words, with some of the settings in turn. */
const manyRses = fc
  .tuple(fc.array(member('SOME'), { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 300 }))
  .map(([some, count]) =>
    Array.from({ length: count }, (_value, index) => ({ ...(some[index % some.length] as Rse), rse: `SOME-${index}` })),
  );

export const fleets = fc.oneof({ weight: 3, arbitrary: fewRses }, { weight: 1, arbitrary: manyRses });

function member(name: string): fc.Arbitrary<Rse> {
  const given = fc.record({
    volatile: fc.boolean(),
    deterministic: fc.boolean(),
    rseType: fc.constantFrom('DISK', 'TAPE'),
    attributes: fc.dictionary(fc.constantFrom('tier', 'space', 'a.b', 'BETA-2'), fc.constantFrom(...attributes)),
  });
  return given.map((settings) => rseOf(name, settings));
}
