import { describe, expect, it } from 'vitest';

import {
  attributesReader,
  isInteger,
  isNumber,
  hasShape,
  itemReader,
  listOf,
  readAttribute,
  recordOf,
  isText,
  nullable,
  oneOf,
  optional,
} from '../../lib/store/items/read-attributes.ts';

interface Example {
  readonly name: string;
  readonly bytes?: number | bigint;
  readonly comment: string | null;
  readonly state: 'ON' | 'OFF';
  readonly places?: readonly number[];
}

const read = attributesReader<Example>({
  name: isText,
  bytes: optional(isInteger),
  comment: nullable(isText),
  state: oneOf<Example['state']>({ ON: true, OFF: true }),
  places: optional(listOf(isNumber)),
});

const item = { PK: 'TEST#x', SK: 'y', name: 'n', comment: null, state: 'ON', rev: 3 };

describe('the reader of attributes', () => {
  it('returns the attributes of the shape only, and leaves missing ones out', () => {
    expect(read(item)).toEqual({ name: 'n', comment: null, state: 'ON' });
    expect(Object.keys(read(item))).not.toContain('bytes');
  });

  it('keeps integers exact', () => {
    expect(read({ ...item, bytes: 2n ** 60n, places: [1, 2] })).toMatchObject({ bytes: 2n ** 60n, places: [1, 2] });
  });

  it.each([
    ['name', 7],
    ['name', undefined],
    ['bytes', '7'],
    ['bytes', null],
    ['comment', undefined],
    ['state', 'MAYBE'],
    ['state', 'toString'],
    ['places', ['1']],
  ])('refuses %s with the value %j and names the item', (attribute, value) => {
    expect(() => read({ ...item, [attribute]: value })).toThrow(`the attribute ${attribute} of "TEST#x\\ny"`);
  });

  it('requires a check for each member of the entity', () => {
    // @ts-expect-error `other` has no check.
    attributesReader<{ readonly name: string; readonly other: number }>({ name: isText });
    // @ts-expect-error A required member must not accept undefined.
    attributesReader<{ readonly at: number }>({ at: optional(isNumber) });
  });
});

describe('the check of a map', () => {
  interface Lock {
    readonly state: 'ON' | 'OFF';
    readonly owner?: string;
  }
  const isLock = hasShape<Lock>({ state: oneOf<Lock['state']>({ ON: true, OFF: true }), owner: optional(isText) });

  it('accepts its members, missing optional ones and unknown ones', () => {
    expect([{ state: 'ON' }, { state: 'OFF', owner: 'a' }, { state: 'ON', other: 1 }].map(isLock)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([[undefined], [null], ['ON'], [[]], [{}], [{ state: 'NO' }], [{ state: 'ON', owner: 1 }], [{ owner: 'a' }]])(
    'refuses %j',
    (value) => {
      expect(isLock(value)).toBe(false);
    },
  );

  it('checks each value of a record and of a list', () => {
    expect([{}, { a: { state: 'ON' } }, { a: {} }, [], null].map(recordOf(isLock))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([[], [1, 2], [1, '2'], {}].map(listOf(isNumber))).toEqual([true, true, false, false]);
  });
});

describe('the reader of a whole item', () => {
  const readItem = itemReader<Pick<Example, 'name' | 'bytes'>>({ name: isText, bytes: optional(isInteger) });

  it('adds the attributes of the shape to an object and hands over the others', () => {
    const others: Record<string, unknown> = {};
    const object = { key: 'x' };
    const found = readItem(item, object, (attribute, value) => (others[attribute] = value));
    expect(found).toBe(object);
    expect(found).toEqual({ key: 'x', name: 'n' });
    expect(others).toEqual({ PK: 'TEST#x', SK: 'y', comment: null, state: 'ON', rev: 3 });
  });

  it.each([
    ['name', undefined],
    ['name', 7],
    ['bytes', '7'],
  ])('refuses %s with the value %j and names the item', (attribute, value) => {
    expect(() => readItem({ ...item, [attribute]: value }, {}, () => undefined)).toThrow(
      `the attribute ${attribute} of "TEST#x\\ny"`,
    );
  });
});

describe('the reader of one attribute', () => {
  it('returns its value, or throws for an unexpected one', () => {
    expect(readAttribute(item, 'name', isText)).toBe('n');
    expect(() => readAttribute(item, 'rev', isText)).toThrow('the attribute rev of "TEST#x\\ny"');
  });
});
