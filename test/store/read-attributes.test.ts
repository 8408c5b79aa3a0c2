import { describe, expect, it } from 'vitest';

import {
  attributesReader,
  isInteger,
  isNumber,
  isNumberList,
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
  places: optional(isNumberList),
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
