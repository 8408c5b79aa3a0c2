import { describe, expect, it } from 'vitest';

import { compileCondition } from '../../src/expressions/condition.ts';
import type { Item } from '../../src/values/attribute-value.ts';
import { bindingsFor, test } from './support.ts';

const item: Item = {
  s: { S: 'abc' },
  n: { N: '12' },
  b: { B: 'YWJj' },
  yes: { BOOL: true },
  nothing: { NULL: true },
  ss: { SS: ['a', 'b'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: ['YQ==', 'YWI='] },
  l: { L: [{ N: '1' }, { M: { x: { S: 'deep' } } }, { SS: ['p', 'q'] }] },
  m: { M: { x: { N: '7' }, 'dotted.name': { S: 'z' } } },
  empty: { S: '' },
};

const values = {
  ':abc': { S: 'abc' },
  ':b': { S: 'b' },
  ':a': { S: 'a' },
  ':x': { S: 'x' },
  ':nothing': { S: '' },
  ':one': { N: '1' },
  ':two': { N: '2.0' },
  ':three': { N: '3' },
  ':twelve': { N: '12.00' },
  ':forty': { N: '40' },
  ':bytes': { B: 'YWI=' },
  ':set': { SS: ['b', 'a'] },
  ':sets': { SS: ['q', 'p'] },
  ':list': { L: [{ N: '1' }] },
  ':string': { S: 'S' },
  ':map': { S: 'M' },
};

describe('operators of conditions', () => {
  it.each([
    's = :abc',
    ':abc = s',
    'n = :twelve',
    'ss = :set',
    's <> n',
    'absent <> s',
    'absent <> absent2',
    'n < :forty',
    'n <= :twelve',
    'n > :one',
    'n >= :twelve',
    's < :b',
    'b > :bytes',
    'n BETWEEN :one AND :forty',
    'n between n2 and :forty or n = n2 or n between :twelve and :twelve',
    's IN (:x, :abc)',
    'n IN (:x, :twelve)',
    'l[0] = :one',
    'l[1].x <> :abc',
    'm.x > :one',
    'm.#x > l[0]',
    'size(s) = :three',
    ':three = size(b)',
    'size(ss) = :two',
    'size(l) > size(ss)',
    'size(m) between :one and :three',
    'size(:set) = :two',
    '(s) = (:abc)',
    '((s) = :abc)',
    '(size(s)) = :three',
  ])('%s is true', (text) => {
    expect(test(text, item, values)).toBe(true);
  });

  it.each([
    's = :x',
    'absent = absent2',
    'absent = :x',
    'absent < :x',
    ':x > absent',
    's < :forty',
    'l < :forty',
    'ss <> :set',
    'n BETWEEN :one AND :two',
    's between :one and :forty',
    'absent IN (absent2)',
    's IN (:x)',
    'size(n) = :two',
    'size(yes) = size(nothing)',
    'size(absent) > :one',
    'size(s) = :x',
    'm[0] = :one',
    'l.x = :one',
    's.x = :one',
  ])('%s is false', (text) => {
    expect(test(text, item, values)).toBe(false);
  });

  it('orders texts by their bytes', () => {
    const beyond = { ':high': { S: '\u{1f600}' }, ':low': { S: '\uffee' } };
    expect(test(':high > :low', item, beyond)).toBe(true);
  });
});

describe('functions of conditions', () => {
  it.each([
    'attribute_exists(s)',
    'attribute_exists (l[1].x)',
    'attribute_not_exists(l[9])',
    'attribute_not_exists(absent.x)',
    'attribute_type(s, :string)',
    'attribute_type(m, :map)',
    'attribute_type(:x, :string)',
    'begins_with(s, :a)',
    'begins_with(s, :nothing)',
    'begins_with(:abc, s)',
    'begins_with(b, :bytes)',
    'contains(s, :b)',
    'contains(s, :nothing)',
    'contains(b, :bytes)',
    'contains(ss, :a)',
    'contains(ns, :two)',
    'contains(bs, :bytes)',
    'contains(l, :one)',
    'contains(l, :sets)',
    'contains(:abc, s)',
  ])('%s is true', (text) => {
    expect(test(text, item, values)).toBe(true);
  });

  it.each([
    'attribute_exists(absent)',
    'attribute_not_exists(nothing)',
    'attribute_type(absent, :string)',
    'attribute_type(n, :string)',
    'begins_with(s, :x)',
    'begins_with(b, :a)',
    'begins_with(n, :one2) or begins_with(n, :a)',
    'contains(s, :bytes)',
    'contains(ss, :set)',
    'contains(ss, :one)',
    'contains(n, :one)',
    'contains(m, :x)',
    'contains(absent, :x)',
    'contains(s, absent)',
  ])('%s is false', (text) => {
    expect(test(text, item, { ...values, ':one2': { S: '1' } })).toBe(false);
  });
});

describe('combinations of conditions', () => {
  const truth = { t: { N: '1' }, f: { N: '0' } };
  it.each([
    ['t = :N or f = :N and f = :N', true],
    ['(t = :N or f = :N) and f = :N', false],
    ['not t = :N or t = :N', true],
    ['not (t = :N or t = :N)', false],
    ['not f = :N and t = :N', true],
    ['NOT NOT t = :N', true],
    ['not not not t = :N', false],
    ['t between f and :N and t = :N', true],
    ['f = :N OR t = :N AnD NoT f = :N', true],
    ['(t = :N and (f = :N or (t = :N and not f = :N)))', true],
    ['(t = :N) and (t = :N)', true],
  ])('%s is %s', (text, expected) => {
    expect(test(text, truth)).toBe(expected);
  });

  it('treats a missing item as one without attributes', () => {
    expect(test('attribute_not_exists(a)', undefined)).toBe(true);
    expect(test('a <> :S', undefined)).toBe(true);
    expect(test('a = :S', undefined)).toBe(false);
  });

  it('lists its attributes, each once', () => {
    const text = 'a.b = :S and #c[1] > a.d and size(e) > f';
    const condition = compileCondition(text, 'ConditionExpression', bindingsFor(text));
    expect(condition.attributes).toEqual(['a', 'c', 'e', 'f']);
    expect(condition.paths).toContainEqual(['c', 1]);
  });

  it('finds attributes of any name, and only own ones of the item', () => {
    const odd = JSON.parse('{"__proto__": {"S": "a"}, "m": {"M": {"__proto__": {"N": "1"}}}}') as Item;
    expect(test('#__proto__ = :S and m.#__proto__ = :N', odd)).toBe(true);
    expect(test('attribute_exists(#constructor) or attribute_exists(m.#toString)', odd)).toBe(false);
  });
});
