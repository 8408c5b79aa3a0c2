import { randomUUID } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import type { Insert, Plan } from '../../lib/store/items/plan.ts';
import {
  type FaultyEngine,
  hangUp,
  newFaultyEngine,
  type ChooseFault,
  throttled,
  transactionConflict,
} from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import { ownEngine } from '../support/run.ts';

skipPauses();

let engine: FaultyEngine;
let writer: Writer;

beforeAll(async () => {
  const real = await ownEngine();
  engine = newFaultyEngine(real);
  const client = createClient(engine.client);
  writer = { client, tableName: real.tableName, batches: new BatchLog(client, real.tableName) };
});

afterEach(() => engine.injectFaults(() => undefined));

const table = () => new Table(writer.client, writer.tableName, new View(writer.batches));
const write = (plan: Plan) => writeAtomically(writer, () => Promise.resolve(plan));
const newPartition = () => `TEST#${randomUUID()}`;
const items = (pk: string) => Array.fromAsync(table().query({ pk }));

const inserts = (pk: string, count: number): Insert[] =>
  Array.from({ length: count }, (_value, index) => ({
    kind: 'insert',
    item: { PK: pk, SK: `item${index}` },
    onExists: () => new Error('exists'),
  }));

/** Fails the first requests of an operation. */
function failFirst(operation: string, count: number, fault: ReturnType<ChooseFault>): () => number {
  let seen = 0;
  engine.injectFaults((name) => {
    if (name !== operation) return undefined;
    seen += 1;
    return seen <= count ? fault : undefined;
  });
  return () => seen;
}

describe('transient failures are retried', () => {
  it.each([
    ['GetItem', () => table().get({ PK: 'TEST#x', SK: 'x' })],
    ['Query', () => items('TEST#x')],
    ['BatchGetItem', () => table().getMany([{ PK: 'TEST#x', SK: 'x' }])],
    ['PutItem', () => write(inserts(newPartition(), 1))],
    ['TransactWriteItems', () => write(inserts(newPartition(), 3))],
    ['BatchExecuteStatement', () => write(inserts(newPartition(), 30))],
  ])('throttling and a broken connection of %s', async (operation, run) => {
    for (const fault of [throttled, hangUp]) {
      const seen = failFirst(operation, 2, fault);
      await run();
      expect(seen()).toBeGreaterThanOrEqual(3);
    }
  });

  it('requests unprocessed keys of a batch get again', async () => {
    const pk = newPartition();
    await write(inserts(pk, 5));
    failFirst('BatchGetItem', 1, {
      kind: 'answer',
      status: 200,
      body: {
        Responses: { [writer.tableName]: [] },
        UnprocessedKeys: {
          [writer.tableName]: { Keys: [0, 1, 2, 3, 4].map((n) => ({ PK: { S: pk }, SK: { S: `item${n}` } })) },
        },
      },
    });
    const keys = [0, 1, 2, 3, 4].map((n) => ({ PK: pk, SK: `item${n}` }));
    expect(await table().getMany(keys)).toHaveLength(5);
  });

  it('sends throttled statements of a bulk insert again', async () => {
    const pk = newPartition();
    failFirst('BatchExecuteStatement', 1, {
      kind: 'answer',
      status: 200,
      body: {
        Responses: Array.from({ length: 15 }, () => ({ Error: { Code: 'ThrottlingError', Message: 'slow down' } })),
      },
    });
    await write(inserts(pk, 15));
    expect(await items(pk)).toHaveLength(15);
  });

  it('slows a throttled bulk request down instead of rolling it back', async () => {
    const pk = newPartition();
    let seen = 0;
    let most = 0;
    let underWay = 0;
    const undone: string[] = [];
    engine.injectFaults((name) => {
      if (name === 'DeleteItem') undone.push(name);
      if (name !== 'BatchExecuteStatement') return undefined;
      seen += 1;
      if (seen <= 300) return throttled;
      underWay += 1;
      most = Math.max(most, underWay);
      const pass = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
      };
      return { kind: 'delay', until: pass() };
    });
    await write(inserts(pk, 1_000));
    expect(await items(pk)).toHaveLength(1_000);
    expect(undone).toEqual([]);
    expect(most).toBeLessThan(16);
  });

  it.each([
    ['is tried again', 1, 2],
    ['again and again is staged', 9, 2],
  ])('a transaction that met another one %s', async (_text, conflicts, sent) => {
    const pk = newPartition();
    const seen = failFirst('TransactWriteItems', conflicts, transactionConflict);
    await write(inserts(pk, 2));
    expect(seen()).toBe(sent);
    expect(await items(pk)).toHaveLength(2);
  });

  it('counts a put whose answer was lost as done', async () => {
    const pk = newPartition();
    failFirst('PutItem', 1, { kind: 'lose answer' });
    await write(inserts(pk, 1));
    expect(await items(pk)).toHaveLength(1);
  });
});

describe('lasting failures', () => {
  it('permanent throttling is 503 with Retry-After, which the official client retries', async () => {
    engine.injectFaults(() => throttled);
    await expect(table().get({ PK: 'TEST#x', SK: 'x' })).rejects.toMatchObject({
      name: 'DatabaseException',
      status: 503,
      headers: { 'Retry-After': '1' },
    });
  });

  it('are retried five times each, until the budget of retries is used up; successes refill it', async () => {
    const client = createClient(engine.client);
    const fresh = new Table(client, writer.tableName, new View(new BatchLog(client, writer.tableName)));
    const get = () => fresh.get({ PK: 'TEST#x', SK: 'x' });
    const countAttempts = async () => {
      const count = failFirst('GetItem', Infinity, throttled);
      await expect(get()).rejects.toMatchObject({ status: 503 });
      engine.injectFaults(() => undefined);
      return count();
    };
    expect(await countAttempts()).toBe(6);
    let attempts = 6;
    for (let left = 100; attempts > 1 && left > 0; left -= 1) attempts = await countAttempts();
    expect(attempts).toBe(1);
    for (let success = 0; success < 100; success += 1) await get();
    expect(await countAttempts()).toBe(6);
  });

  it('an error of the engine is 500 DatabaseException, without its message', async () => {
    engine.injectFaults(() => ({
      kind: 'answer',
      status: 400,
      body: { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'secret' },
    }));
    await expect(table().get({ PK: 'TEST#x', SK: 'x' })).rejects.toMatchObject({
      name: 'DatabaseException',
      message: 'An unknown Database Exception has occurred.',
    });
  });

  it('in the middle of a bulk request leaves no writes', async () => {
    const pk = newPartition();
    let seen = 0;
    engine.injectFaults((name) => {
      if (name !== 'BatchExecuteStatement') return undefined;
      seen += 1;
      return seen > 2
        ? { kind: 'answer', status: 400, body: { __type: 'x#ValidationException', message: 'no' } }
        : undefined;
    });
    await expect(write(inserts(pk, 200))).rejects.toMatchObject({ name: 'DatabaseException' });
    expect(await items(pk)).toEqual([]);
  });

  it('of the commit alone: whether the request or the answer is lost, reader and writer agree', async () => {
    const pk = newPartition();
    let commits = 0;
    engine.injectFaults((name, input) => {
      if (name !== 'UpdateItem' || !JSON.stringify(input).includes('committed')) return undefined;
      commits += 1;
      return commits <= 10 ? hangUp : undefined;
    });
    await expect(write(inserts(pk, 40))).rejects.toMatchObject({ name: 'DatabaseException', status: 503 });
    expect(await items(pk)).toEqual([]);
  });
});
