import { describe, expect, test } from 'vitest';

import { checkItem, checkValue } from '../../src/validation/values.ts';
import { validationError, problem, refusal } from './refusals.ts';

const noType = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes';
const twoTypes =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes';

describe('attribute values', () => {
  test.each([
    [{}, validationError(noType)],
    [null, validationError(noType)],
    [{ S: null }, validationError(noType)],
    [{ a: '' }, validationError(noType)],
    [{ M: { a: {} } }, validationError(noType)],
    [{ L: [{}] }, validationError(noType)],
    [{ L: [null] }, validationError(noType)],
    [{ S: 'a', N: '1' }, validationError(twoTypes)],
    [{ NULL: false }, problem('Null attribute value types must have the value of true')],
    [{ NULL: 'no' }, problem('Null attribute value types must have the value of true')],
    [{ SS: [] }, problem('An string set  may not be empty')],
    [{ NS: [] }, problem('An number set  may not be empty')],
    [{ BS: [] }, problem('Binary sets should not be empty')],
    [{ SS: ['a', null] }, problem('An string set may not have a null string as a member')],
    [{ SS: ['a', 'b', 'a'] }, problem('Input collection [a, b, a] contains duplicates.')],
    [{ BS: ['Yg==', 'Yg=='] }, problem('Input collection [Yg==, Yg==]of type BS contains duplicates.')],
    [{ NS: ['1', '1.0'] }, validationError('Input collection contains duplicates')],
    [{ S: '', N: '' }, validationError('The parameter cannot be converted to a numeric value')],
    [{ NS: ['1', 'b'] }, validationError('The parameter cannot be converted to a numeric value: b')],
    [{ N: '1'.repeat(39) }, validationError('Attempting to store more than 38 significant digits in a Number')],
  ])('%j', (value, message) => {
    expect(refusal('PutItem', { TableName: 'abc', Item: { a: value } })).toBe(message);
    expect(refusal('GetItem', { TableName: 'abc', Key: { a: value } })).toBe(message);
  });

  test('names', () => {
    expect(refusal('PutItem', { TableName: 'abc', Item: { '': { S: 'a' } } })).toBe(
      validationError('Empty attribute name'),
    );
    expect(refusal('PutItem', { TableName: 'abc', Item: { a: { M: { '': { S: 'a' } } } } })).toBe(
      validationError('Empty attribute name'),
    );
    expect(() => checkItem({ ['é'.repeat(32_768)]: { S: 'a' } })).toThrow('must be less than 65536 bytes');
    expect(() => checkItem({ ['é'.repeat(32_767)]: { S: 'a' } })).not.toThrow();
  });

  test('take the form in which they are stored', () => {
    expect(checkValue({ N: '+001.50e2' })).toStrictEqual({ N: '150' });
    expect(checkValue({ NS: ['1.0', '-0'] })).toStrictEqual({ NS: ['1', '0'] });
    expect(checkValue({ BOOL: 'no' })).toStrictEqual({ BOOL: false });
    expect(checkValue({ NULL: 'true' })).toStrictEqual({ NULL: true });
    expect(checkValue({ S: 'a', N: null, other: 1 })).toStrictEqual({ S: 'a' });
    expect(checkValue({ L: [{ M: {} }, { B: '' }, { SS: [''] }] })).toEqual({
      L: [{ M: {} }, { B: '' }, { SS: [''] }],
    });
  });

  test('may have any name', () => {
    const item = checkItem(JSON.parse('{"__proto__":{"S":"a"},"constructor":{"M":{"__proto__":{"N":"1"}}}}'));
    expect(Object.keys(item)).toStrictEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(item)).toBe('{"__proto__":{"S":"a"},"constructor":{"M":{"__proto__":{"N":"1"}}}}');
  });

  test('are not shared with the request', () => {
    const request = { a: { SS: ['a'] }, b: { L: [{ S: 'a' }] } };
    const item = checkItem(request);
    request.a.SS.push('b');
    request.b.L.push({ S: 'b' });
    expect(item).toEqual({ a: { SS: ['a'] }, b: { L: [{ S: 'a' }] } });
  });

  test('nest to a level of 31', () => {
    const nest = (levels: number): unknown => (levels === 0 ? { S: 'a' } : { L: [nest(levels - 1)] });
    expect(() => checkValue(nest(31))).not.toThrow();
    expect(() => checkValue(nest(32))).toThrow('Nesting Levels have exceeded supported limits');
    expect(refusal('PutItem', { TableName: 'abc', Item: { a: nest(31) } })).toBe('accepted');
    expect(refusal('PutItem', { TableName: 'abc', Item: { a: nest(32) } })).toMatch(/Nesting Levels/);
  });
});

describe('sizes of items', () => {
  const large = (bytes: number) => ({ a: { S: 'x'.repeat(bytes - 1) } });
  const message = validationError('Item size has exceeded the maximum allowed size');

  test.each(['PutItem', 'BatchWriteItem', 'TransactWriteItems'])('%s', (operation) => {
    const request = (Item: unknown) => ({
      TableName: 'abc',
      Item,
      RequestItems: { abc: [{ PutRequest: { Item } }] },
      TransactItems: [{ Put: { TableName: 'abc', Item } }],
    });
    expect(refusal(operation, request(large(409_600)))).toBe('accepted');
    expect(refusal(operation, request(large(409_601)))).toBe(message);
  });

  test('of a transaction', () => {
    const TransactItems = Array.from({ length: 11 }, () => ({ Put: { TableName: 'abc', Item: large(400_000) } }));
    expect(refusal('TransactWriteItems', { TransactItems })).toBe(
      validationError('Transaction payload size cannot exceed 4MB. Payload Size: 4400000'),
    );
  });
});
