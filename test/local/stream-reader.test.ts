import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { StreamRecord } from '../../lib/store/stream/record.ts';
import { openHttpTransport } from '../../local/engine/src/http-transport.ts';
import type { Transport } from '../../local/engine/src/transport.ts';
import { startStreamReader, type StreamReader } from '../../local/stream-reader.ts';
import { newFaultyEngine } from '../support/faulty-engine.ts';
import { newStreamedTable, type StreamedTable } from '../support/stream.ts';

let folder: string;
let streamed: StreamedTable;
let seen: string[];
let said: string[];
let images: unknown[];
const pollers: StreamReader[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-stream-'));
  streamed = await newStreamedTable();
  [seen, said, images] = [[], [], []];
});

afterEach(async () => {
  await Promise.all(pollers.splice(0).map((poller) => poller.stop()));
  rmSync(folder, { recursive: true });
});

const names = (records: readonly StreamRecord[]) => records.map(({ dynamodb }) => dynamodb?.Keys?.['SK']?.S ?? '');
const put = (SK: string) =>
  streamed.store.write(async () => [
    { kind: 'insert', item: { PK: 'TEST', SK }, onExists: () => new Error('exists already') },
  ]);

function start(
  options: {
    dataDir?: string;
    fail?: (given: string[]) => boolean;
    transport?: Transport;
    waitForRequests?: (milliseconds: number) => Promise<void>;
  } = {},
): StreamReader {
  const { dataDir, fail = () => false, transport, waitForRequests } = options;
  const { engine } = streamed;
  const poller = startStreamReader({
    transport: transport ?? engine.transport,
    // An external engine is polled.
    subscribe: transport === undefined ? engine.subscribe : undefined,
    tableName: streamed.writer.tableName,
    dataDir,
    ...(waitForRequests && { waitForRequests }),
    say: (line) => said.push(line),
    handler: async ({ Records }) => {
      const given = names(Records);
      if (fail(given)) throw new Error('failed');
      seen.push(...given);
      images.push(...Records.map(({ dynamodb }) => dynamodb?.NewImage));
      return { batchItemFailures: [] };
    },
  });
  pollers.push(poller);
  return poller;
}

const expectSeen = (wanted: readonly string[]) =>
  vi.waitFor(() => expect(seen).toEqual(wanted), { timeout: 30_000, interval: 20 });

