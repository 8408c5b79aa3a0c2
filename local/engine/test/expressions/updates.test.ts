import { describe, expect, it } from 'vitest';

import { compileUpdate } from '../../src/expressions/update.ts';
import type { AttributeValue, Item } from '../../src/values/attribute-value.ts';
import { bindingsFor, update } from './support.ts';

const n = (value: number): AttributeValue => ({ N: String(value) });
const list = (...members: number[]): AttributeValue => ({ L: members.map(n) });
const values = {
  ':one': n(1),
  ':two': n(2),
  ':tenth': { N: '0.1' },
  ':text': { S: 'text' },
  ':list': list(8, 9),
  ':ab': { SS: ['a', 'b'] },
  ':bc': { SS: ['b', 'c'] },
  ':a': { SS: ['a'] },
  ':n2': { NS: ['2', '3'] },
  ':bytes': { BS: ['YQ=='] },
};
const apply = (text: string, item: Item) => update(text, item, values);

describe('SET', () => {
  it.each<[string, Item, Item]>([
    ['SET a = :one', {}, { a: n(1) }],
    ['set a=:one,b=:two', { a: n(9) }, { a: n(1), b: n(2) }],
    ['SET a = b', { b: n(3) }, { a: n(3), b: n(3) }],
    ['SET a = a + :one', { a: n(1) }, { a: n(2) }],
    ['SET a = :two - b', { b: n(3) }, { a: n(-1), b: n(3) }],
    ['SET a = (:one + :tenth)', {}, { a: { N: '1.1' } }],
    ['SET a = (b) - (:one)', { b: n(3) }, { a: n(2), b: n(3) }],
    ['SET a = if_not_exists(a, :one)', {}, { a: n(1) }],
    ['SET a = if_not_exists(a, :one)', { a: n(5) }, { a: n(5) }],
    ['SET a = if_not_exists(b, if_not_exists(c, :two)) + :one', {}, { a: n(3) }],
    ['SET a = list_append(a, :list)', { a: list(1) }, { a: list(1, 8, 9) }],
    ['SET a = list_append(:list, if_not_exists(a, :list))', {}, { a: list(8, 9, 8, 9) }],
    ['SET m.x = :one', { m: { M: {} } }, { m: { M: { x: n(1) } } }],
    ['SET m.#x.y = m.x.z', { m: { M: { x: { M: { z: n(4) } } } } }, { m: { M: { x: { M: { z: n(4), y: n(4) } } } } }],
    ['SET l[1] = :one', { l: list(5, 6, 7) }, { l: list(5, 1, 7) }],
    ['SET l[9] = :two, l[5] = :one', { l: list(5) }, { l: list(5, 1, 2) }],
    ['SET l[0].x = :one', { l: { L: [{ M: {} }] } }, { l: { L: [{ M: { x: n(1) } }] } }],
  ])('%s', (text, item, expected) => {
    expect(apply(text, item)).toEqual(expected);
  });
});

describe('REMOVE', () => {
  it.each<[string, Item, Item]>([
    ['REMOVE a, absent', { a: n(1), b: n(2) }, { b: n(2) }],
    ['REMOVE m.x', { m: { M: { x: n(1) } } }, { m: { M: {} } }],
    ['REMOVE m.absent', { m: { M: { x: n(1) } } }, { m: { M: { x: n(1) } } }],
    ['REMOVE l[0], l[2], l[9]', { l: list(1, 2, 3) }, { l: list(2) }],
    ['REMOVE l[0]', { l: list(1) }, { l: list() }],
  ])('%s', (text, item, expected) => {
    expect(apply(text, item)).toEqual(expected);
  });

  it('may name places in a missing item, but not missing places in an existing one', () => {
    const change = compileUpdate('REMOVE m.x, l[0] SET a = :N', bindingsFor(':N'));
    expect(change.apply({ k: n(0) }, true)).toEqual({ k: n(0), a: n(1) });
    expect(() => change.apply({ k: n(0) })).toThrow('The document path provided in the update expression is invalid');
    const set = compileUpdate('SET m.x = :N', bindingsFor(':N'));
    expect(() => set.apply({ k: n(0) }, true)).toThrow('is invalid for update');
  });
});

