import { describe, expect, it } from 'vitest';

import { updateOfAttributeUpdates } from '../../src/legacy/attribute-updates.ts';
import type { ComparisonOperator } from '../../src/legacy/comparison.ts';
import { conditionOfExpected } from '../../src/legacy/expected.ts';
import { conditionOfFilter } from '../../src/legacy/filter.ts';
import { keyConditionOfConditions } from '../../src/legacy/key-conditions.ts';
import type { AttributeValue, Item } from '../../src/values/attribute-value.ts';
import { valueOfType } from './support.ts';

const S = { S: 'a' };
const N = { N: '1' };
const validationError = 'One or more parameter values were invalid: ';
const operation = (ComparisonOperator: ComparisonOperator, ...AttributeValueList: AttributeValue[]) => ({
  ComparisonOperator,
  AttributeValueList,
});

describe('Expected', () => {
  it.each([
    [{}, 'Value must be provided when Exists is null'],
    [{ Exists: true }, 'Value must be provided when Exists is true'],
    [{ Exists: false, Value: S }, 'Value cannot be used when Exists is false'],
    [{ ComparisonOperator: 'LT' as const }, 'Value or AttributeValueList must be used with ComparisonOperator: LT'],
    [{ ComparisonOperator: 'LT' as const, Exists: true }, 'Exists and ComparisonOperator cannot be used together'],
    [{ ...operation('LT', S), Value: S }, 'Value and AttributeValueList cannot be used together'],
    [{ AttributeValueList: [S] }, 'AttributeValueList can only be used with a ComparisonOperator'],
    [{ AttributeValueList: [S], Exists: true }, 'AttributeValueList can only be used with a ComparisonOperator'],
  ])('%j: %s', (attribute, message) => {
    expect(() => conditionOfExpected({ a: attribute }, undefined)).toThrow(
      `${validationError}${message} for Attribute: a`,
    );
  });

  it.each([
    [{ ComparisonOperator: 'NULL' as const, Value: S }, 'NULL'],
    [{ ComparisonOperator: 'BETWEEN' as const, Value: S }, 'BETWEEN'],
    [operation('EQ'), 'EQ'],
    [operation('IN'), 'IN'],
    [operation('BETWEEN', N, N, N), 'BETWEEN'],
  ])('%j has the wrong number of arguments', (attribute, operator) => {
    expect(() => conditionOfExpected({ a: attribute }, undefined)).toThrow(
      `${validationError}Invalid number of argument(s) for the ${operator} ComparisonOperator`,
    );
  });

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

  it('accepts a ConditionalOperator for two attributes or more', () => {
    expect(() => conditionOfExpected({}, 'OR')).toThrow(
      'ConditionalOperator cannot be used without Filter or Expected',
    );
    expect(() => conditionOfExpected({ a: { Exists: false } }, 'AND')).toThrow(
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    );
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

  it.each<[ComparisonOperator, string]>([
    ['LT', 'BOOL NULL SS NS BS L M'],
    ['IN', 'BOOL NULL SS NS BS L M'],
    ['CONTAINS', 'SS NS BS L M'],
    ['NOT_CONTAINS', 'SS NS BS L M'],
    ['BEGINS_WITH', 'N BOOL NULL SS NS BS L M'],
  ])('%s does not accept %s', (operator, types) => {
    for (const type of types.split(' ')) {
      expect(() => test('a', operator, valueOfType[`:${type}`] as AttributeValue)).toThrow(
        `${validationError}ComparisonOperator ${operator} is not valid for ${type} AttributeValue type`,
      );
    }
  });

  it('refuses arguments that do not match each other', () => {
    expect(() => test('a', 'IN', S, N)).toThrow('AttributeValues inside AttributeValueList must be of same type');
    expect(() => test('a', 'BETWEEN', { S: 'b' }, S)).toThrow(
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    );
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

  it('are key conditions', () => {
    expect(keyConditionOfConditions({ a: eq }, keys)).toEqual({ hash: S });
    expect(keyConditionOfConditions({ b: operation('BETWEEN', N, N), a: eq }, keys)).toEqual({
      hash: S,
      range: { operator: 'BETWEEN', values: [N, N] },
    });
    expect(keyConditionOfConditions({ a: eq, b: operation('GE', N) }, keys).range?.operator).toBe('>=');
  });

  it.each([
    [{}, 'Conditions can be of length 1 or 2 only'],
    [{ a: operation('NULL'), b: operation('NULL'), c: operation('NULL') }, 'Conditions can be of length 1 or 2 only'],
    [{ a: operation('EQ'), b: operation('NULL'), c: operation('NULL') }, 'Invalid number of argument(s) for the EQ'],
    [{ z: operation('NULL') }, 'Query condition missed key schema element: a'],
    [{ a: operation('NE', N) }, 'Attempted conditional constraint is not an indexable operation'],
    [{ a: eq, b: operation('IN', S) }, 'Attempted conditional constraint is not an indexable operation'],
    [{ a: eq, c: operation('NULL') }, 'Query condition missed key schema element: b'],
    [{ a: operation('LE', S) }, 'Query key condition not supported'],
    [{ a: operation('EQ', N) }, 'Condition parameter type does not match schema type'],
  ])('%j: %s', (conditions, message) => {
    expect(() => keyConditionOfConditions(conditions, keys)).toThrow(message);
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
    [{}, 'Only DELETE action is allowed when no attribute value is specified'],
    [{ Action: 'ADD' as const }, 'Only DELETE action is allowed when no attribute value is specified'],
    [{ Action: 'DELETE' as const, Value: S }, 'DELETE action with value is not supported for the type S'],
    [{ Action: 'ADD' as const, Value: { M: {} } }, 'ADD action is not supported for the type M'],
  ])('%j: %s', (update, message) => {
    expect(() => updateOfAttributeUpdates({ a: update })).toThrow(`${validationError}${message}`);
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
