import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { inject } from 'vitest';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { setEnvironment } from '../../infra/local/environment.ts';
import { batchDeadline, batchHorizon, BatchLog } from '../../lib/store/batches.ts';
import { createClient } from '../../lib/store/client.ts';
import { writeAtomically } from '../../lib/store/commit.ts';
import { type Item, stagedBatches } from '../../lib/store/item.ts';
import { measure } from '../../lib/store/meter.ts';
import { type Change, Collision, type Insert, LostRace, type Plan } from '../../lib/store/plan.ts';
import { recover } from '../../lib/store/recover.ts';
import { Table } from '../../lib/store/table.ts';
import { View } from '../../lib/store/view.ts';
import type { Writer } from '../../lib/store/writer.ts';

/** A writer whose process ends just before it commits: nobody tidies up after it. */
class DyingLog extends BatchLog {
  override commit(): Promise<void> {
    return Promise.reject(new Error('killed'));
  }
  override abort(): Promise<boolean> {
    return Promise.reject(new Error('killed'));
  }
}

/** A writer whose process ends between the commit and the folding of its changes. */
class UnfoldedLog extends BatchLog {
  override async commit(id: string): Promise<void> {
    await super.commit(id);
    throw new Error('killed');
  }
  override abort(): Promise<boolean> {
    throw new Error('killed');
  }
}

let writer: Writer;
let endpoint: string;

/** A writer in a process of its own: it remembers nothing of the others. */
function otherProcess(Log: typeof BatchLog = BatchLog): Writer {
  const client = createClient({ endpoint });
  return { client, tableName: writer.tableName, batches: new Log(client, writer.tableName) };
}

const table = (by: Writer = writer) => new Table(by.client, by.tableName, new View(by.batches, Date.now()));
const write = (plan: Plan, by: Writer = writer) => writeAtomically(by, () => Promise.resolve(plan));

function inserts(pk: string, count: number, from = 0): Insert[] {
  return Array.from({ length: count }, (_value, index) => ({
    kind: 'insert',
    item: { PK: pk, SK: `item${String(from + index).padStart(6, '0')}`, value: index },
    onExists: ({ SK }) => new Error(`exists: ${SK}`),
  }));
}

const grow = (pk: string, by: number, when?: Change['when']): Change => ({
  kind: 'change',
  key: { PK: pk, SK: 'counter' },
  patch: { add: { length: by } },
  ...(when === undefined ? {} : { when }),
  onMismatch: (found) => new Error(found === undefined ? 'missing' : 'mismatch'),
});

async function items(pk: string, by: Writer = writer): Promise<Item[]> {
  return Array.fromAsync(table(by).query({ pk, from: 'item', to: 'itez' }));
}

const lengthOf = async (pk: string, by: Writer = writer) =>
  (await table(by).get({ PK: pk, SK: 'counter' }))?.['length'];

async function newCounter(): Promise<string> {
  const pk = `TEST#${randomUUID()}`;
  await write([
    { kind: 'insert', item: { PK: pk, SK: 'counter', length: 0, open: true }, onExists: () => new Error() },
  ]);
  return pk;
}

beforeAll(() => {
  const engine = inject('engine');
  if (engine === undefined) throw new Error('this test needs a server of its own: run it without BASE_URL');
  setEnvironment(engine);
  endpoint = engine.endpoint;
  const client = createClient({ endpoint });
  writer = { client, tableName: engine.tableName, batches: new BatchLog(client, engine.tableName) };
});

afterEach(() => {
  vi.useRealTimers();
});

/** As if the deadline of everything that is under way had passed. */
function afterTheDeadline(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + batchDeadline + 1_000 });
}

describe('a plan of any size takes effect as a whole or not at all (design 4)', () => {
  it.each([1, 2, 10, 11, 100])('writes all of %i', async (count) => {
    const pk = await newCounter();
    await write([...inserts(pk, count), grow(pk, count)]);
    expect(await items(pk)).toHaveLength(count);
    expect(await lengthOf(pk)).toBe(count);
  });

  it.each([2, 10, 11, 100])('writes nothing of %i when one of them is there already', async (count) => {
    const pk = await newCounter();
    await write(inserts(pk, 1, count - 1));
    await expect(write([...inserts(pk, count), grow(pk, count)])).rejects.toThrow(/exists: item/);
    expect(await items(pk)).toHaveLength(1);
    expect(await lengthOf(pk)).toBe(0);
  });

  it.each([2, 300])('writes nothing of %i when a condition does not hold', async (count) => {
    const pk = await newCounter();
    await expect(write([...inserts(pk, count), grow(pk, count, { open: false })])).rejects.toThrow('mismatch');
    expect(await items(pk)).toEqual([]);
  });

  it('shows a reader nothing or everything while it is written', async () => {
    const pk = await newCounter();
    const reader = otherProcess();
    const seen = new Set<string>();
    const writing = { done: false };
    const reading = (async () => {
      while (!writing.done) seen.add(String((await items(pk, reader)).length));
    })();
    await write([...inserts(pk, 2_000), grow(pk, 2_000)]);
    writing.done = true;
    await reading;
    expect([...seen].every((count) => count === '0' || count === '2000')).toBe(true);
    expect(await items(pk, reader)).toHaveLength(2_000);
  });

  it('shows one reader the same on every page: a commit amid its pages comes too late for it', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 40), grow(pk, 40)]);
    const pages = table(otherProcess()).query({ pk, from: 'item', to: 'itez', pageSize: 10 });
    const first = await pages.next();
    await write([...inserts(pk, 40, 100), grow(pk, 40)]);
    const rest = await Array.fromAsync(pages);
    expect([first.value, ...rest]).toHaveLength(40);
  });

  it('deletes together what is to go', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 100), grow(pk, 100)]);
    const deletions = inserts(pk, 100).map(({ item }): Change => ({
      kind: 'change',
      key: item,
      patch: { delete: true },
      onMismatch: () => new Error('gone'),
    }));
    await write([...deletions, grow(pk, -100)]);
    expect(await items(pk)).toEqual([]);
    expect(await lengthOf(pk)).toBe(0);
    await expect(write([...deletions, grow(pk, -100)])).rejects.toThrow('gone');
    expect(await lengthOf(pk)).toBe(0);
  });
});

