import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ItemStore } from '../src/storage/item-store.ts';
import { type Asked, type Json, openAsked, tableOf, texts } from './support.ts';

let engine: Asked;

beforeEach(async () => {
  engine = openAsked();
  const walks = tableOf('Walks', 'id / step');
  const attributes = walks['AttributeDefinitions'] as Json[];
  await engine.ask('CreateTable', {
    ...walks,
    AttributeDefinitions: [...attributes, { AttributeName: 'kind', AttributeType: 'S' }],
    LocalSecondaryIndexes: [
      {
        IndexName: 'byKind',
        KeySchema: [
          { AttributeName: 'id', KeyType: 'HASH' },
          { AttributeName: 'kind', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  await engine.ask('CreateTable', tableOf('Trees', 'id'));
});
afterEach(() => {
  vi.restoreAllMocks();
  engine.close();
});

const key = texts({ id: '1', step: 'a' });
const walk = { TableName: 'Walks', Key: key };
const metrics = { ItemCollectionKey: texts({ id: '1' }), SizeEstimateRangeGB: [0, 1] };
const tree = { TableName: 'Trees', Item: texts({ id: '1' }) };

const writes: readonly (readonly [string, Json, unknown])[] = [
  ['PutItem', { TableName: 'Walks', Item: key }, metrics],
  ['UpdateItem', walk, metrics],
  ['DeleteItem', walk, metrics],
  ['PutItem', tree, undefined],
  [
    'BatchWriteItem',
    { RequestItems: { Walks: [{ PutRequest: { Item: key } }], Trees: [{ PutRequest: { Item: tree.Item } }] } },
    { Walks: [metrics] },
  ],
  [
    'TransactWriteItems',
    { TransactItems: [{ Put: tree }, { Update: { ...walk, UpdateExpression: 'REMOVE a' } }] },
    { Walks: [metrics] },
  ],
];

describe('the sizes of item collections', () => {
  it.each(writes)('are answered by %s if there is a local index: %j', async (operation, body, expected) => {
    await engine.ask('PutItem', { TableName: 'Walks', Item: key });
    const answer = await engine.ask(operation, { ...body, ReturnItemCollectionMetrics: 'SIZE' });
    expect(answer['ItemCollectionMetrics']).toEqual(expected);
  });

  it.each(writes)('are not computed for %s unless requested: %j', async (operation, body) => {
    await engine.ask('PutItem', { TableName: 'Walks', Item: key });
    const measure = vi.spyOn(ItemStore.prototype, 'measureCollection');
    for (const wish of [{}, { ReturnItemCollectionMetrics: 'NONE' }]) {
      expect((await engine.ask(operation, { ...body, ...wish }))['ItemCollectionMetrics']).toBeUndefined();
    }
    expect(measure).not.toHaveBeenCalled();
  });
});
