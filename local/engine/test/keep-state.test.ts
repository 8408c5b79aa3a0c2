import { afterAll, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';

const engine = new Engine({ manualChores: true });
afterAll(() => engine.close());

const ask = (name: string, input: object): Readonly<Record<string, unknown>> => {
  const { status, body } = engine.answer(name, input);
  return { status, ...(JSON.parse(body) as Record<string, unknown>) };
};
const put = (TableName: string, id: string) =>
  expect(ask('PutItem', { TableName, Item: { id: { S: id } } })).toEqual({ status: 200 });
const create = (TableName: string) =>
  ask('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });

/** The ids in the records of the stream, from the oldest on. */
async function recordsOf(table: string): Promise<string[]> {
  const { Table } = ask('DescribeTable', { TableName: table }) as unknown as { Table: { LatestStreamArn: string } };
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = ask('DescribeStream', { StreamArn }) as unknown as {
    StreamDescription: { Shards: [{ ShardId: string }] };
  };
  const { ShardId } = StreamDescription.Shards[0];
  const start = ask('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
  const found: string[] = [];
  let iterator = String(start['ShardIterator']);
  for (let count = -1; count !== 0;) {
    const page = (await engine.readRecords({ ShardIterator: iterator })) as unknown as {
      Records: { dynamodb: { Keys: { id: { S: string } } } }[];
      NextShardIterator: string;
    };
    found.push(...page.Records.map(({ dynamodb }) => dynamodb.Keys.id.S));
    [iterator, count] = [page.NextShardIterator, page.Records.length];
  }
  return found;
}

describe('an engine that goes back to a kept state', () => {
  it('has its items, counts, tables and stream records, and none of later', async () => {
    create('Kept');
    put('Kept', 'before');
    engine.keepState();
    for (const id of ['first', 'second']) {
      put('Kept', id);
      create(`Later${id}`);
      expect(await recordsOf('Kept')).toEqual(['before', id]);
      engine.restoreState();
      expect(ask('Scan', { TableName: 'Kept' })).toMatchObject({ Items: [{ id: { S: 'before' } }] });
      expect(ask('DescribeTable', { TableName: 'Kept' })).toMatchObject({ Table: { ItemCount: 1 } });
      expect(ask('ListTables', {})).toMatchObject({ TableNames: ['Kept'] });
      expect(await recordsOf('Kept')).toEqual(['before']);
    }
  });

  it('can keep a later state', () => {
    put('Kept', 'more');
    engine.keepState();
    put('Kept', 'most');
    engine.restoreState();
    expect(ask('Scan', { TableName: 'Kept' })).toMatchObject({ Count: 2 });
  });
});
