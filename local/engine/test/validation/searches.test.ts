import { describe, expect, test } from 'vitest';

import { validationError, problem, refusal } from './refusals.ts';

const noType = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes';
const equal = { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] };
const query = (input: object) => refusal('Query', { TableName: 'abc', ...input });
const scan = (input: object) => refusal('Scan', { TableName: 'abc', ...input });
const byKey = { KeyConditions: { a: equal } };

describe('Query', () => {
  test('needs conditions for the key, one or two', () => {
    const number = validationError('Conditions can be of length 1 or 2 only');
    expect(query({})).toBe(
      validationError('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'),
    );
    expect(query({ KeyConditions: {} })).toBe(number);
    expect(query({ KeyConditions: { a: equal, b: equal, c: equal } })).toBe(number);
    expect(query(byKey)).toBe('accepted');
    expect(query({ KeyConditionExpression: 'a = b' })).toBe('accepted');
  });

  test('may have KeyConditions beside other expressions', () => {
    const mixed = (legacy: string, expressions: string) =>
      validationError(
        'Can not use both expression and non-expression parameters in the same request: ' +
          `Non-expression parameters: {${legacy}} Expression parameters: {${expressions}}`,
      );
    expect(query({ ...byKey, FilterExpression: 'b = c' })).toBe('accepted');
    expect(query({ ...byKey, QueryFilter: {}, FilterExpression: 'b = c' })).toBe(
      mixed('QueryFilter', 'FilterExpression'),
    );
    expect(query({ ...byKey, KeyConditionExpression: 'b = c' })).toBe(mixed('KeyConditions', 'KeyConditionExpression'));
  });

  test('checks in order: filter, attributes, starting key, conditions for the key, expressions', () => {
    const wrong = { ComparisonOperator: 'EQ', AttributeValueList: [] };
    const all = {
      QueryFilter: { a: wrong },
      AttributesToGet: ['a', 'a'],
      ExclusiveStartKey: { a: {} },
      KeyConditions: { a: { ComparisonOperator: 'LT' } },
    };
    expect(query(all)).toBe(problem('Invalid number of argument(s) for the EQ ComparisonOperator'));
    expect(query({ ...all, QueryFilter: {} })).toBe(problem('Duplicate value in attribute name: a'));
    const { ExclusiveStartKey, KeyConditions } = all;
    expect(query({ ExclusiveStartKey, KeyConditions })).toBe(
      validationError(`The provided starting key is invalid: ${noType}`),
    );
    expect(query({ KeyConditions })).toBe(problem('Invalid number of argument(s) for the LT ComparisonOperator'));
    const empty = { KeyConditionExpression: '', ExpressionAttributeNames: {} };
    expect(query({ ExclusiveStartKey, ...empty })).toBe(
      validationError(`The provided starting key is invalid: ${noType}`),
    );
    expect(query(empty)).toBe(validationError('ExpressionAttributeNames must not be empty'));
  });
});

describe('Scan', () => {
  test('checks in order: attributes, filter, starting key, segments, expressions', () => {
    const all = {
      AttributesToGet: ['a', 'a'],
      ScanFilter: { a: { ComparisonOperator: 'EQ' } },
      ExclusiveStartKey: { a: {} },
      Segment: 1,
    };
    expect(scan(all)).toBe(problem('Duplicate value in attribute name: a'));
    expect(scan({ ...all, AttributesToGet: ['a'] })).toBe(
      problem('Invalid number of argument(s) for the EQ ComparisonOperator'),
    );
    expect(scan({ ExclusiveStartKey: { a: {} }, Segment: 1 })).toBe(
      validationError(`The provided starting key is invalid: ${noType}`),
    );
    expect(scan({ Segment: 1, FilterExpression: '' })).toBe(
      validationError(
        'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
      ),
    );
    expect(scan({ FilterExpression: '', ProjectionExpression: '' })).toBe(
      validationError('Invalid FilterExpression: The expression can not be empty;'),
    );
  });

  test('segments', () => {
    expect(scan({ TotalSegments: 1 })).toBe(
      validationError(
        'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
      ),
    );
    expect(scan({ Segment: 5, TotalSegments: 5 })).toBe(
      validationError(
        'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5',
      ),
    );
    expect(scan({ Segment: 4, TotalSegments: 5 })).toBe('accepted');
  });
});

describe('starting keys', () => {
  const prefix = 'The provided starting key is invalid: ';

  test.each([
    [{}, validationError(prefix + noType)],
    [{ S: 'a', N: '1' }, expect.stringContaining(prefix)],
    [{ NULL: false }, expect.stringContaining(prefix)],
    [{ SS: [] }, expect.stringContaining(prefix)],
    [{ BS: [] }, expect.stringContaining(prefix)],
    [{ NS: [] }, problem('An number set  may not be empty')],
    [{ SS: ['a', 'a'] }, problem('Input collection [a, a] contains duplicates.')],
    [{ N: 'b' }, validationError('The parameter cannot be converted to a numeric value: b')],
  ])('%j', (value, message) => {
    expect(scan({ ExclusiveStartKey: { a: value } })).toEqual(message);
  });
});

describe('Select', () => {
  test.each([
    [
      { Select: 'COUNT', AttributesToGet: ['a'] },
      'Cannot specify the AttributesToGet when choosing to get only the Count',
    ],
    [
      { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'a' },
      'Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES',
    ],
    [
      { Select: 'SPECIFIC_ATTRIBUTES' },
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    ],
    [
      { Select: 'ALL_PROJECTED_ATTRIBUTES' },
      'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    ],
  ])('%j', (input, message) => {
    expect(scan(input)).toBe(validationError(message));
  });

  test.each([
    { Select: 'COUNT' },
    { Select: 'SPECIFIC_ATTRIBUTES', AttributesToGet: ['a'] },
    { Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: 'a' },
    { Select: 'ALL_PROJECTED_ATTRIBUTES', IndexName: 'index' },
  ])('accepts %j', (input) => {
    expect(scan(input)).toBe('accepted');
  });
});
