import { describe, expect, it } from 'vitest';

import { matchTerms } from '../../src/expressions/key-terms.ts';
import { updateOfAttributeUpdates } from '../../src/legacy/attribute-updates.ts';
import type { ComparisonOperator } from '../../src/legacy/comparison.ts';
import { conditionOfExpected } from '../../src/legacy/expected.ts';
import { conditionOfFilter } from '../../src/legacy/filter.ts';
import { type KeyConditions, listTerms } from '../../src/legacy/key-conditions.ts';
import type { AttributeValue, Item } from '../../src/values/attribute-value.ts';

const S = { S: 'a' };
const N = { N: '1' };
const operation = (ComparisonOperator: ComparisonOperator, ...AttributeValueList: AttributeValue[]) => ({
  ComparisonOperator,
  AttributeValueList,
});

describe('Expected', () => {
  it('compares, or tests whether an attribute exists', () => {
    const item: Item = { a: S, n: N };
    const test = (expected: Parameters<typeof conditionOfExpected>[0], operator?: 'AND' | 'OR') =>
      conditionOfExpected(expected, operator).test(item);
    expect(test({ a: { Value: S } })).toBe(true);
    expect(test({ a: { Value: S, Exists: true }, b: { Exists: false } })).toBe(true);
    expect(test({ a: { Value: N } })).toBe(false);
    expect(test({ a: { Value: N }, n: { Value: { N: '1.0' }, ComparisonOperator: 'EQ' } }, 'OR')).toBe(true);
    expect(test({ a: { Value: N }, n: { Value: N } }, 'AND')).toBe(false);
    expect(test({ a: { ComparisonOperator: 'NOT_NULL' }, b: { ComparisonOperator: 'NULL' } })).toBe(true);
    expect(test({})).toBe(true);
    expect(conditionOfExpected({ a: { Exists: false } }, undefined).test(undefined)).toBe(true);
  });
});

describe('QueryFilter and ScanFilter', () => {
  const item: Item = { s: { S: 'abc' }, n: { N: '5' }, l: { L: [S] }, ss: { SS: ['a', 'b'] }, b: { B: 'YWJj' } };
  const test = (name: string, operator: ComparisonOperator, ...values: AttributeValue[]) =>
    conditionOfFilter({ [name]: operation(operator, ...values) }, undefined, 'ScanFilter').test(item);

  it.each<[string, ComparisonOperator, AttributeValue[]]>([
    ['s', 'EQ', [{ S: 'abc' }]],
    ['ss', 'EQ', [{ SS: ['b', 'a'] }]],
    ['s', 'NE', [S]],
    ['s', 'NE', [N]],
    ['absent', 'NE', [N]],
    ['n', 'LT', [{ N: '6' }]],
    ['n', 'LE', [{ N: '5' }]],
    ['n', 'GT', [{ N: '4' }]],
    ['n', 'GE', [{ N: '5.0' }]],
    ['n', 'IN', [N, { N: '5' }]],
    ['s', 'BETWEEN', [S, { S: 'b' }]],
    ['s', 'BEGINS_WITH', [S]],
    ['b', 'BEGINS_WITH', [{ B: 'YQ==' }]],
    ['s', 'CONTAINS', [S]],
    ['l', 'CONTAINS', [S]],
    ['ss', 'CONTAINS', [S]],
    ['s', 'NOT_CONTAINS', [{ S: 'x' }]],
    ['n', 'NOT_CONTAINS', [S]],
    ['absent', 'NULL', []],
    ['s', 'NOT_NULL', []],
  ])('%s %s %j is true', (name, operator, values) => {
    expect(test(name, operator, ...values)).toBe(true);
  });

  it.each<[string, ComparisonOperator, AttributeValue[]]>([
    ['absent', 'EQ', [S]],
    ['s', 'EQ', [N]],
    ['ss', 'NE', [{ SS: ['b', 'a'] }]],
    ['s', 'LT', [N]],
    ['absent', 'GE', [N]],
    ['absent', 'IN', [N]],
    ['n', 'BETWEEN', [S, S]],
    ['n', 'BEGINS_WITH', [S]],
    ['absent', 'CONTAINS', [S]],
    ['absent', 'NOT_CONTAINS', [S]],
    ['n', 'CONTAINS', [{ N: '5' }]],
    ['s', 'NULL', []],
    ['absent', 'NOT_NULL', []],
  ])('%s %s %j is false', (name, operator, values) => {
    expect(test(name, operator, ...values)).toBe(false);
  });

  it('lists its attributes, and names its parameter', () => {
    const condition = conditionOfFilter({ a: operation('EQ', S), b: operation('NULL') }, 'OR', 'QueryFilter');
    expect(condition.attributes).toEqual(['a', 'b']);
    expect(condition.source).toBe('QueryFilter');
    expect(condition.test({ b: N })).toBe(false);
    expect(condition.test({ a: S, b: N })).toBe(true);
  });
});

