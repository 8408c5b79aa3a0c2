import { beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';
import {
  type FaultyTransport,
  throttled,
  transactionCancelled,
  transactionConflict,
  withFaults,
} from '../src/testing/faults.ts';
import { ConnectionLost } from '../src/transport.ts';

const table = {
  TableName: 'Faults',
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

let engine: Engine;
let line: FaultyTransport;

beforeEach(async () => {
  engine = new Engine();
  line = withFaults(engine);
  await ask('CreateTable', table);
  return () => engine.close();
});

async function ask(operation: string, input: object, transport: { send: Engine['send'] } = line) {
  const { status, body } = await transport.send(operation, JSON.stringify(input));
  return { status, ...(JSON.parse(body) as Record<string, unknown>) };
}

const put = (SK: string) => ask('PutItem', { TableName: 'Faults', Item: { PK: { S: 'p' }, SK: { S: SK } } });
const names = async (input: object = {}) => {
  const answer = await ask('Query', {
    TableName: 'Faults',
    KeyConditionExpression: 'PK = :p',
    ExpressionAttributeValues: { ':p': { S: 'p' } },
    ...input,
  });
  return (answer as unknown as { Items: { SK: { S: string } }[] }).Items.map(({ SK }) => SK.S);
};

describe('on a transport to an engine a test can', () => {
  it('refuse a request, which the engine does not receive', async () => {
    line.injectFaults((operation) => (operation === 'PutItem' ? { kind: 'refuse', error: throttled } : undefined));

    expect(await put('a')).toMatchObject({
      status: 400,
      __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    });
    expect(await names()).toEqual([]);
  });

  it('make a single write conflict with a transaction', async () => {
    line.injectFaults(() => ({ kind: 'refuse', error: transactionConflict }));

    expect(await put('a')).toMatchObject({
      status: 400,
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
    });
  });

  it('make a transaction conflict with another one on some of its items', async () => {
    line.injectFaults(() => ({ kind: 'refuse', error: transactionCancelled(['None', 'TransactionConflict']) }));

    expect(await ask('TransactWriteItems', {})).toMatchObject({
      status: 400,
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
      ],
    });
  });

  it('break the connection before the engine receives a request', async () => {
    line.injectFaults((operation) => (operation === 'PutItem' ? { kind: 'hang up' } : undefined));

    await expect(put('a')).rejects.toThrow(ConnectionLost);
    expect(await names()).toEqual([]);
  });

  it('lose an answer after the effect', async () => {
    line.injectFaults((operation) => (operation === 'PutItem' ? { kind: 'lose answer' } : undefined));

    await expect(put('a')).rejects.toThrow(ConnectionLost);
    expect(await names()).toEqual(['a']);
  });

  it('delay a request until a promise resolves', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    line.injectFaults((operation) => (operation === 'PutItem' ? { kind: 'delay', until: promise } : undefined));

    const late = put('a');
    expect(await names()).toEqual([]);
    resolve();
    await late;
    expect(await names()).toEqual(['a']);
  });

  it('cut a page short, after which the next page continues', async () => {
    await put('a');
    await put('b');
    line.injectFaults(() => ({ kind: 'cut', items: 1 }));

    expect(await names()).toEqual(['a']);
    const next = { ExclusiveStartKey: { PK: { S: 'p' }, SK: { S: 'a' } } };
    expect(await names(next)).toEqual(['b']);
  });

  it('return keys of a batch as unprocessed', async () => {
    await put('a');
    await put('b');
    line.injectFaults(() => ({ kind: 'cut', items: 1 }));

    const Keys = ['a', 'b'].map((SK) => ({ PK: { S: 'p' }, SK: { S: SK } }));
    expect(await ask('BatchGetItem', { RequestItems: { Faults: { Keys } } })).toMatchObject({
      Responses: { Faults: [Keys[0]] },
      UnprocessedKeys: { Faults: { Keys: [Keys[1]] } },
    });
  });

  it('order concurrent requests by a seed', async () => {
    const order = async (seed: number) => {
      const seen: string[] = [];
      line.shuffle(seed);
      line.injectFaults((_operation, input) => {
        seen.push((input as { Item: { SK: { S: string } } }).Item.SK.S);
        return undefined;
      });
      await Promise.all('abcdefgh'.split('').map(put));
      return seen.join('');
    };

    const first = await order(1);
    expect(first.split('').sort().join('')).toBe('abcdefgh');
    expect(await order(1)).toBe(first);
    expect(await order(2)).not.toBe(first);
  });
});

describe('the clock of an engine', () => {
  it('is set by the test: items expire, and stream records have its time', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const timed = new Engine({ clock: () => now });
    const timedAsk = (operation: string, input: object) => ask(operation, input, timed);
    await timedAsk('CreateTable', {
      ...table,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
    await timedAsk('UpdateTimeToLive', {
      TableName: 'Faults',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
    });
    const Key = { PK: { S: 'p' }, SK: { S: 'a' } };
    await timedAsk('PutItem', { TableName: 'Faults', Item: { ...Key, ttl: { N: String(now / 1000 + 60) } } });

    timed.runChores();
    expect(await timedAsk('GetItem', { TableName: 'Faults', Key })).toHaveProperty('Item');
    now += 61_000;
    timed.runChores();
    expect(await timedAsk('GetItem', { TableName: 'Faults', Key })).not.toHaveProperty('Item');
    expect(await lastRecord(timedAsk)).toMatchObject({
      eventName: 'REMOVE',
      userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
      dynamodb: { ApproximateCreationDateTime: Math.floor(now / 1000) },
    });
    timed.close();
  });
});

async function lastRecord(send: (operation: string, input: object) => Promise<Record<string, unknown>>) {
  const { Streams } = await send('ListStreams', {});
  const [{ StreamArn }] = Streams as [{ StreamArn: string }];
  const { StreamDescription } = await send('DescribeStream', { StreamArn });
  const [{ ShardId }] = (StreamDescription as { Shards: [{ ShardId: string }] }).Shards;
  const { ShardIterator } = await send('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
  const { Records } = await send('GetRecords', { ShardIterator });
  return (Records as object[]).at(-1);
}
