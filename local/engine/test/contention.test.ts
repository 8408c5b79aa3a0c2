import { beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';
import { withContention } from '../src/testing/contention.ts';
import type { Transport } from '../src/transport.ts';

const table = {
  TableName: 'Contended',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
};
const TableName = table.TableName;
const key = (name: string) => ({ PK: { S: name }, SK: { S: 'x' } });
const put = (name: string) => ({ TableName, Item: key(name) });
const transaction = (...names: string[]) => ({ TransactItems: names.map((name) => ({ Put: put(name) })) });
const insert = (name: string) => ({
  Statement: `INSERT INTO "${TableName}" VALUE {'SK': ?, 'PK': ?}`,
  Parameters: [{ S: 'x' }, { S: name }],
});

let line: Transport;

beforeEach(async () => {
  const engine = new Engine();
  await engine.send('CreateTable', JSON.stringify(table));
  line = withContention(engine, ['PK', 'SK'], 5);
});

async function send(operation: string, input: object): Promise<{ type: string; text: string }> {
  const { body } = await line.send(operation, JSON.stringify(input));
  const { __type = 'done' } = JSON.parse(body) as { __type?: string };
  return { type: __type.split('#').at(-1) ?? '', text: body };
}

describe('concurrent requests on one item', () => {
  it('are refused if a write conflicts with a transaction', async () => {
    const [first, second] = await Promise.all([
      send('TransactWriteItems', transaction('a', 'b')),
      send('PutItem', put('b')),
    ]);
    expect([first.type, second.type]).toEqual(['done', 'TransactionConflictException']);
  });

  it('are refused if a transaction conflicts with another one, with the reason at the item', async () => {
    const [first, second] = await Promise.all([
      send('TransactWriteItems', transaction('a', 'b')),
      send('TransactWriteItems', transaction('c', 'b')),
    ]);
    expect([first.type, second.type]).toEqual(['done', 'TransactionCanceledException']);
    expect(second.text).toContain('[None, TransactionConflict]');
  });

  it('are refused if a transaction conflicts with a running write', async () => {
    const [first, second] = await Promise.all([
      send('PutItem', put('a')),
      send('TransactWriteItems', transaction('a')),
    ]);
    expect([first.type, second.type]).toEqual(['done', 'TransactionCanceledException']);
  });

  it('succeed if both are single writes', async () => {
    const answers = await Promise.all([send('PutItem', put('a')), send('PutItem', put('a'))]);
    expect(answers.map(({ type }) => type)).toEqual(['done', 'done']);
  });

  it('are refused statement by statement', async () => {
    const [, batch] = await Promise.all([
      send('TransactWriteItems', transaction('b')),
      send('BatchExecuteStatement', { Statements: [insert('a'), insert('b'), insert('c')] }),
    ]);
    const { Responses } = JSON.parse(batch.text) as { Responses: { Error?: { Code: string } }[] };
    expect(Responses.map(({ Error: error }) => error?.Code)).toEqual([undefined, 'TransactionConflict', undefined]);
  });

  it('lock their items no longer than they run', async () => {
    await send('TransactWriteItems', transaction('a'));
    expect(await send('PutItem', put('a'))).toMatchObject({ type: 'done' });
  });
});