describe('KeyConditions', () => {
  const keys = { hash: { name: 'a', type: 'S' as const }, range: { name: 'b', type: 'N' as const } };
  const eq = operation('EQ', S);
  const matched = (conditions: KeyConditions) => matchTerms(listTerms(conditions), keys);

  it('are key conditions', () => {
    expect(matched({ a: eq })).toEqual({ hash: S });
    expect(matched({ b: operation('BETWEEN', N, N), a: eq })).toEqual({
      hash: S,
      range: { operator: 'BETWEEN', values: [N, N] },
    });
    expect(matched({ a: eq, b: operation('GE', N) }).range?.operator).toBe('>=');
  });

  it.each([
    [{ z: operation('NULL') }, 'Query condition missed key schema element: a'],
    [{ a: operation('NE', N) }, 'Attempted conditional constraint is not an indexable operation'],
    [{ a: eq, b: operation('IN', S) }, 'Attempted conditional constraint is not an indexable operation'],
    [{ a: eq, c: operation('NULL') }, 'Query condition missed key schema element: b'],
    [{ a: operation('LE', S) }, 'Query key condition not supported'],
    [{ a: operation('EQ', N) }, 'Condition parameter type does not match schema type'],
  ])('%j: %s', (conditions, message) => {
    expect(() => matched(conditions)).toThrow(message);
  });
});

describe('AttributeUpdates', () => {
  it('put, add and delete', () => {
    const update = updateOfAttributeUpdates({
      put: { Value: S },
      sum: { Action: 'ADD', Value: N },
      fresh: { Action: 'ADD', Value: { SS: ['a'] } },
      union: { Action: 'ADD', Value: { SS: ['a', 'b'] } },
      longer: { Action: 'ADD', Value: { L: [N] } },
      gone: { Action: 'DELETE' },
      less: { Action: 'DELETE', Value: { SS: ['a'] } },
      none: { Action: 'DELETE', Value: { SS: ['a'] } },
      absent: { Action: 'DELETE', Value: { SS: ['a'] } },
    });
    const item: Item = {
      put: N,
      sum: N,
      union: { SS: ['b', 'c'] },
      longer: { L: [S] },
      gone: S,
      less: { SS: ['a', 'b'] },
      none: { SS: ['a'] },
    };
    expect(update.apply(item)).toEqual({
      put: S,
      sum: { N: '2' },
      fresh: { SS: ['a'] },
      union: { SS: ['b', 'c', 'a'] },
      longer: { L: [S, N] },
      less: { SS: ['b'] },
    });
    expect(update.paths[0]).toEqual(['put']);
  });

  it.each([
    ['ADD' as const, { NS: ['1'] }],
    ['ADD' as const, N],
    ['ADD' as const, { L: [] }],
    ['DELETE' as const, { BS: ['YQ=='] }],
  ])('%s %j does not match a set of texts', (Action, Value) => {
    const update = updateOfAttributeUpdates({ a: { Action, Value } });
    expect(() => update.apply({ a: { SS: ['a'] } })).toThrow('Type mismatch for attribute to update');
  });
});
