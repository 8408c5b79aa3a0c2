import { describe, expect, test } from 'vitest';

import { validateRequest } from '../../src/validation/validate.ts';
import { validationError, problem, refusal } from './refusals.ts';

const twoTypes = validationError(
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
);
const noType = validationError('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
const key = { a: { S: 'x' } };

describe('BatchGetItem', () => {
  const batch = (table: object) => refusal('BatchGetItem', { RequestItems: { abc: table } });

  test('checks names, expressions and numbers before keys', () => {
    const Keys = [{ a: {} }];
    expect(batch({ Keys, AttributesToGet: ['a', 'a'] })).toBe(problem('Duplicate value in attribute name: a'));
    expect(batch({ Keys, ProjectionExpression: '', ExpressionAttributeNames: {} })).toBe(
      validationError('ExpressionAttributeNames must not be empty'),
    );
    const many = Array.from({ length: 100 }, (_, i) => ({ a: { S: String(i) } }));
    expect(refusal('BatchGetItem', { RequestItems: { abc: { Keys: many }, abd: { Keys } } })).toBe(
      validationError('Too many items requested for the BatchGetItem call'),
    );
    expect(batch({ Keys })).toBe(noType);
  });

  test('keys take the form in which they are stored', () => {
    const input = validateRequest('BatchGetItem', { RequestItems: { abc: { Keys: [{ a: { N: '01' } }] } } });
    expect(input.RequestItems).toEqual({ abc: { Keys: [{ a: { N: '1' } }] } });
  });
});

describe('BatchWriteItem', () => {
  const batch = (...requests: readonly unknown[]) => refusal('BatchWriteItem', { RequestItems: { abc: requests } });

  test('requests are a put or a delete', () => {
    expect(batch({})).toBe(twoTypes);
    expect(batch({ PutRequest: null })).toBe(twoTypes);
    expect(batch({ PutRequest: { Item: key }, DeleteRequest: { Key: key } })).toBe(twoTypes);
    expect(batch({ PutRequest: { Item: { a: {} } } })).toBe(noType);
    expect(batch({ DeleteRequest: { Key: { a: {} } } })).toBe(noType);
    // Duplicates are detected after the table is known.
    expect(batch({ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } })).toBe('accepted');
  });
});

describe('transactions', () => {
  const write = (...TransactItems: readonly unknown[]) => refusal('TransactWriteItems', { TransactItems });
  const table = { TableName: 'abc' };

  test('have one action an item', () => {
    expect(write({})).toBe(
      validationError('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request'),
    );
    expect(write({ Put: { ...table, Item: key }, Delete: { ...table, Key: key } })).toBe(
      validationError('TransactItems can only contain one of Check, Put, Update or Delete'),
    );
  });

  test('have 1 to 100 items', () => {
    const path = "at 'transactItems' failed to satisfy constraint: Member must have length";
    expect(write()).toBe(validationError(`1 validation error detected: Value '[]' ${path} greater than or equal to 1`));
    const many = Array.from({ length: 101 }, () => ({ Put: { ...table, Item: key } }));
    expect(write(...many)).toMatch(new RegExp(`Value '\\[TransactWriteItem.+\\]' ${path} less than or equal to 100$`));
    expect(write(...many.slice(1))).toBe('accepted');
    expect(refusal('TransactGetItems', { TransactItems: [] })).toMatch(path);
    expect(refusal('TransactGetItems', { TransactItems: [{}] })).toMatch("Value null at 'transactItems.1.member.get'");
  });

  test('check each action', () => {
    expect(write({ Put: { ...table, Item: { a: {} } } })).toBe(noType);
    expect(write({ Update: { ...table, Key: key } })).toMatch("'transactItems.1.member.update.updateExpression'");
    expect(write({ Update: { ...table, Key: key, UpdateExpression: '' } })).toBe(
      validationError('Invalid UpdateExpression: The expression can not be empty;'),
    );
    expect(write({ ConditionCheck: { ...table, Key: key } })).toMatch('conditionCheck.conditionExpression');
    expect(write({ Delete: { ...table, Key: key, ReturnValuesOnConditionCheckFailure: 'none' } })).toMatch(
      "Value 'none' at 'transactItems.1.member.delete.returnValuesOnConditionCheckFailure'",
    );
    expect(refusal('TransactGetItems', { TransactItems: [{ Get: { ...table, Key: { a: {} } } }] })).toBe(noType);
  });

  test('have a token of 1 to 36 characters', () => {
    const TransactItems = [{ Put: { ...table, Item: key } }];
    expect(refusal('TransactWriteItems', { TransactItems, ClientRequestToken: 'x'.repeat(36) })).toBe('accepted');
    expect(refusal('TransactWriteItems', { TransactItems, ClientRequestToken: 'x'.repeat(37) })).toMatch(
      /'clientRequestToken'.*36$/,
    );
  });
});

describe('statements', () => {
  test('have parameters with values', () => {
    const Statement = 'SELECT * FROM abc WHERE a = ?';
    expect(refusal('ExecuteStatement', { Statement, Parameters: [{}] })).toBe(noType);
    expect(refusal('BatchExecuteStatement', { Statements: [{ Statement, Parameters: [{}] }] })).toBe(noType);
    expect(refusal('ExecuteTransaction', { TransactStatements: [{ Statement, Parameters: [{}] }] })).toBe(noType);
    const input = validateRequest('ExecuteStatement', { Statement, Parameters: [{ N: '1.0' }] });
    expect(input).toEqual({ Statement, Parameters: [{ N: '1' }] });
  });

  test('have bounds', () => {
    const message = (path: string) => new RegExp(`at '${path}' failed to satisfy constraint`);
    expect(refusal('ExecuteStatement', {})).toMatch(message('statement'));
    expect(refusal('ExecuteStatement', { Statement: 'x'.repeat(8193) })).toMatch(message('statement'));
    expect(refusal('ExecuteStatement', { Statement: 'x', Parameters: [] })).toMatch(message('parameters'));
    expect(refusal('BatchExecuteStatement', { Statements: [] })).toMatch(message('statements'));
    const many = Array.from({ length: 26 }, () => ({ Statement: 'x' }));
    expect(refusal('BatchExecuteStatement', { Statements: many })).toMatch(message('statements'));
    expect(refusal('ExecuteTransaction', { TransactStatements: [] })).toMatch(message('transactStatements'));
  });
});
