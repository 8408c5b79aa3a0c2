import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';
import type { StreamChange } from '../src/streams/stream-record.ts';
import type { RecordsPage } from '../src/transport.ts';
import { type Json, tableOf, texts } from './support.ts';

let engine: Engine;
let first: string;

async function ask<T = Json>(operation: string, input: Json): Promise<T> {
  const { body } = await engine.send(operation, JSON.stringify(input));
  return JSON.parse(body) as T;
}

beforeEach(async () => {
  engine = new Engine();
  first = await createStreamed('Streamed', 'NEW_AND_OLD_IMAGES');
});
afterEach(() => engine.close());

/** Creates a table with a stream, and returns the iterator of the stream's first record. */
async function createStreamed(TableName: string, StreamViewType: string): Promise<string> {
  await ask('CreateTable', {
    ...tableOf(TableName, 'id'),
    StreamSpecification: { StreamEnabled: true, StreamViewType },
  });
  const { Table } = await ask<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName });
  const StreamArn = Table.LatestStreamArn;
  const described = await ask<{ StreamDescription: { Shards: [{ ShardId: string }] } }>('DescribeStream', {
    StreamArn,
  });
  const [{ ShardId }] = described.StreamDescription.Shards;
  const input = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  const { ShardIterator } = await ask<{ ShardIterator: string }>('GetShardIterator', input);
  return ShardIterator;
}

const put = (id: string, text: string) =>
  ask('PutItem', { TableName: 'Streamed', Item: { ...texts({ id, text }), none: { M: {} } } });

/** The parts of a record that readers use. */
const partsOf = ({ eventID, eventName, dynamodb }: DynamoDBRecord) => ({
  eventID,
  eventName,
  Keys: dynamodb?.Keys,
  NewImage: dynamodb?.NewImage,
  OldImage: dynamodb?.OldImage,
  SequenceNumber: dynamodb?.SequenceNumber,
  ApproximateCreationDateTime: dynamodb?.ApproximateCreationDateTime,
});

const idOf = (change: StreamChange | undefined) => (change?.Keys?.['id'] as { S: string } | undefined)?.S;

describe('a reader in the same thread', () => {
  it('gets the records that GetRecords answers', async () => {
    await put('a', 'one');
    await put('a', 'two');
    await ask('DeleteItem', { TableName: 'Streamed', Key: texts({ id: 'a' }) });
    const asked = await ask<RecordsPage>('GetRecords', { ShardIterator: first });
    const read = await engine.readRecords({ ShardIterator: first });
    expect(asked.Records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE']);
    expect(read.Records.map(partsOf)).toEqual(asked.Records.map(partsOf));
  });

  it.each(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE'])('gets the keys of each record in a stream of %s', async (view) => {
    const iterator = await createStreamed('View', view);
    const Key = texts({ id: 'a' });
    await ask('PutItem', { TableName: 'View', Item: { text: { S: 'one' }, ...Key } });
    await ask('PutItem', { TableName: 'View', Item: { text: { S: 'two' }, ...Key } });
    await ask('DeleteItem', { TableName: 'View', Key });
    const asked = await ask<RecordsPage>('GetRecords', { ShardIterator: iterator });
    const read = await engine.readRecords({ ShardIterator: iterator });
    expect(asked.Records.map(({ dynamodb }) => dynamodb?.Keys)).toEqual([Key, Key, Key]);
    expect(read.Records.map(partsOf)).toEqual(asked.Records.map(partsOf));
  });

  it('goes on where a page ends', async () => {
    for (const id of ['a', 'b', 'c']) await put(id, id);
    const ids = ({ Records }: RecordsPage) => Records.map(({ dynamodb }) => idOf(dynamodb));
    const page = await engine.readRecords({ ShardIterator: first, Limit: 2 });
    expect(ids(page)).toEqual(['a', 'b']);
    expect(ids(await engine.readRecords({ ShardIterator: page.NextShardIterator ?? '' }))).toEqual(['c']);
  });

  it('shares the records of a page with the readers that follow it closely', async () => {
    for (const id of ['a', 'b', 'c']) await put(id, id);
    const all = await engine.readRecords({ ShardIterator: first });
    const [one, two, three] = all.Records;
    const again = await engine.readRecords({ ShardIterator: first, Limit: 1 });
    expect(again.Records[0]).toBe(one);
    const rest = await engine.readRecords({ ShardIterator: again.NextShardIterator ?? '' });
    expect([rest.Records[0], rest.Records[1]]).toEqual([two, three]);
    expect(rest.Records[1]).toBe(three);
    await put('d', 'd');
    const more = await engine.readRecords({ ShardIterator: rest.NextShardIterator ?? '' });
    expect(more.Records.map(({ dynamodb }) => idOf(dynamodb))).toEqual(['d']);
  });

  it('passes over the records of other tables, and finds its next one', async () => {
    await ask('CreateTable', {
      ...tableOf('Other', 'id'),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    });
    const putOther = (id: string) => ask('PutItem', { TableName: 'Other', Item: texts({ id }) });
    await putOther('x');
    const none = await engine.readRecords({ ShardIterator: first });
    expect(none.Records).toEqual([]);
    await putOther('y');
    await put('a', 'one');
    await putOther('z');
    const page = await engine.readRecords({ ShardIterator: none.NextShardIterator ?? '' });
    expect(page.Records.map(({ dynamodb }) => idOf(dynamodb))).toEqual(['a']);
    const end = await engine.readRecords({ ShardIterator: page.NextShardIterator ?? '' });
    expect(end.Records).toEqual([]);
  });

  it('is refused with an invalid iterator', async () => {
    await expect(engine.readRecords({ ShardIterator: 'none' })).rejects.toThrow('Invalid ShardIterator');
  });
});

describe('a listener', () => {
  it('is called when a stream has more records or ends, and not when nothing changes for its reader', async () => {
    await ask('CreateTable', tableOf('Plain', 'id'));
    let calls = 0;
    const unsubscribe = engine.subscribe(() => (calls += 1));
    await put('a', 'one');
    expect(calls).toBe(1);
    await put('a', 'one');
    await ask('PutItem', { TableName: 'Plain', Item: texts({ id: 'a' }) });
    await ask('GetItem', { TableName: 'Streamed', Key: texts({ id: 'a' }) });
    expect(calls).toBe(1);
    await ask('UpdateTable', { TableName: 'Streamed', StreamSpecification: { StreamEnabled: false } });
    expect(calls).toBe(2);
    unsubscribe();
    await put('b', 'two');
    expect(calls).toBe(2);
  });
});
