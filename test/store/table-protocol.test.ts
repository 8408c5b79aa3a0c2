import { randomUUID } from 'node:crypto';

import { ConditionalCheckFailedException, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';

import { createClient } from '../../lib/store/items/client.ts';
import { GetCommand, PutCommand } from '../../lib/store/items/commands.ts';
import { ownEngine } from '../support/run.ts';

const { client: options, tableName: TableName } = await ownEngine();
const client = createClient(options);

describe('the table protocol reads answers as the SDK does', () => {
  it.each([
    ['binary values', { bytes: new Uint8Array([0, 255, 34]), set: new Set([new Uint8Array([1])]) }],
    ['binary values in lists and maps', { list: [{ bytes: new Uint8Array([7]) }] }],
    ['text that looks like a binary value', { text: '"B":"AAAA"', B: 'AAAA', BS: ['AAAA'] }],
    ['numbers of 38 digits', { number: 12345678901234567890123456789012345678n }],
    ['text of any kind', { text: '\u0000"\\\u2028 é 🙂' }],
  ])('%s', async (_title, values) => {
    const Key = { PK: `TEST#${randomUUID()}`, SK: 'item' };
    await client.send(new PutCommand({ TableName, Item: { ...Key, ...values } }));
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    expect(Item).toEqual({ ...Key, ...values });
  });

  it('errors with their class and the conflicting item', async () => {
    const Item = { PK: `TEST#${randomUUID()}`, SK: 'item' };
    const put = () =>
      client.send(
        new PutCommand({
          TableName,
          Item,
          ConditionExpression: 'attribute_not_exists(PK)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
    await put();
    const error: unknown = await put().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error).toMatchObject({ Item: { PK: { S: Item.PK }, SK: { S: 'item' } }, $metadata: { attempts: 1 } });
  });

  it('names with escapes in items and in errors, whatever was read before (V8 takes them for others)', async () => {
    const SK = randomUUID();
    const put = (PK: string, name: string) =>
      client.send(
        new PutCommand({
          TableName,
          Item: { PK, SK, [SK]: 1, [name]: 1 },
          ConditionExpression: 'attribute_not_exists(PK)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
    const conflictWith = async (PK: string, name: string) => {
      await put(PK, name);
      const error: unknown = await put(PK, name).catch((thrown: unknown) => thrown);
      return error instanceof ConditionalCheckFailedException ? Object.keys(error.Item ?? {}) : error;
    };
    for (const name of ['proto:[\\', 'proto:["']) {
      const PK = `TEST#${randomUUID()}`;
      expect(await conflictWith(PK, name)).toEqual(['PK', 'SK', SK, name]);
      const { Item } = await client.send(new GetCommand({ TableName, Key: { PK, SK }, ConsistentRead: true }));
      expect(Object.keys(Item ?? {})).toEqual(['PK', 'SK', SK, name]);
    }
  });

  it('dates of tables', async () => {
    const { Table } = await client.sdk.send(new DescribeTableCommand({ TableName }));
    expect(Table?.CreationDateTime).toBeInstanceOf(Date);
  });
});