describe('two that meet', () => {
  it('of two bulk requests with common items, in whatever order, one goes through and the other is refused', async () => {
    const pk = await newCounter();
    const mine = inserts(pk, 100);
    const results = await Promise.allSettled([
      write([...mine, grow(pk, 100)], otherProcess()),
      write([...mine.toReversed(), grow(pk, 100)], otherProcess()),
      write([...inserts(pk, 100, 50), grow(pk, 100)], otherProcess()),
    ]);
    const won = results.filter(({ status }) => status === 'fulfilled').length;
    expect(won).toBe(1);
    expect(await items(pk)).toHaveLength(100);
    expect(await lengthOf(pk)).toBe(100);
  });

  it('bulk requests that only share a counter all go through', async () => {
    const pk = await newCounter();
    await Promise.all([0, 1, 2, 3].map((n) => write([...inserts(pk, 50, n * 100), grow(pk, 50)], otherProcess())));
    expect(await lengthOf(pk)).toBe(200);
  });

  it('two bulk deletions of the same items count once', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)]);
    const plan = [
      ...inserts(pk, 60).map(({ item }): Change => ({
        kind: 'change',
        key: item,
        patch: { delete: true },
        onMismatch: () => new Error('gone'),
      })),
      grow(pk, -60),
    ];
    const results = await Promise.allSettled([write(plan, otherProcess()), write(plan, otherProcess())]);
    expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'done')).toSorted()).toEqual(
      ['Error: gone', 'done'],
    );
    expect(await lengthOf(pk)).toBe(0);
  });
});

describe('a writer that dies before its commit', () => {
  async function abandoned(): Promise<string> {
    const pk = await newCounter();
    await expect(write([...inserts(pk, 60), grow(pk, 60)], otherProcess(DyingLog))).rejects.toThrow('killed');
    return pk;
  }

  it('leaves nothing that a reader sees', async () => {
    const pk = await abandoned();
    expect(await items(pk)).toEqual([]);
    expect(await lengthOf(pk)).toBe(0);
  });

  it('is not rolled back while it might still commit, and is afterwards', async () => {
    const pk = await abandoned();
    const reader = otherProcess();
    await recover(reader, false);
    expect((await rawItems(pk)).length).toBe(60);
    afterTheDeadline();
    expect(await recover(reader, false)).toBeGreaterThan(0);
    expect(await rawItems(pk)).toEqual([]);
    expect(Object.keys((await rawCounter(pk)) ?? {}).filter((name) => name.startsWith('~'))).toEqual([]);
    expect(await lengthOf(pk, reader)).toBe(0);
  });

  it('is rolled back however late the next start comes', async () => {
    const pk = await abandoned();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * batchHorizon });
    await recover(otherProcess(), true);
    expect(await rawItems(pk)).toEqual([]);
    expect(await lengthOf(pk, otherProcess())).toBe(0);
  });

  it('is rolled back late by the second recovery, when the first one dies in the midst of it', async () => {
    const pk = await abandoned();
    const [batch = ''] = stagedBatches((await rawCounter(pk)) as Item);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * batchHorizon });
    await otherProcess().batches.abort(batch);
    await recover(otherProcess(), true);
    expect(await rawItems(pk)).toEqual([]);
    expect(await lengthOf(pk, otherProcess())).toBe(0);
  });

  it('is rolled back by the next one that meets it', async () => {
    const pk = await abandoned();
    afterTheDeadline();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess());
    expect(await items(pk, otherProcess())).toHaveLength(60);
    expect(await lengthOf(pk, otherProcess())).toBe(60);
  });

  it('cannot commit any more once it was given up', async () => {
    const log = new BatchLog(writer.client, writer.tableName);
    const batch = await log.begin([]);
    expect(await writer.batches.abort(batch)).toBe(true);
    await expect(log.commit(batch)).rejects.toMatchObject({ name: 'DatabaseException', status: 503 });
    expect(await log.verdict(batch)).toEqual({ state: 'aborted' });
  });
});

