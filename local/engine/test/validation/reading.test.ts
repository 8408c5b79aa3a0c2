import { describe, expect, test } from 'vitest';

import { validateRequest } from '../../src/validation/validate.ts';
import { refusal } from './refusals.ts';

const serializationError = (message: string) => `SerializationException: ${message}`;
const collection = (type: string) => serializationError(`Unrecognized collection type ${type}`);
const structure = serializationError('Start of structure or map found where not expected');
const model = 'com.amazonaws.dynamodb.v20120810';
const notAClass = /^SerializationException: class sun\.reflect\.generics.* cannot be cast to class java\.lang\.Class /;

describe('wrong JSON types', () => {
  test.each([
    [true, serializationError('TRUE_VALUE cannot be converted to String')],
    [false, serializationError('FALSE_VALUE cannot be converted to String')],
    [23, serializationError('NUMBER_VALUE cannot be converted to String')],
    [34.56, serializationError('DECIMAL_VALUE cannot be converted to String')],
    [[], collection('class java.lang.String')],
    [{}, structure],
  ])('text: %j', (TableName, message) => {
    expect(refusal('GetItem', { TableName })).toBe(message);
  });

  test.each([
    ['23', serializationError('Unexpected token received from parser')],
    [23, serializationError('NUMBER_VALUE cannot be converted to Boolean')],
    [34.56, serializationError('DECIMAL_VALUE cannot be converted to Boolean')],
    [[], collection('class java.lang.Boolean')],
    [{}, structure],
  ])('boolean: %j', (ConsistentRead, message) => {
    expect(refusal('GetItem', { ConsistentRead })).toBe(message);
  });

  test.each([
    ['23', serializationError('STRING_VALUE cannot be converted to Integer')],
    [true, serializationError('TRUE_VALUE cannot be converted to Integer')],
    [[], collection('class java.lang.Integer')],
    [{}, structure],
  ])('integer: %j', (Limit, message) => {
    expect(refusal('Query', { Limit })).toBe(message);
  });

  test('integer of 64 bits', () => {
    const input = { ProvisionedThroughput: { ReadCapacityUnits: '1' } };
    expect(refusal('CreateTable', input)).toBe(serializationError('STRING_VALUE cannot be converted to Long'));
  });

  test.each([
    ['23', serializationError('Unexpected field type')],
    [23, serializationError('Unexpected field type')],
    [{}, structure],
  ])('list: %j', (AttributesToGet, message) => {
    expect(refusal('GetItem', { AttributesToGet })).toBe(message);
  });

  test('map', () => {
    expect(refusal('GetItem', { Key: 23 })).toBe(serializationError('Unexpected field type'));
    expect(refusal('GetItem', { Key: [] })).toBe(
      collection(`java.util.Map<java.lang.String, ${model}.AttributeValue>`),
    );
    expect(refusal('GetItem', { ExpressionAttributeNames: [] })).toBe(
      collection('java.util.Map<java.lang.String, java.lang.String>'),
    );
    expect(refusal('BatchWriteItem', { RequestItems: [] })).toBe(
      collection(`java.util.Map<java.lang.String, java.util.List<${model}.WriteRequest>>`),
    );
  });

  test('list and map that are members of others', () => {
    expect(refusal('BatchWriteItem', { RequestItems: { a: 23 } })).toMatch(notAClass);
    expect(refusal('BatchWriteItem', { RequestItems: { a: {} } })).toBe(structure);
    expect(refusal('BatchGetItem', { RequestItems: { a: { Keys: [true] } } })).toMatch(notAClass);
  });

  test('structure', () => {
    expect(refusal('CreateTable', { ProvisionedThroughput: 23 })).toBe(serializationError('Unexpected field type'));
    expect(refusal('CreateTable', { KeySchema: ['23'] })).toBe(serializationError('Unexpected value type in payload'));
    expect(refusal('CreateTable', { KeySchema: [[]] })).toBe(collection(`class ${model}.KeySchemaElement`));
  });

  test('the whole input', () => {
    expect(refusal('GetItem', null)).toMatch(/^SerializationException/);
    expect(refusal('GetItem', 'a')).toMatch(/^SerializationException/);
    expect(refusal('GetItem', [])).toBe(collection(`class ${model}.GetItemInput`));
  });
});

