import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Asked, type Json, openAsked, tableOf, texts } from './support.ts';

let engine: Asked;

beforeEach(async () => {
  engine = openAsked();
  await engine.ask('CreateTable', tableOf('Walks', 'id / step', { byKind: 'kind / step' }));
});
afterEach(() => engine.close());

const kilobyte = 1024;
const overhead = 'id1stepakindoakpad'.length;

/** Puts an item of this size. */
const put = (step: string, bytes: number) =>
  engine.ask('PutItem', {
    TableName: 'Walks',
    Item: texts({ id: '1', step, kind: 'oak', pad: 'x'.repeat(bytes - overhead) }),
  });

const filter = { FilterExpression: 'kind = :none' };
const none = texts({ ':none': 'none' });
const byId = { KeyConditionExpression: 'id = :i', ExpressionAttributeValues: texts({ ':i': '1' }) };
const byKind = {
  IndexName: 'byKind',
  KeyConditionExpression: 'kind = :k',
  ExpressionAttributeValues: texts({ ':k': 'oak' }),
};

describe('a page', () => {
  it.each<[string, string, Json]>([
    ['a query', 'Query', byId],
    ['a query of an index', 'Query', byKind],
    ['a query that counts', 'Query', { ...byId, Select: 'COUNT' }],
    ['a query with a filter that finds nothing', 'Query', { ...byId, ...filter, ...both(byId, none) }],
    ['a scan', 'Scan', {}],
    ['a scan with a filter that finds nothing', 'Scan', { ...filter, ExpressionAttributeValues: none }],
  ])('of %s ends with the item that exceeds 1 MB', async (_what, operation, body) => {
    for (const step of ['a', 'b', 'c', 'd']) await put(step, 384 * kilobyte);
    const first = await engine.ask(operation, { TableName: 'Walks', ...body });
    expect([first['ScannedCount'], (first['LastEvaluatedKey'] as Json)['step']]).toEqual([3, { S: 'c' }]);
    const start = { ExclusiveStartKey: first['LastEvaluatedKey'] };
    const second = await engine.ask(operation, { TableName: 'Walks', ...body, ...start });
    expect([second['ScannedCount'], second['LastEvaluatedKey']]).toEqual([1, undefined]);
  });

  it('of 1 MB continues; one of a byte more has a last key even if nothing is left', async () => {
    await put('a', 384 * kilobyte);
    await put('b', 384 * kilobyte);
    await put('c', 256 * kilobyte);
    const query = () => engine.ask('Query', { TableName: 'Walks', ...byId });
    expect((await query())['LastEvaluatedKey']).toBeUndefined();
    await put('c', 256 * kilobyte + 1);
    expect((await query())['LastEvaluatedKey']).toEqual(texts({ id: '1', step: 'c' }));
  });
});

describe('the starting key of a page', () => {
  const noEmpty = (place: string) =>
    'The provided starting key is invalid: One or more parameter values are not valid. ' +
    (place.startsWith('Key') ? '' : 'A value specified for a secondary index key is not supported. ') +
    `The AttributeValue for a key attribute cannot contain an empty string value. ${place}`;
  const start = (key: Readonly<Record<string, string>>) => ({ TableName: 'Walks', ExclusiveStartKey: texts(key) });
  const steps = {
    KeyConditionExpression: 'id = :i AND begins_with(step, :s)',
    ExpressionAttributeValues: texts({ ':i': '1', ':s': 'a' }),
  };

  it.each<[string, string, Json, Readonly<Record<string, string>>, string]>([
    ['a query', 'Query', byId, { id: '1', step: '' }, 'Key: step'],
    ['a query that finds nothing there', 'Query', steps, { id: '1', step: '' }, 'Key: step'],
    ['a query of another partition', 'Query', byId, { id: '', step: 'a' }, 'Key: id'],
    ['a query of an index', 'Query', byKind, { id: '', step: 'a', kind: 'oak' }, 'Key: id'],
    ['a scan', 'Scan', {}, { id: '', step: 'a' }, 'Key: id'],
    [
      'a scan of an index',
      'Scan',
      { IndexName: 'byKind' },
      { id: '1', step: 'a', kind: '' },
      'IndexName: byKind, IndexKey: kind',
    ],
  ])('of %s must not have empty values', async (_what, operation, body, key, place) => {
    expect(await engine.refusal(operation, { ...start(key), ...body })).toBe(noEmpty(place));
  });
});

function both(one: Json, other: Json): Json {
  return { ExpressionAttributeValues: { ...(one['ExpressionAttributeValues'] as Json), ...other } };
}
