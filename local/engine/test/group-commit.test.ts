import { beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';

const table = {
  TableName: 'Together',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
};

let engine: Engine;

beforeEach(async () => {
  engine = new Engine();
  await ask('CreateTable', table);
  return () => engine.close();
});

async function ask(operation: string, input: object): Promise<Record<string, unknown> & { status: number }> {
  const { status, body } = await engine.send(operation, JSON.stringify(input));
  return { status, ...(JSON.parse(body) as Record<string, unknown>) };
}

const add = (PK: string, more: object = {}) =>
  ask('UpdateItem', {
    TableName: 'Together',
    Key: { PK: { S: PK } },
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ...more,
  });
const get = async (PK: string) => (await ask('GetItem', { TableName: 'Together', Key: { PK: { S: PK } } }))['Item'];

describe('concurrent writes', () => {
  it('apply one after another, each to the result of the previous one', async () => {
    await Promise.all(Array.from({ length: 50 }, () => add('counter')));
    expect(await get('counter')).toEqual({ PK: { S: 'counter' }, n: { N: '50' } });
  });

  it('are independent: a refused one changes nothing and does not affect others', async () => {
    const answers = await Promise.all([
      add('a'),
      add('b', { ConditionExpression: 'attribute_exists(PK)' }),
      ask('PutItem', { TableName: 'Nowhere', Item: { PK: { S: 'x' } } }),
      add('c'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
    expect([await get('a'), await get('b'), await get('c')]).toEqual([
      { PK: { S: 'a' }, n: { N: '1' } },
      undefined,
      { PK: { S: 'c' }, n: { N: '1' } },
    ]);
  });

  it('are visible to a request that is sent after the answer', async () => {
    for (let n = 1; n <= 20; n += 1) {
      await add('seen');
      expect(await get('seen')).toMatchObject({ n: { N: String(n) } });
    }
  });
});

describe('a busy client', () => {
  it('leaves turns of the event loop to others', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    for (let n = 0; n < 100; n += 1) await get('nothing');
    isDone = true;
    expect(turns).toBeGreaterThan(50);
  });
});

describe('the number of items in a table', () => {
  it('is exact, by table and index, after every kind of write', async () => {
    await Promise.all([add('a'), add('b'), add('c')]);
    await ask('DeleteItem', { TableName: 'Together', Key: { PK: { S: 'a' } } });
    await add('b');
    const { Table } = await ask('DescribeTable', { TableName: 'Together' });
    // PK, its value of a letter, n, and a number of one digit.
    expect(Table).toMatchObject({ ItemCount: 2, TableSizeBytes: 2 * (2 + 1 + 1 + 2) });
  });
});
