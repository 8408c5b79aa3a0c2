import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';

let folder: string;
const path = () => join(folder, 'dapple.sqlite');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function ask(engine: Engine, operation: string, input: object): Promise<Record<string, unknown>> {
  const { body } = await engine.send(operation, JSON.stringify(input));
  return JSON.parse(body) as Record<string, unknown>;
}

const table = {
  TableName: 'Kept',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
};

describe('the data of an engine', () => {
  it('persist over a restart: tables, items, records and transaction tokens', async () => {
    const transaction = {
      TransactItems: [
        {
          Update: {
            TableName: 'Kept',
            Key: { PK: { S: 'counter' } },
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        },
      ],
      ClientRequestToken: 'token-1',
    };
    const first = new Engine({ path: path() });
    await ask(first, 'CreateTable', table);
    await ask(first, 'PutItem', { TableName: 'Kept', Item: { PK: { S: 'a' }, n: { N: '9007199254740993' } } });
    await ask(first, 'TransactWriteItems', transaction);
    const streams = await ask(first, 'ListStreams', {});
    first.close();

    const second = new Engine({ path: path() });
    await ask(second, 'TransactWriteItems', transaction);
    expect(await ask(second, 'GetItem', { TableName: 'Kept', Key: { PK: { S: 'a' } } })).toEqual({
      Item: { PK: { S: 'a' }, n: { N: '9007199254740993' } },
    });
    expect(await ask(second, 'GetItem', { TableName: 'Kept', Key: { PK: { S: 'counter' } } })).toEqual({
      Item: { PK: { S: 'counter' }, n: { N: '1' } },
    });
    expect(await ask(second, 'ListStreams', {})).toEqual(streams);
    second.close();
  });
});