describe('ADD', () => {
  it.each<[string, Item, Item]>([
    ['ADD a :one', {}, { a: n(1) }],
    ['ADD a :one, b :two', { a: n(1), b: n(1) }, { a: n(2), b: n(3) }],
    ['ADD a :bc', { a: { SS: ['a', 'b'] } }, { a: { SS: ['a', 'b', 'c'] } }],
    ['ADD a :n2', { a: { NS: ['1', '2'] } }, { a: { NS: ['1', '2', '3'] } }],
    ['ADD a :bytes', {}, { a: { BS: ['YQ=='] } }],
    ['ADD m.x :one', { m: { M: {} } }, { m: { M: { x: n(1) } } }],
    ['ADD l[0] :one, l[7] :two', { l: list(1) }, { l: list(2, 2) }],
  ])('%s', (text, item, expected) => {
    expect(apply(text, item)).toEqual(expected);
  });
});

describe('DELETE', () => {
  it.each<[string, Item, Item]>([
    ['DELETE a :bc', { a: { SS: ['a', 'b'] } }, { a: { SS: ['a'] } }],
    ['DELETE a :ab', { a: { SS: ['a'] } }, {}],
    ['DELETE a :ab', {}, {}],
    ['DELETE m.x :a', { m: { M: { x: { SS: ['a'] } } } }, { m: { M: {} } }],
    ['DELETE l[0] :a', { l: { L: [{ SS: ['a'] }, n(1)] } }, { l: list(1) }],
    ['DELETE l[5] :a', { l: list(1) }, { l: list(1) }],
  ])('%s', (text, item, expected) => {
    expect(apply(text, item)).toEqual(expected);
  });
});

describe('an update as a whole', () => {
  it('reads all operands from the item before the update', () => {
    expect(apply('SET a = b, b = a', { a: n(1), b: n(2) })).toEqual({ a: n(2), b: n(1) });
    expect(apply('REMOVE a SET b = a', { a: n(1) })).toEqual({ b: n(1) });
    expect(apply('ADD a :one SET b = a', { a: n(1) })).toEqual({ a: n(2), b: n(1) });
    expect(() => apply('SET a = :one, b = a', {})).toThrow('refers to an attribute that does not exist in the item');
  });

  it('resolves list indexes before the update', () => {
    const item = { l: list(2, 3, 4, 5, 6, 7) };
    expect(apply('REMOVE l[1] SET l[3] = :one', item)).toEqual({ l: list(2, 4, 1, 6, 7) });
    expect(apply('SET l[9] = :one REMOVE l[6], l[0]', item)).toEqual({ l: list(3, 4, 5, 6, 7, 1) });
    expect(apply('ADD l[9] :one SET l[7] = :two', { l: list(0) })).toEqual({ l: list(0, 2, 1) });
  });

  it('accepts its sections in any order', () => {
    const item = { a: n(1), b: { SS: ['a', 'b'] }, c: n(3) };
    expect(apply('DELETE b :a ADD a :one REMOVE c SET d = :text', item)).toEqual({
      a: n(2),
      b: { SS: ['b'] },
      d: { S: 'text' },
    });
  });

  it('leaves the given item unchanged, and shares unwritten parts', () => {
    const shared: AttributeValue = { M: { x: n(1) } };
    const item: Item = { m: { M: { kept: shared, l: list(1, 2) } }, other: shared };
    const before = structuredClone(item);
    const after = apply('SET m.l[0] = :two REMOVE m.l[1]', item);
    expect(item).toEqual(before);
    expect(after['other']).toBe(shared);
    expect(after).toEqual({ m: { M: { kept: shared, l: list(2) } }, other: shared });
  });

  it('lists written and read paths', () => {
    const text = 'REMOVE a.b SET #c[1] = list_append(d, e.f), g = :N ADD h :N';
    const { paths, reads } = compileUpdate(text, bindingsFor(text));
    expect(paths).toEqual([['a', 'b'], ['c', 1], ['g'], ['h']]);
    expect(reads).toEqual([['d'], ['e', 'f']]);
  });

  it('writes attributes of any name', () => {
    const after = apply('SET #__proto__ = :one, m.#__proto__ = :two', { m: { M: {} } });
    expect(JSON.stringify(after)).toBe('{"m":{"M":{"__proto__":{"N":"2"}}},"__proto__":{"N":"1"}}');
  });
});
