import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../../local/engine/src/engine.ts';
import { openPositionFile, readers, readUpTo } from '../../local/stream-position.ts';

const day = 86_400_000;
let folder: string;
let now: number;
let engine: Engine;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-trim-'));
  now = Date.UTC(2026, 10, 28);
  engine = new Engine({ clock: () => now, manualChores: true, readUpTo: (arn) => readUpTo(folder, arn) });
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const ask = (operation: string, input: object): unknown => JSON.parse(engine.answer(operation, input).body);

function createTable(name: string): string {
  const { TableDescription } = ask('CreateTable', {
    TableName: name,
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  }) as { TableDescription: { LatestStreamArn: string } };
  return TableDescription.LatestStreamArn;
}

const put = (table: string, key: string) => ask('PutItem', { TableName: table, Item: { PK: { S: key } } });

/** The keys of the records that a stream still has, with their sequence numbers. */
function recordsOf(arn: string) {
  const { StreamDescription } = ask('DescribeStream', { StreamArn: arn }) as {
    StreamDescription: { Shards: { ShardId: string }[] };
  };
  const shard = StreamDescription.Shards[0]?.ShardId ?? '';
  const place = { StreamArn: arn, ShardId: shard, ShardIteratorType: 'TRIM_HORIZON' };
  const { ShardIterator } = ask('GetShardIterator', place) as { ShardIterator: string };
  const { Records } = ask('GetRecords', { ShardIterator }) as {
    Records: { dynamodb: { Keys: { PK: { S: string } }; SequenceNumber: string } }[];
  };
  const sequences = Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  return { shard, sequences, keys: Records.map(({ dynamodb }) => dynamodb.Keys.PK.S) };
}

/** Two changes, and a third one 30 hours later, as by a server that was off meanwhile. */
function fill(name: string): string {
  const arn = createTable(name);
  put(name, 'a');
  put(name, 'b');
  now += 30 * 3_600_000;
  put(name, 'c');
  return arn;
}

describe('records of the stream that are a day older than the latest', () => {
  it('are kept until both readers have processed them', () => {
    const arn = fill('Table');
    engine.runChores();
    expect(recordsOf(arn).keys).toEqual(['a', 'b', 'c']);
    const { shard, sequences } = recordsOf(arn);
    const [first = '', second = ''] = sequences;
    openPositionFile(folder, readers.fast).write(arn, new Map([[shard, second]]));
    engine.runChores();
    expect(recordsOf(arn).keys).toEqual(['a', 'b', 'c']);
    openPositionFile(folder, readers.slow).write(arn, new Map([[shard, first]]));
    engine.runChores();
    expect(recordsOf(arn).keys).toEqual(['b', 'c']);
    openPositionFile(folder, readers.slow).write(arn, new Map([[shard, second]]));
    engine.runChores();
    expect(recordsOf(arn).keys).toEqual(['c']);
  });

  it('are dropped from a stream that no reader follows', () => {
    const own = createTable('Own');
    openPositionFile(folder).write(own, new Map());
    const arn = fill('Other');
    engine.runChores();
    expect(recordsOf(arn).keys).toEqual(['c']);
  });

  it('do not make later ones go that a day has not passed over', () => {
    const arn = createTable('Table');
    put('Table', 'a');
    now += day - 1_000;
    put('Table', 'b');
    const { shard, sequences } = recordsOf(arn);
    for (const reader of Object.values(readers)) {
      openPositionFile(folder, reader).write(arn, new Map([[shard, sequences.at(-1) ?? '']]));
    }
    engine.runChores();
    expect(recordsOf(arn).keys).toEqual(['a', 'b']);
  });
});
