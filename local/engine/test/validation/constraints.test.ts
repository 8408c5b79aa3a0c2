import { describe, expect, test } from 'vitest';

import { validationError, refusal, violations } from './refusals.ts';

const pattern = 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+';
const missing = 'Member must not be null';
const longerThan = (length: number) => `Member must have length greater than or equal to ${length}`;
const shorterThan = (length: number) => `Member must have length less than or equal to ${length}`;
const oneOf = (...names: string[]) => `Member must satisfy enum value set: [${names.join(', ')}]`;

describe('names of tables', () => {
  test('missing, short, long and of wrong characters', () => {
    expect(refusal('Query', {})).toBe(violations(['null', 'tableName', missing]));
    expect(refusal('Query', { TableName: 'a;' })).toBe(
      violations([`'a;'`, 'tableName', pattern], [`'a;'`, 'tableName', longerThan(3)]),
    );
    const long = 'a'.repeat(256);
    expect(refusal('Query', { TableName: long })).toBe(violations([`'${long}'`, 'tableName', shorterThan(255)]));
    expect(refusal('PutItem', { TableName: 'bad table!@#', Item: {} })).toBe(
      violations([`'bad table!@#'`, 'tableName', pattern]),
    );
  });

  test('empty, alone and with another error', () => {
    expect(refusal('PutItem', { TableName: '', Item: {} })).toBe(violations([`''`, 'tableName', longerThan(1)]));
    expect(refusal('GetItem', { TableName: '' })).toBe(
      violations(['null', 'key', missing], [`''`, 'tableName', pattern], [`''`, 'tableName', longerThan(3)]),
    );
  });

  test('of tables that are made or described', () => {
    const required = validationError("The parameter 'TableName' is required but was not present in the request");
    const length = validationError('TableName must be at least 3 characters long and at most 255 characters long');
    for (const operation of ['DeleteTable', 'DescribeTable', 'UpdateTable', 'DescribeTimeToLive']) {
      expect(refusal(operation, {})).toBe(required);
      expect(refusal(operation, { TableName: 'a;' })).toBe(length);
      expect(refusal(operation, { TableName: 'a'.repeat(256) })).toBe(length);
      expect(refusal(operation, { TableName: 'abc;' })).toBe(violations([`'abc;'`, 'tableName', pattern]));
    }
    expect(refusal('CreateTable', {})).toBe(required);
    const input = { TableName: 'ab', AttributeDefinitions: [], KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }] };
    expect(refusal('CreateTable', input)).toBe(violations([`'ab'`, 'tableName', longerThan(3)]));
  });
});

