import { describe, expect, test } from 'vitest';

import { validateRequest } from '../../src/validation/validate.ts';
import { validationError, problem, refusal } from './refusals.ts';

describe('legacy conditions', () => {
  const query = (condition: object) => refusal('Query', { TableName: 'abc', QueryFilter: { a: condition } });
  const accepted = validationError(
    'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
  );
  const text = { S: 'a' };

  test.each([
    ['EQ', []],
    ['EQ', [text, text]],
    ['IN', []],
    ['BETWEEN', [text]],
    ['BETWEEN', [text, text, text]],
    ['NULL', [text]],
    ['NOT_NULL', [text]],
  ])('%s does not accept this number of arguments: %j', (ComparisonOperator, AttributeValueList) => {
    expect(query({ ComparisonOperator, AttributeValueList })).toBe(
      problem(`Invalid number of argument(s) for the ${ComparisonOperator} ComparisonOperator`),
    );
  });

  test.each([
    ['LT', { BOOL: true }],
    ['IN', { L: [] }],
    ['CONTAINS', { SS: ['a'] }],
    ['NOT_CONTAINS', { M: {} }],
    ['BEGINS_WITH', { N: '1' }],
  ])('%s does not accept %j', (ComparisonOperator, value) => {
    expect(query({ ComparisonOperator, AttributeValueList: [value] })).toBe(
      problem(`ComparisonOperator ${ComparisonOperator} is not valid for ${Object.keys(value)[0]} AttributeValue type`),
    );
  });

  test('arguments go together', () => {
    expect(query({ ComparisonOperator: 'IN', AttributeValueList: [text, { N: '1' }] })).toBe(
      problem('AttributeValues inside AttributeValueList must be of same type'),
    );
    expect(query({ ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '10' }, { N: '9' }] })).toBe(
      validationError(
        'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
      ),
    );
  });

  test.each([
    ['EQ', [{ SS: ['a'] }]],
    ['BEGINS_WITH', [{ B: 'YQ==' }]],
    ['CONTAINS', [{ BOOL: true }]],
    ['BETWEEN', [{ N: '9' }, { N: '10' }]],
    ['NULL', undefined],
  ])('%s accepts %j', (ComparisonOperator, AttributeValueList) => {
    expect(query({ ComparisonOperator, AttributeValueList })).toBe(accepted);
  });

  test('values take the form in which they are stored', () => {
    const condition = { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1.0' }] };
    const input = validateRequest('Query', { TableName: 'abc', KeyConditions: { a: condition } });
    expect(input.KeyConditions).toEqual({ a: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '1' }] } });
  });
});

describe('the Expected parameter', () => {
  const Value = { S: 'a' };

  test.each([
    [{}, 'Value must be provided when Exists is null for Attribute: a'],
    [{ Exists: true }, 'Value must be provided when Exists is true for Attribute: a'],
    [{ Exists: false, Value }, 'Value cannot be used when Exists is false for Attribute: a'],
    [
      { ComparisonOperator: 'LT' },
      'Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a',
    ],
    [
      { Exists: true, ComparisonOperator: 'LT' },
      'Exists and ComparisonOperator cannot be used together for Attribute: a',
    ],
    [{ AttributeValueList: [] }, 'AttributeValueList can only be used with a ComparisonOperator for Attribute: a'],
    [
      { Exists: true, AttributeValueList: [] },
      'AttributeValueList can only be used with a ComparisonOperator for Attribute: a',
    ],
    [{ Value, AttributeValueList: [] }, 'Value and AttributeValueList cannot be used together for Attribute: a'],
    [{ Value, ComparisonOperator: 'NULL' }, 'Invalid number of argument(s) for the NULL ComparisonOperator'],
    [{ Value, ComparisonOperator: 'BETWEEN' }, 'Invalid number of argument(s) for the BETWEEN ComparisonOperator'],
  ])('%j', (expectation, message) => {
    expect(refusal('PutItem', { TableName: 'abc', Item: {}, Expected: { a: expectation } })).toBe(problem(message));
  });

  test.each([{ Value }, { Exists: false }, { Exists: true, Value }, { ComparisonOperator: 'NULL' }])(
    'accepts %j',
    (expectation) => {
      expect(refusal('PutItem', { TableName: 'abc', Item: {}, Expected: { a: expectation } })).toBe('accepted');
    },
  );

  test('an operator joins two or more', () => {
    const put = (Expected: unknown) =>
      refusal('PutItem', { TableName: 'abc', Item: {}, ConditionalOperator: 'OR', Expected });
    const none = validationError('ConditionalOperator cannot be used without Filter or Expected');
    expect(put(undefined)).toBe(none);
    expect(put({})).toBe(none);
    expect(put({ a: { Exists: false } })).toBe(
      validationError('ConditionalOperator can only be used when Filter or Expected has two or more elements'),
    );
    expect(put({ a: { Exists: false }, b: { Exists: false } })).toBe('accepted');
  });
});

describe('legacy updates', () => {
  const update = (change: object) =>
    refusal('UpdateItem', { TableName: 'abc', Key: {}, AttributeUpdates: { a: change } });

  test.each([{ S: '1' }, { N: '1' }, { B: 'Yg==' }, { NULL: true }, { BOOL: true }, { M: {} }, { L: [] }])(
    'no DELETE of %j',
    (Value) => {
      expect(update({ Action: 'DELETE', Value })).toBe(
        problem(`DELETE action with value is not supported for the type ${Object.keys(Value)[0]}`),
      );
    },
  );

  test.each([{ S: '1' }, { B: 'Yg==' }, { NULL: true }, { BOOL: true }, { M: {} }])('no ADD of %j', (Value) => {
    expect(update({ Action: 'ADD', Value })).toBe(
      problem(`ADD action is not supported for the type ${Object.keys(Value)[0]}`),
    );
  });

  test('accepts', () => {
    expect(update({ Action: 'DELETE' })).toBe('accepted');
    expect(update({ Action: 'DELETE', Value: { SS: ['a'] } })).toBe('accepted');
    expect(update({ Action: 'ADD', Value: { N: '1' } })).toBe('accepted');
    expect(update({ Value: { M: {} } })).toBe('accepted');
  });
});
