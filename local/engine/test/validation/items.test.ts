import { describe, expect, test } from 'vitest';

import { validateRequest } from '../../src/validation/validate.ts';
import { validationError, problem, refusal } from './refusals.ts';

const get = { TableName: 'abc', Key: {} };
const put = { TableName: 'abc', Item: {} };
const noType = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes';
const mixed = (legacy: string, expressions: string) =>
  validationError(
    'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${legacy}} Expression parameters: {${expressions}}`,
  );

describe('expressions and legacy parameters', () => {
  test('do not mix', () => {
    expect(refusal('GetItem', { ...get, AttributesToGet: ['a'], ProjectionExpression: '' })).toBe(
      mixed('AttributesToGet', 'ProjectionExpression'),
    );
    const all = { Expected: {}, AttributeUpdates: {}, ConditionalOperator: 'AND' };
    expect(refusal('UpdateItem', { ...get, ...all, UpdateExpression: '', ConditionExpression: '' })).toBe(
      mixed('AttributeUpdates, Expected, ConditionalOperator', 'UpdateExpression, ConditionExpression'),
    );
    expect(refusal('PutItem', { ...put, Expected: {}, ConditionExpression: '' })).toBe(
      mixed('Expected', 'ConditionExpression'),
    );
  });

  test('names and values are for expressions', () => {
    const [ExpressionAttributeNames, ExpressionAttributeValues] = [{}, {}];
    expect(refusal('GetItem', { ...get, ExpressionAttributeNames })).toBe(
      validationError('ExpressionAttributeNames can only be specified when using expressions'),
    );
    const only = 'ExpressionAttributeValues can only be specified when using expressions: ';
    expect(refusal('PutItem', { ...put, ExpressionAttributeValues })).toBe(
      validationError(`${only}ConditionExpression is null`),
    );
    expect(refusal('UpdateItem', { ...get, ExpressionAttributeValues })).toBe(
      validationError(`${only}UpdateExpression and ConditionExpression are null`),
    );
    expect(refusal('Query', { TableName: 'abc', ProjectionExpression: 'a', ExpressionAttributeValues })).toBe(
      validationError(`${only}FilterExpression and KeyConditionExpression are null`),
    );
  });
});

describe('names and values of expressions', () => {
  const update = { ...get, UpdateExpression: 'set a = :a' };

  test.each([
    [{}, 'ExpressionAttributeNames must not be empty'],
    [{ a: 'a' }, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"'],
    [{ '#': 'a' }, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"'],
    [{ '#a-b': 'a' }, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"'],
    [{ '': 'a' }, 'ExpressionAttributeNames contains invalid key: Syntax error; key: ""'],
    [
      { ['#'.padEnd(256, 'a')]: 'a' },
      'ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    ],
    [{ '#a': '' }, 'ExpressionAttributeNames contains invalid value: Empty attribute name for key #a'],
    [{ '#a': null }, 'ExpressionAttributeNames contains invalid value: null for key #a'],
    [
      { '#a': 'x'.repeat(65_536) },
      'ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #a',
    ],
  ])('names %#', (ExpressionAttributeNames, message) => {
    expect(refusal('UpdateItem', { ...update, ExpressionAttributeNames })).toBe(validationError(message));
  });

  test.each([
    [{}, 'ExpressionAttributeValues must not be empty'],
    [{ ':b': {}, b: { S: 'a' } }, 'ExpressionAttributeValues contains invalid key: Syntax error; key: "b"'],
    [{ ':b': {} }, `ExpressionAttributeValues contains invalid value: ${noType} for key :b`],
    [
      { ':b': { SS: [] } },
      'ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :b',
    ],
    [
      { ':b': { N: 'b' } },
      'ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: b for key :b',
    ],
  ])('values %j', (ExpressionAttributeValues, message) => {
    expect(refusal('UpdateItem', { ...update, ExpressionAttributeValues })).toBe(validationError(message));
  });

  test('the expression that is parsed first is not empty', () => {
    const empty = (name: string) => validationError(`Invalid ${name}: The expression can not be empty;`);
    expect(refusal('UpdateItem', { ...get, UpdateExpression: '', ConditionExpression: '' })).toBe(
      empty('UpdateExpression'),
    );
    expect(refusal('UpdateItem', { ...get, ConditionExpression: '' })).toBe(empty('ConditionExpression'));
    expect(refusal('UpdateItem', { ...update, ConditionExpression: '' })).toBe('accepted');
  });

  test('values take the form in which they are stored', () => {
    const input = validateRequest('UpdateItem', { ...update, ExpressionAttributeValues: { ':a': { N: '1.0' } } });
    expect(input.ExpressionAttributeValues).toEqual({ ':a': { N: '1' } });
  });
});

describe('order of checks', () => {
  const bad = { a: {} };

  test('values of keys and items come after mixtures and before expressions', () => {
    const names = { ExpressionAttributeNames: {}, ConditionExpression: '' };
    expect(refusal('PutItem', { TableName: 'abc', Item: bad, ...names })).toBe(validationError(noType));
    expect(refusal('DeleteItem', { TableName: 'abc', Key: bad, ...names })).toBe(validationError(noType));
    expect(refusal('PutItem', { TableName: 'abc', Item: bad, ...names, Expected: {} })).toMatch(/Can not use both/);
  });

  test('updates come after the key and before what the item has to be', () => {
    const legacy = { AttributeUpdates: { a: {} }, Expected: { a: {} } };
    const onlyDelete = problem('Only DELETE action is allowed when no attribute value is specified');
    expect(refusal('UpdateItem', { TableName: 'abc', Key: bad, ...legacy })).toBe(validationError(noType));
    expect(refusal('UpdateItem', { ...get, ...legacy })).toBe(onlyDelete);
  });
});

describe('other parameters', () => {
  test('returned values of a put and a delete', () => {
    const message = validationError('ReturnValues can only be ALL_OLD or NONE');
    expect(refusal('PutItem', { ...put, ReturnValues: 'ALL_NEW' })).toBe(message);
    expect(refusal('DeleteItem', { ...get, ReturnValues: 'UPDATED_NEW' })).toBe(message);
    expect(refusal('UpdateItem', { ...get, ReturnValues: 'UPDATED_NEW' })).toBe('accepted');
  });

  test('attributes that are asked for', () => {
    expect(refusal('GetItem', { ...get, AttributesToGet: ['a', 'a'] })).toBe(
      problem('Duplicate value in attribute name: a'),
    );
    expect(refusal('GetItem', { ...get, AttributesToGet: [''] })).toBe(validationError('Empty attribute name'));
  });
});