describe('a writer that dies after its commit', () => {
  it('is tidied up by the next recovery', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess(UnfoldedLog)).catch(() => undefined);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    await recover(otherProcess(), false);
    expect(await rawCounter(pk)).toMatchObject({ length: 60 });
    expect(stagedBatches((await rawCounter(pk)) as Item)).toEqual([]);
  });

  it('has written everything, and the next writer finds its counters right', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess(UnfoldedLog)).catch(() => undefined);
    const reader = otherProcess();
    expect(await items(pk, reader)).toHaveLength(60);
    expect(await lengthOf(pk, reader)).toBe(60);
    await write([...inserts(pk, 60, 100), grow(pk, 60)], otherProcess());
    expect(await lengthOf(pk, otherProcess())).toBe(120);
  });
});

describe('a decision that must not overlap with a bulk request', () => {
  /** Closes the counter at its present length, as long as nothing is under way. */
  const close = async (pk: string, by: Writer, betweenReadAndWrite: () => Promise<void> = async () => {}) => {
    let first = true;
    await writeAtomically(by, async () => {
      const item = (await table(by).get({ PK: pk, SK: 'counter' })) as Item;
      const [batch] = stagedBatches(item);
      if (batch !== undefined) throw new Collision(batch, item);
      if (first) await betweenReadAndWrite();
      first = false;
      const patch = { set: { open: false, closedAt: item['length'] } };
      const onMismatch = () => new LostRace('changed meanwhile');
      return [
        { kind: 'change', key: { PK: pk, SK: 'counter' }, patch, when: { open: true, rev: item['rev'] }, onMismatch },
      ];
    });
    return table(by).get({ PK: pk, SK: 'counter' });
  };
  const growCounted = (pk: string, by: number): Change => {
    const change = grow(pk, by, { open: true });
    return { ...change, patch: { add: { ...change.patch.add, rev: 1 } } };
  };

  it('notices one that began after its read', async () => {
    const pk = await newCounter();
    const bulk = otherProcess();
    const closed = await close(pk, otherProcess(), () => write([...inserts(pk, 40), growCounted(pk, 40)], bulk));
    expect(closed).toMatchObject({ open: false, length: 40, closedAt: 40 });
  });

  it('waits for one that has staged but not committed, and counts it', async () => {
    const pk = await newCounter();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    class SlowLog extends BatchLog {
      override async commit(id: string): Promise<void> {
        await released;
        await super.commit(id);
      }
    }
    const bulk = write([...inserts(pk, 40), growCounted(pk, 40)], otherProcess(SlowLog));
    while ((await rawItems(pk)).length < 40) await sleep(20);
    const closing = close(pk, otherProcess());
    await sleep(100);
    release();
    await bulk;
    expect(await closing).toMatchObject({ open: false, length: 40, closedAt: 40 });
  });

  it('is not held up by one whose record is gone before its change was folded', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 40), growCounted(pk, 40)], otherProcess(UnfoldedLog)).catch(() => undefined);
    const [batch = ''] = stagedBatches((await rawCounter(pk)) as Item);
    await forgetRecord(batch);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * batchHorizon });
    expect(await close(pk, otherProcess())).toMatchObject({ open: false, length: 40, closedAt: 40 });
  });
});

describe('what a staged commit costs (design 3)', () => {
  it('one unit an insert, two a change, two for the batch, in four round trips', async () => {
    const pk = await newCounter();
    const { cost } = await measure(() => write([...inserts(pk, 1_000), grow(pk, 1_000)]));
    expect(cost).toMatchObject({ wru: 1_000 + 2 + 2, rru: 0, roundTrips: 4 });
  });

  it('a handful goes in one transaction', async () => {
    const pk = await newCounter();
    const { cost } = await measure(() => write([...inserts(pk, 3), grow(pk, 3)]));
    // DynamoDB Local reports the units of a transaction as if it held one item.
    expect(cost).toMatchObject({ rru: 0, requests: 1, roundTrips: 1 });
  });
});

/** As its end of life does with the record of a batch. */
async function forgetRecord(batch: string): Promise<void> {
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb');
  for (const shard of [0, 1, 2, 3]) {
    await writer.client.send(
      new DeleteCommand({ TableName: writer.tableName, Key: { PK: `BATCH#${shard}`, SK: batch } }),
    );
  }
}

async function rawItems(pk: string): Promise<unknown[]> {
  return (await raw(pk)).filter((item) => String(item['SK']).startsWith('item'));
}

async function rawCounter(pk: string): Promise<Record<string, unknown> | undefined> {
  return (await raw(pk)).find((item) => item['SK'] === 'counter');
}

/** What lies in the table, seen or not. */
async function raw(pk: string): Promise<Record<string, unknown>[]> {
  const { QueryCommand } = await import('@aws-sdk/lib-dynamodb');
  const { Items = [] } = await writer.client.send(
    new QueryCommand({
      TableName: writer.tableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );
  return Items;
}
