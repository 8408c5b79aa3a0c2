import { describe, expect, it } from 'vitest';

import { compileKeyCondition, type KeyAttributes } from '../../src/expressions/key-condition.ts';
import type { AttributeValue } from '../../src/values/attribute-value.ts';
import { bindingsFor } from './support.ts';

const hashOnly: KeyAttributes = { hash: { name: 'a', type: 'S' } };
const both: KeyAttributes = { hash: { name: 'a', type: 'S' }, range: { name: 'b', type: 'N' } };
const texts: KeyAttributes = { hash: { name: 'a', type: 'S' }, range: { name: 'b', type: 'S' } };
const values: Record<string, AttributeValue> = {
  ':S': { S: 'x' },
  ':N': { N: '1' },
  ':M': { N: '2' },
  ':L': { L: [] },
  ':E': { S: '' },
};
const compile = (text: string, keys = both) => compileKeyCondition(text, bindingsFor(text, values), keys);

describe('key conditions', () => {
  it.each([
    ['a = :S', undefined],
    ['(:S = #a)', undefined],
    ['a = :S and b = :N', ['=', ':N']],
    ['b < :N AND a = :S', ['<', ':N']],
    ['a = :S and :N < b', ['>', ':N']],
    ['a = :S and :N >= b', ['<=', ':N']],
    ['((a = :S) and (b >= :N))', ['>=', ':N']],
    ['a = :S and b between :N and :M', ['BETWEEN', ':N', ':M']],
  ])('%s', (text, range) => {
    const [operator, ...names] = range ?? [];
    expect(compile(text)).toEqual({
      hash: { S: 'x' },
      ...(range === undefined ? {} : { range: { operator, values: names.map((name) => values[name]) } }),
    });
  });

  it('finds texts by their prefix', () => {
    expect(compile('a = :S and begins_with(b, :S)', texts)).toEqual({
      hash: { S: 'x' },
      range: { operator: 'begins_with', values: [{ S: 'x' }] },
    });
  });
});

describe('key conditions that are not valid', () => {
  const condition = 'Invalid condition in KeyConditionExpression: ';
  const operator = 'Invalid operator used in KeyConditionExpression: ';
  const wrongType = 'One or more parameter values were invalid: Condition parameter type does not match schema type';
  it.each([
    ['', 'Invalid KeyConditionExpression: The expression can not be empty;'],
    ['a = :S and', 'Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "and"'],
    ['attribute_type(a, b)', 'Invalid KeyConditionExpression: Incorrect operand type for operator or function;'],
    ['b between :M and :N', 'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound'],
    ['a > b and size(b) > c or a > c', `${operator}OR`],
    ['a in (b, size(c), d)', `${operator}IN`],
    ['contains(a.d, b)', `${operator}contains`],
    ['not a > b', `${operator}NOT`],
    ['a <> b', `${operator}<>`],
    [
      ':S between size(b) and size(a) and b > :N',
      `${condition}BETWEEN operator must have the key attribute as its first operand`,
    ],
    [
      'begins_with(:S, b) and a > :S',
      `${condition}begins_with operator must have the key attribute as its first operand`,
    ],
    ['size(b) > a AND a.b > b AND b > c', 'KeyConditionExpressions cannot contain nested operations'],
    ['a between size(b) and size(a)', 'KeyConditionExpressions cannot contain nested operations'],
    ['b > a.b', `${condition}Multiple attribute names used in one condition`],
    ['a between b and size(a)', `${condition}Multiple attribute names used in one condition`],
    ['b.d > a AND c.d > e.f', 'KeyConditionExpressions cannot have conditions on nested attributes'],
    [':S > b AND :N < :M', `${condition}No key attribute specified`],
    ['b > :N AND b < :M and c = :N and d = :N', 'KeyConditionExpressions must only contain one condition per key'],
    ['a = :S and b = :N and c = :N', 'Conditions can be of length 1 or 2 only'],
    ['b between :N and :M', 'Query condition missed key schema element: a'],
    ['a = :S and c = :N', 'Query condition missed key schema element: b'],
    [':N > a', wrongType],
    ['a = :L', wrongType],
    ['a = :S and b = :S', wrongType],
    ['a > :S and b = :S', 'Query key condition not supported'],
    ['begins_with(a, :S)', 'Query key condition not supported'],
    ['a between :S and :S', 'Query key condition not supported'],
    ['a = :E', 'The AttributeValue for a key attribute cannot contain an empty string value. Key: a'],
  ])('%s: %s', (text, message) => {
    expect(() => compile(text)).toThrow(message);
  });

  it('have one term for keys with one attribute', () => {
    expect(() => compile('a = :S and b = :N', hashOnly)).toThrow('Query key condition not supported');
    expect(() => compile('y = :S and z = :N', hashOnly)).toThrow('Query key condition not supported');
    expect(() => compile('z = :S', hashOnly)).toThrow('Query condition missed key schema element: a');
  });
});