describe('all violated constraints are reported', () => {
  test('of one structure', () => {
    const input = {
      TableName: 'abc;',
      ReturnConsumedCapacity: 'hi',
      ReturnItemCollectionMetrics: 'hi',
      ReturnValues: 'hi',
    };
    expect(refusal('PutItem', input)).toBe(
      violations(
        [`'hi'`, 'returnConsumedCapacity', oneOf('INDEXES', 'TOTAL', 'NONE')],
        [`'abc;'`, 'tableName', pattern],
        ['null', 'item', missing],
        [`'hi'`, 'returnValues', oneOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW')],
        [`'hi'`, 'returnItemCollectionMetrics', oneOf('SIZE', 'NONE')],
      ),
    );
  });

  test('of nested structures', () => {
    const input = {
      TableName: 'abc',
      AttributeDefinitions: [{}],
      KeySchema: [{ KeyType: 'HASH' }, { AttributeName: 'a' }, { KeyType: 'Woop', AttributeName: 'a' }],
    };
    const schema =
      '[KeySchemaElement(keyType=HASH), KeySchemaElement(attributeName=a), KeySchemaElement(keyType=Woop, attributeName=a)]';
    expect(refusal('CreateTable', input)).toBe(
      violations(
        ['null', 'attributeDefinitions.1.member.attributeName', missing],
        ['null', 'attributeDefinitions.1.member.attributeType', missing],
        [`'${schema}'`, 'keySchema', shorterThan(2)],
        ['null', 'keySchema.1.member.attributeName', missing],
        ['null', 'keySchema.2.member.keyType', missing],
        [`'Woop'`, 'keySchema.3.member.keyType', oneOf('HASH', 'RANGE')],
      ),
    );
  });

  test('ten at most', () => {
    const input = {
      TableName: 'abc',
      AttributeDefinitions: [],
      KeySchema: [],
      LocalSecondaryIndexes: [{}, {}, {}, {}],
    };
    expect(refusal('CreateTable', input)).toMatch(/^ValidationException: 10 validation errors detected: /);
  });

  test('nulls in lists and maps', () => {
    expect(refusal('TransactWriteItems', { TransactItems: [null] })).toBe(
      violations(['null', 'transactItems.1.member', missing]),
    );
    expect(refusal('BatchWriteItem', { RequestItems: { abc: null } })).toBe(
      violations(['null', 'requestItems.abc.member', missing]),
    );
  });
});

describe('values', () => {
  test('have bounds', () => {
    expect(refusal('ListTables', { Limit: 0 })).toBe(
      violations([`'0'`, 'limit', 'Member must have value greater than or equal to 1']),
    );
    expect(refusal('ListTables', { Limit: 101 })).toBe(
      violations([`'101'`, 'limit', 'Member must have value less than or equal to 100']),
    );
    expect(refusal('Scan', { TableName: 'abc', Limit: 0 })).toBe(
      violations([`'0'`, 'limit', 'Member must have value greater than or equal to 1']),
    );
  });

  test('the limit of a query has its own words, unless something else is wrong', () => {
    expect(refusal('Query', { TableName: 'abc', Limit: 0 })).toBe(
      validationError(
        "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      ),
    );
    expect(refusal('Query', { Limit: -1 })).toBe(
      violations(
        ['null', 'tableName', missing],
        [`'-1'`, 'limit', 'Member must have value greater than or equal to 1'],
      ),
    );
  });
});

describe('maps of tables', () => {
  const keysRule = `Map keys must satisfy constraint: [${shorterThan(255)}, ${longerThan(3)}, ${pattern}]`;

  test('BatchGetItem', () => {
    expect(refusal('BatchGetItem', {})).toBe(violations(['null', 'requestItems', missing]));
    expect(refusal('BatchGetItem', { RequestItems: {} })).toBe(
      validationError('The requestItems parameter is required for BatchGetItem'),
    );
    expect(refusal('BatchGetItem', { RequestItems: { 'aa;': {} } })).toBe(
      violations(
        [`'{aa;=KeysAndAttributes()}'`, 'requestItems', keysRule],
        ['null', 'requestItems.aa;.member.keys', missing],
      ),
    );
    const Keys = Array.from({ length: 101 }, (_, i) => ({ a: { S: String(i) } }));
    expect(refusal('BatchGetItem', { RequestItems: { keys: { Keys } } })).toBe(
      validationError(
        `1 validation error detected: Value at 'RequestItems.keys.member.Keys' failed to satisfy constraint: ${shorterThan(100)}`,
      ),
    );
  });

  test('BatchWriteItem', () => {
    expect(refusal('BatchWriteItem', { RequestItems: {} })).toBe(
      validationError('The requestItems parameter is required for BatchWriteItem'),
    );
    const valuesRule = `Map value must satisfy constraint: [${shorterThan(25)}, ${longerThan(1)}]`;
    expect(refusal('BatchWriteItem', { RequestItems: { a: [] } })).toBe(
      violations([`'{a=[]}'`, 'requestItems', keysRule], [`'{a=[]}'`, 'requestItems', valuesRule]),
    );
    const requests = Array.from({ length: 26 }, (_, i) => ({ PutRequest: { Item: { a: { S: String(i) } } } }));
    const refused = refusal('BatchWriteItem', { RequestItems: { abc: requests } });
    expect(refused).toMatch(/^ValidationException: 1 validation error detected: Value '\{abc=\[WriteRequest\(/);
    expect(refused.endsWith(`]}' at 'requestItems' failed to satisfy constraint: ${valuesRule}`)).toBe(true);
    expect(refusal('BatchWriteItem', { RequestItems: { 'aa;': [{ PutRequest: {}, DeleteRequest: {} }] } })).toBe(
      violations(
        [`'{aa;=[WriteRequest(putRequest=PutRequest(), deleteRequest=DeleteRequest())]}'`, 'requestItems', keysRule],
        ['null', 'requestItems.aa;.member.1.member.deleteRequest.key', missing],
        ['null', 'requestItems.aa;.member.1.member.putRequest.item', missing],
      ),
    );
  });
});
