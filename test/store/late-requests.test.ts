import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { batchHorizonMs, markedAgeMs } from '../../lib/store/batches/batch-record.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { maxPlanAgeMs, writeAtomically } from '../../lib/store/batches/commit.ts';
import { recover } from '../../lib/store/batches/recover.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient, TableClient } from '../../lib/store/items/client.ts';
import { PutCommand, QueryCommand, type TableCommand, TransactWriteCommand } from '../../lib/store/items/commands.ts';
import type { Change, Insert, Plan } from '../../lib/store/items/plan.ts';
import { type FaultyEngine, hangUp, newFaultyEngine } from '../support/faulty-engine.ts';
import { passTime } from '../support/pass-time.ts';
import { skipPauses } from '../support/pauses.ts';
import { ownEngine } from '../support/run.ts';

skipPauses();

let real: Awaited<ReturnType<typeof ownEngine>>;
let engine: FaultyEngine;
let writer: Writer;
let pk: string;
/** Runs before a request is signed. */
let beforeSigning: (command: object) => void;

class FreezingClient extends TableClient {
  override async send<Output>(command: TableCommand<object, Output>): Promise<Output> {
    beforeSigning(command);
    return super.send(command);
  }
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  real = await ownEngine();
  engine = newFaultyEngine(real);
  const client = new FreezingClient(createClient(engine.client).sdk);
  beforeSigning = () => {};
  writer = { client, tableName: real.tableName, batches: new BatchLog(client, real.tableName) };
  pk = `TEST#${randomUUID()}`;
});

afterEach(() => {
  vi.useRealTimers();
});

const table = () => new Table(writer.client, writer.tableName, new View(writer.batches));
const write = (plan: Plan) => writeAtomically(writer, () => Promise.resolve(plan));
const read = (SK: string) => table().get({ PK: pk, SK });

const inserts = (count: number): Insert[] =>
  Array.from({ length: count }, (_value, index) => ({
    kind: 'insert',
    item: { PK: pk, SK: `item${index}`, length: 0 },
    onExists: () => new Error('exists'),
  }));
const grow = (SK: string): Change => ({
  kind: 'change',
  key: { PK: pk, SK },
  patch: { add: { length: 1 } },
  onMismatch: () => new Error('missing'),
});

/** The process freezes for a time. */
const freeze = passTime;

/** It freezes once, before the first such request. */
function freezeBefore(isMeant: (command: object) => boolean, milliseconds: number): void {
  let isOver = false;
  beforeSigning = (command) => {
    if (isOver || !isMeant(command)) return;
    isOver = true;
    freeze(milliseconds);
  };
}

/** The items as they are stored, with what is staged on them. */
async function readStored(): Promise<Record<string, unknown>[]> {
  const condition = { KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': pk } };
  const query = new QueryCommand({ TableName: writer.tableName, ConsistentRead: true, ...condition });
  return (await writer.client.send(query)).Items ?? [];
}

describe('an attempt that AWS carries out after its repeat', () => {
  it('does not reopen a bulk request that has committed', async () => {
    let late: object | undefined;
    engine.injectFaults((operation, input) => {
      if (operation !== 'PutItem' || late !== undefined) return undefined;
      late = input;
      return hangUp;
    });
    await write(inserts(12));
    await real.transport.send('PutItem', JSON.stringify(late));
    const other = new BatchLog(writer.client, writer.tableName);
    const view = new View(other);
    const seen = new Table(writer.client, writer.tableName, view).query({ pk, from: 'a', to: 'z' });
    expect(await Array.fromAsync(seen)).toHaveLength(12);
  });
});

/** Breaks the connection of the first request whose text has a part; returns what carries the request out. */
function loseFirst(part: string): () => Promise<unknown> {
  let late: [operation: string, text: string] | undefined;
  engine.injectFaults((operation, input) => {
    const text = JSON.stringify(input);
    if (late !== undefined || !text.includes(part)) return undefined;
    late = [operation, text];
    return hangUp;
  });
  return () => real.transport.send(...(late ?? ['none', '']));
}

/** Lets recovery run until the bulk requests so far are older than those whose records are looked up. */
async function growOld(): Promise<void> {
  for (const wait of [markedAgeMs, markedAgeMs, batchHorizonMs]) {
    freeze(wait);
    await recover(writer, false);
  }
}

/** The attribute `length` of each item, as another process sees it. */
async function readLengths(): Promise<Record<string, unknown>> {
  const view = new View(new BatchLog(writer.client, writer.tableName));
  const items = await Array.fromAsync(new Table(writer.client, writer.tableName, view).query({ pk }));
  return Object.fromEntries(items.map(({ SK, length }) => [SK, length]));
}

describe('an attempt to stage that AWS carries out after the end of its batch', () => {
  it.each([
    ['twelve changes in one request', 12, 12],
    ['changes that share a request with inserts', 3, 30],
    ['a change with a request of its own', 1, 25],
  ])('does not repeat %s', async (_what, changed, count) => {
    await write(inserts(changed));
    const names = inserts(count).map(({ item }) => item.SK);
    const arrive = loseFirst('~');
    await write([...inserts(count).slice(changed), ...names.slice(0, changed).map(grow)]);
    await arrive();
    const lengths = Object.fromEntries(names.map((name, index) => [name, index < changed ? 1 : 0]));
    expect(await readLengths()).toEqual(lengths);
    await growOld();
    expect(await readLengths()).toEqual(lengths);
    expect(JSON.stringify(await readStored())).not.toContain('~');
  });

  it('does not turn refused inserts into data, however old they grow', async () => {
    await write(inserts(30).slice(29));
    const arrive = loseFirst('INSERT');
    await expect(write(inserts(30))).rejects.toThrow('exists');
    await arrive();
    await growOld();
    expect(await readLengths()).toEqual({ item29: 0 });
  });
});

describe('a process that freezes between a plan and its requests', () => {
  it.each([
    ['single write', PutCommand, 1],
    ['transaction', TransactWriteCommand, 2],
    ['bulk request', PutCommand, 30],
  ])('does not send a %s that was planned too long ago', async (_what, Command, count) => {
    freezeBefore((command) => command instanceof Command, maxPlanAgeMs + 1);
    await expect(write(inserts(count))).rejects.toMatchObject({ status: 503 });
    expect(await readStored()).toEqual([]);
    await write(inserts(count));
    expect(await readStored()).toHaveLength(count);
  });

  it('does not repeat a transaction of which AWS has forgotten the token', async () => {
    await write(inserts(2));
    engine.injectFaults((operation) => {
      if (operation !== 'TransactWriteItems') return undefined;
      engine.injectFaults(() => undefined);
      freeze(660_000);
      return { kind: 'lose answer' };
    });
    await expect(write([grow('item0'), grow('item1')])).rejects.toMatchObject({ status: 503 });
    expect(await read('item0')).toMatchObject({ length: 1 });
  });

  it('still folds what it has committed', async () => {
    await write(inserts(12));
    let isCommitted = false;
    engine.injectFaults((_operation, input) => {
      isCommitted ||= JSON.stringify(input).includes('"committed"');
      return undefined;
    });
    freezeBefore(() => isCommitted, maxPlanAgeMs + 1);
    await write(Array.from({ length: 12 }, (_value, index) => grow(`item${index}`)));
    expect(isCommitted).toBe(true);
    expect((await readStored()).map((item) => item['length'])).toEqual(Array.from({ length: 12 }, () => 1));
  });
});
