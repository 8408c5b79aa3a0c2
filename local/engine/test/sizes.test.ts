import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { itemSize, valueSize } from '../src/values/size.ts';
import { type Asked, type Json, openAsked, tableOf, texts } from './support.ts';

/**
 * AWS documents the size of a number as about one byte for two significant digits plus one byte. Pairs begin at the
 * decimal point, as in DynamoDB Local.
 */
describe('the size of a number', () => {
  it.each([
    ['0', 1],
    ['1', 2],
    ['12', 2],
    ['123', 3],
    ['1234', 3],
    ['10', 2],
    ['100', 2],
    ['110', 3],
    ['1100', 2],
    ['120000000000000', 3],
    ['1000000000000000', 2],
    ['1.5', 3],
    ['12.5', 3],
    ['1.25', 3],
    ['12.34', 3],
    ['0.1', 2],
    ['0.01', 2],
    ['0.012', 3],
    ['0.0123', 3],
    ['0.001', 2],
  ])('of %s is %i bytes', (N, bytes) => {
    expect(valueSize({ N })).toBe(bytes);
  });

  it('has one more byte for a minus', () => {
    expect(['-1', '-123', '-1.5', '-12'].map((N) => valueSize({ N }))).toEqual([3, 4, 4, 3]);
  });

  it('is 21 bytes at most', () => {
    const digits = '2345678901234567890123456789012345678';
    expect([`1.${digits}`, `-1.${digits}`, `12${digits.slice(1)}`].map((N) => valueSize({ N }))).toEqual([21, 21, 20]);
  });

  it('is the same in sets and lists', () => {
    expect(valueSize({ NS: ['0', '1.5', '-1'] })).toBe(7);
    expect(valueSize({ L: [{ N: '0' }, { S: 'ab' }] })).toBe(8);
    expect(itemSize({ id: { S: 'a' }, n: { N: '1.5' } })).toBe(7);
  });
});

describe('the size of an item', () => {
  let engine: Asked;

  beforeEach(async () => {
    engine = openAsked();
    const table = tableOf('Walks', 'id / step');
    const byKind = {
      IndexName: 'byKind',
      KeySchema: [
        { AttributeName: 'id', KeyType: 'HASH' },
        { AttributeName: 'kind', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    };
    const attributes = [...(table['AttributeDefinitions'] as Json[]), { AttributeName: 'kind', AttributeType: 'S' }];
    await engine.ask('CreateTable', {
      ...table,
      AttributeDefinitions: attributes,
      LocalSecondaryIndexes: [byKind],
    });
  });
  afterEach(() => engine.close());

  const key = texts({ id: '1', step: 'a' });
  const ofKey = 'id1stepa'.length;
  const maxItemBytes = 409_600;
  const put = (attributes: Record<string, string>, bytes: number) => {
    const item = texts({ ...attributes, pad: '' });
    const pad = 'x'.repeat(bytes - itemSize({ ...key, ...item } as never));
    return engine.refusal('PutItem', { TableName: 'Walks', Item: { ...key, ...item, pad: { S: pad } } });
  };

  it('is 400 KB at most', async () => {
    expect(await put({}, maxItemBytes)).toBeUndefined();
    expect(await put({}, maxItemBytes + 1)).toBe('Item size has exceeded the maximum allowed size');
  });

  it('includes its entries in local indexes', async () => {
    const ofEntry = ofKey + 'kindoak'.length;
    expect(await put({ kind: 'oak' }, maxItemBytes - ofEntry)).toBeUndefined();
    expect(await put({ kind: 'oak' }, maxItemBytes - ofEntry + 1)).toBe(
      'Item size has exceeded the maximum allowed size',
    );
    await put({}, maxItemBytes - ofEntry);
    expect(
      await engine.refusal('UpdateItem', {
        TableName: 'Walks',
        Key: key,
        UpdateExpression: 'SET kind = :k',
        ExpressionAttributeValues: texts({ ':k': 'oak' }),
      }),
    ).toBe('Item size to update has exceeded the maximum allowed size');
  });
});
