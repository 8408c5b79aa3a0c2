import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { batchDeadlineMs } from '../../lib/store/batches/batch-record.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import { recover } from '../../lib/store/batches/recover.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Change, Insert, Plan } from '../../lib/store/items/plan.ts';
import { newFaultyEngine, type Fault, type ChooseFault } from '../support/faulty-engine.ts';
import { type EngineOfRun, ownEngine } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';

let tableName: string;
let engineOfRun: EngineOfRun;
let writer: Writer;
let partitions = 0;

/** A process of its own: it remembers nothing of the others. */
function newWriter(Log: typeof BatchLog = BatchLog, at = engineOfRun.client): Writer {
  const client = createClient(at);
  return { client, tableName, batches: new Log(client, tableName) };
}

beforeAll(async () => {
  engineOfRun = await ownEngine();
  tableName = (await newTestStore()).table.name;
  writer = newWriter();
});

afterEach(() => {
  vi.useRealTimers();
});

const write = (plan: Plan, by: Writer = writer) =>
  writeAtomically(by, () => Promise.resolve(plan), { inBackground: true });

const insert = (PK: string, SK: string): Insert => ({
  kind: 'insert',
  item: { PK, SK, value: 0 },
  onExists: () => new Error(`exists: ${SK}`),
});
const inserts = (pk: string, kind: string, count: number) =>
  Array.from({ length: count }, (_value, index) => insert(pk, `${kind}${String(index).padStart(4, '0')}`));
const change = (PK: string, SK: string, when?: Change['when']): Change => ({
  kind: 'change',
  key: { PK, SK },
  patch: { add: { value: 1, rev: 1 } },
  ...(when === undefined ? {} : { when }),
  onMismatch: () => new Error(`mismatch: ${SK}`),
});

/** A partition with items to be changed. */
async function newPartition(count: number) {
  partitions += 1;
  const pk = `BACKGROUND#${partitions}`;
  const old = inserts(pk, 'old', count);
  await writeAtomically(writer, () => Promise.resolve(old));
  return { pk, changes: old.map(({ item: { SK } }) => change(pk, SK)) };
}

/** How many items are there, and what their values come to. */
async function read(pk: string) {
  const { client, batches } = newWriter();
  const table = new Table(client, tableName, new View(batches));
  const items = await Array.fromAsync(table.query({ pk }));
  return { items: items.length, sum: items.reduce((sum, { value }) => sum + Number(value), 0) };
}

/** Changes and inserts that go by a transaction, by a batch whose commit makes the changes, and by staging everything. */
const shapes = [
  ['a transaction', 95, 4],
  ['a commit with changes', 90, 120],
  ['a staged commit', 110, 20],
] as const;

describe('a plan in the background (ADR 0003)', () => {
  it.each([
    ['one request', 95, 5, { requests: 1, roundTrips: 1 }],
    ['three round trips where there are many inserts, two units a change', 90, 120, { requests: 7, roundTrips: 3 }],
  ])('is %s', async (_text, changed, inserted, expected) => {
    const { pk, changes } = await newPartition(changed);
    const { cost } = await measure(() => write([...changes, ...inserts(pk, 'new', inserted)]));
    expect(cost).toMatchObject(expected);
    expect(await read(pk)).toEqual({ items: changed + inserted, sum: changed });
  });

  it.each(shapes)('by %s is atomic', async (_text, changed, inserted) => {
    const { pk, changes } = await newPartition(changed);
    const fresh = inserts(pk, 'new', inserted);
    const failing = change(pk, 'old0000', { value: 7 });
    await expect(write([...changes.slice(1), failing, ...fresh])).rejects.toThrow('mismatch: old0000');
    await expect(write([...changes, ...fresh.slice(1), insert(pk, 'old0000')].toSpliced(0, 1))).rejects.toThrow(
      'exists: old0000',
    );
    expect(await read(pk)).toEqual({ items: changed, sum: 0 });
    await write([...changes, ...fresh]);
    expect(await read(pk)).toEqual({ items: changed + inserted, sum: changed });
  });

  it.each(shapes.slice(0, 2))('by %s refuses two writes of one item', async (_text, changed, inserted) => {
    const { pk, changes } = await newPartition(changed - 1);
    const twice = change(pk, 'old0003');
    await expect(write([...changes, ...inserts(pk, 'new', inserted), twice])).rejects.toThrow('old0003 twice');
    expect(await read(pk)).toEqual({ items: changed - 1, sum: 0 });
  });

  it('only checks items that it does not change', async () => {
    const { pk, changes } = await newPartition(20);
    const check = (when: Change['when']): Change => ({ ...change(pk, 'old0000', when), isCheck: true });
    await write([...changes.slice(1), check({ value: 0 })]);
    expect(await read(pk)).toEqual({ items: 20, sum: 19 });
    await expect(write([...changes.slice(1), check({ value: 1 })])).rejects.toThrow('mismatch');
    expect(await read(pk)).toEqual({ items: 20, sum: 19 });
  });

  it.each(shapes)(
    'by %s meets others at an item that all change, and none is lost',
    async (_text, changed, inserted) => {
      const { pk } = await newPartition(1);
      const plans = Array.from({ length: 4 }, (_none, index) => [
        change(pk, 'old0000'),
        ...inserts(pk, `new${index}.`, changed - 90 + inserted),
      ]);
      await Promise.all(plans.map((plan) => write(plan, newWriter())));
      expect(await read(pk)).toEqual({ items: 1 + 4 * (changed - 90 + inserted), sum: 4 });
    },
  );
});