describe('wrong JSON types in attribute values', () => {
  const put = (value: unknown) => refusal('PutItem', { Item: { a: value } });

  test.each([
    ['23', serializationError('Unexpected value type in payload')],
    [[], collection(`class ${model}.AttributeValue`)],
    [{ S: 23 }, serializationError('NUMBER_VALUE cannot be converted to String')],
    [{ N: 23 }, serializationError('NUMBER_VALUE cannot be converted to String')],
    [{ B: 23 }, serializationError('only base-64-encoded strings are convertible to bytes')],
    [{ B: [] }, collection('class java.nio.ByteBuffer')],
    [{ B: {} }, structure],
    [{ B: '23456' }, serializationError('Base64 encoded length is expected a multiple of 4 bytes but found: 5')],
    [{ B: '=+/=' }, serializationError('Invalid last non-pad Base64 character dectected')],
    [{ B: '+/+=' }, serializationError('Invalid last non-pad Base64 character dectected')],
    [{ B: 'YWJj??!!' }, serializationError("Invalid Base64 character: '?'")],
    [{ B: '\u{10ffff}ab' }, serializationError("Invalid Base64 character: '\u{dbff}'")],
    [{ BOOL: '23' }, serializationError('Unexpected token received from parser')],
    [{ NULL: 1 }, serializationError('NUMBER_VALUE cannot be converted to Boolean')],
    [{ SS: '23' }, serializationError('Unexpected field type')],
    [{ NS: {} }, structure],
    [{ NS: [1] }, serializationError('NUMBER_VALUE cannot be converted to String')],
    [{ BS: ['a'] }, serializationError('Base64 encoded length is expected a multiple of 4 bytes but found: 1')],
    [{ L: 'a' }, serializationError('Unexpected field type')],
    [{ L: ['a'] }, serializationError('Unexpected value type in payload')],
    [{ M: [] }, collection(`java.util.Map<java.lang.String, ${model}.AttributeValue>`)],
    [{ M: { b: 'a' } }, serializationError('Unexpected value type in payload')],
    [
      { M: { b: { L: [{ BS: [false] }] } } },
      serializationError('only base-64-encoded strings are convertible to bytes'),
    ],
  ])('%j', (value, message) => {
    expect(put(value)).toBe(message);
  });

  test('a value that is a member of a structure', () => {
    const input = { Expected: { a: { Value: 'b' } } };
    expect(refusal('PutItem', input)).toBe(serializationError('Unexpected field type'));
  });

  test('come before constraints', () => {
    expect(refusal('PutItem', { TableName: '', Item: { a: { S: true } } })).toMatch(/^SerializationException/);
  });

  test('nesting has a limit, whatever its depth', () => {
    let deep: unknown = { S: 'a' };
    for (let level = 0; level < 100_000; level += 1) deep = { M: { a: deep } };
    expect(() => validateRequest('PutItem', { TableName: 'abc', Item: { a: deep } })).toThrow(
      'Nesting Levels have exceeded supported limits',
    );
  });
});

describe('ignored members', () => {
  test('unknown members and nulls', () => {
    const input = { TableName: 'abc', Key: { a: { S: 'b', other: 1 } }, Nonsense: [], ConsistentRead: null };
    expect(validateRequest('GetItem', input)).toStrictEqual({
      TableName: 'abc',
      Key: Object.assign(Object.create(null), { a: { S: 'b' } }),
    });
  });

  test('members that every object inherits', () => {
    const input = JSON.parse('{"TableName":"abc","__proto__":{"Key":{}},"constructor":1}') as unknown;
    expect(refusal('GetItem', input)).toMatch(/'key'/);
  });

  test('an unknown operation is refused', () => {
    expect(refusal('constructor', {})).toMatch(/^UnknownOperationException/);
  });
});