describe('the stream reader', () => {
  it('delivers records from before and after its start, once and in order', async () => {
    await put('a');
    start();
    await expectSeen(['a']);
    await put('b');
    await put('c');
    await expectSeen(['a', 'b', 'c']);
    expect(said).toEqual([]);
  });

  it('resumes at its position after a restart', async () => {
    await put('a');
    await put('b');
    const first = start({ dataDir: folder });
    await expectSeen(['a', 'b']);
    await first.stop();
    await put('c');
    start({ dataDir: folder });
    await expectSeen(['a', 'b', 'c']);
  });

  it('starts from the oldest record if the position is damaged, of another stream, or unknown to the engine', async () => {
    await put('a');
    const first = start({ dataDir: folder });
    await expectSeen(['a']);
    await first.stop();
    const path = join(folder, 'stream-position.json');
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { streamArn: string; positions: Record<string, string> };
    const lost = Object.fromEntries(Object.keys(kept.positions).map((shard) => [shard, '999999999999999999999']));
    for (const text of [
      '{"streamArn',
      JSON.stringify({ ...kept, streamArn: 'another' }),
      JSON.stringify({ ...kept, positions: lost }),
    ]) {
      seen = [];
      writeFileSync(path, text);
      const next = start({ dataDir: folder });
      await expectSeen(['a']);
      await next.stop();
    }
  });

  it('waits for requests after a batch, before it reads more', async () => {
    const { promise: passed, resolve: goOn } = Promise.withResolvers<void>();
    const granted: number[] = [];
    await put('a');
    start({ waitForRequests: (milliseconds) => (granted.push(milliseconds), passed) });
    await expect.poll(() => granted).toHaveLength(1);
    await put('b');
    expect(granted[0]).toBeGreaterThan(0);
    expect(seen).toEqual(['a']);
    goOn();
    await expectSeen(['a', 'b']);
  });

  it('retries failed records', async () => {
    let failures = 0;
    start({ fail: () => (failures += 1) < 3 });
    await put('a');
    await expectSeen(['a']);
    expect(failures).toBe(3);
  });

  it('outlives a disk that takes no position, and goes on when it does', async () => {
    await put('a');
    const dataDir = join(folder, 'data');
    // Nothing can be written below a file.
    writeFileSync(dataDir, '');
    const reader = start({ dataDir });
    await vi.waitFor(() =>
      expect(said).toEqual([expect.stringMatching(/^the stream of the table could not be read: /)]),
    );
    rmSync(dataDir);
    await expectSeen(['a']);
    rmSync(dataDir, { recursive: true });
    writeFileSync(dataDir, '');
    await expect(reader.stop()).resolves.toBeUndefined();
  });

  it('reads a shard before its children, and forgets shards that disappeared', async () => {
    const streamArn = 'arn:aws:dynamodb:ddblocal:000000000000:table/T/stream/1';
    const path = join(folder, 'stream-position.json');
    writeFileSync(path, JSON.stringify({ streamArn, positions: { gone: '1' } }));
    const record = (number: string) => ({ dynamodb: { SequenceNumber: number, Keys: { SK: { S: number } } } });
    const answers: Record<string, object> = {
      'parent 0': { Records: [record('1')], NextShardIterator: 'parent 1' },
      'parent 1': { Records: [record('2')] },
      'child 0': { Records: [record('3')], NextShardIterator: 'child 1' },
      'child 1': { Records: [], NextShardIterator: 'child 1' },
    };
    const engine = newFaultyEngine(streamed.engine);
    engine.injectFaults((operation, { ShardId, ShardIterator }) => {
      const body = {
        DescribeTable: { Table: { LatestStreamArn: streamArn } },
        DescribeStream: {
          StreamDescription: { Shards: [{ ShardId: 'child', ParentShardId: 'parent' }, { ShardId: 'parent' }] },
        },
        GetShardIterator: { ShardIterator: `${String(ShardId)} 0` },
        GetRecords: answers[String(ShardIterator)] ?? {},
      }[operation];
      return { kind: 'answer', status: 200, body: body ?? {} };
    });
    const poller = start({ dataDir: folder, transport: engine });
    await expectSeen(['1', '2', '3']);
    await poller.stop();
    const { positions } = JSON.parse(readFileSync(path, 'utf8')) as { positions: object };
    expect(positions).toEqual({ parent: '2', child: '3' });
  });

  it('reports once that the engine does not answer, and affects nothing else', async () => {
    const poller = start({ transport: openHttpTransport('http://127.0.0.1:1') });
    await vi.waitFor(() => expect(said).toHaveLength(1), { timeout: 30_000 });
    expect(said[0]).toMatch(/^the stream of the table could not be read: /);
    await poller.stop();
    await poller.stop();
  });
});

describe('a record as Lambda receives it', () => {
  it('has empty maps with their type, which DynamoDB Local omits', async () => {
    const image = { m: {}, deep: { M: { a: {}, list: { L: [] }, text: { S: '' } } } };
    const record = { dynamodb: { SequenceNumber: '1', Keys: { SK: { S: 'a' } }, NewImage: image } };
    const engine = newFaultyEngine(streamed.engine);
    engine.injectFaults((operation, { ShardIterator }) => {
      const isFirst = operation === 'GetRecords' && String(ShardIterator).endsWith(' 0');
      const body = {
        DescribeTable: { Table: { LatestStreamArn: 'stream' } },
        DescribeStream: { StreamDescription: { Shards: [{ ShardId: 'only' }] } },
        GetShardIterator: { ShardIterator: 'only 0' },
        GetRecords: { Records: isFirst ? [record] : [], NextShardIterator: 'only 1' },
      }[operation];
      return { kind: 'answer', status: 200, body: body ?? {} };
    });
    start({ transport: engine });
    await expectSeen(['a']);
    expect(images).toEqual([
      {
        m: { M: {} },
        deep: { M: { a: { M: {} }, list: { L: [] }, text: { S: '' } } },
      },
    ]);
  });
});