describe('a writer in the background that dies', () => {
  class DyingLog extends BatchLog {
    override commitBy(): Promise<void> {
      return Promise.reject(new Error('killed'));
    }
    override abort(): Promise<boolean> {
      return Promise.reject(new Error('killed'));
    }
  }

  it('before its commit leaves no visible writes, and is rolled back', async () => {
    const { pk, changes } = await newPartition(30);
    const plan = [...changes, ...inserts(pk, 'new', 40)];
    await expect(write(plan, newWriter(DyingLog))).rejects.toThrow('killed');
    expect(await read(pk)).toEqual({ items: 30, sum: 0 });
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + batchDeadlineMs + 1_000 });
    expect(await recover(newWriter(), false)).toBe(1);
    await write(plan);
    expect(await read(pk)).toEqual({ items: 70, sum: 30 });
  });

  it('cannot commit after its batch was aborted', async () => {
    const { pk, changes } = await newPartition(30);
    class SlowLog extends BatchLog {
      override async commitBy(...[id, transact]: Parameters<BatchLog['commitBy']>): Promise<void> {
        await new BatchLog(writer.client, tableName).abort(id);
        await super.commitBy(id, transact);
      }
    }
    await expect(write([...changes, ...inserts(pk, 'new', 40)], newWriter(SlowLog))).rejects.toMatchObject({
      name: 'DatabaseException',
    });
    expect(await read(pk)).toEqual({ items: 30, sum: 0 });
  });

  it('after its commit has no work left', async () => {
    const { pk, changes } = await newPartition(30);
    class DeafLog extends BatchLog {
      override async commitBy(...parameters: Parameters<BatchLog['commitBy']>): Promise<void> {
        await super.commitBy(...parameters);
        throw new Error('the answer was lost');
      }
    }
    await write([...changes, ...inserts(pk, 'new', 40)], newWriter(DeafLog));
    expect(await read(pk)).toEqual({ items: 70, sum: 30 });
  });
});

describe('the answers of DynamoDB to a transaction', () => {
  const cancelled = (code: string): Fault => ({
    kind: 'answer',
    status: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: code }],
    },
  });
  const invalid: Fault = {
    kind: 'answer',
    status: 400,
    body: { __type: 'com.amazon.coral.validate#ValidationException', message: '4 MB' },
  };

  it.each([
    ['that it is throttled: it is sent again', cancelled('ThrottlingError'), 20, 2],
    ['that another one is at it: it is sent again', cancelled('TransactionConflict'), 20, 2],
    ['the same to a commit: that is sent again', cancelled('TransactionConflict'), 120, 2],
    ['that it is too large: it goes by a staged commit', invalid, 20, 1],
  ])('%s', async (_text, fault, inserted, transactions) => {
    const engine = newFaultyEngine(engineOfRun);
    const { pk, changes } = await newPartition(inserted);
    let seen = 0;
    const choose: ChooseFault = (operation) => {
      if (operation !== 'TransactWriteItems') return undefined;
      seen += 1;
      return seen === 1 ? fault : undefined;
    };
    engine.injectFaults(choose);
    const fresh = inserted > 100 ? [] : inserts(pk, 'new', 3);
    const plan = [...changes.slice(0, 80), ...(inserted > 100 ? inserts(pk, 'new', inserted) : fresh)];
    await write(plan, newWriter(BatchLog, engine.client));
    expect(seen).toBe(transactions);
    const added = inserted > 100 ? inserted : 3;
    expect(await read(pk)).toEqual({ items: inserted + added, sum: Math.min(inserted, 80) });
  });
});
