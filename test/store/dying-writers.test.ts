import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { batchDeadlineMs, batchHorizonMs } from '../../lib/store/batches/batch-record.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { recover } from '../../lib/store/batches/recover.ts';
import { type Item, stagedBatches } from '../../lib/store/items/item.ts';
import {
  grow,
  inserts,
  items,
  lengthOf,
  newCounter,
  newLine,
  otherProcess,
  rawCounter,
  rawItems,
  UnfoldedLog,
  write,
  writer,
} from './counted-items.ts';

/** A writer whose process ends just before it commits: nobody tidies up after it. */
class DyingLog extends BatchLog {
  override commit(): Promise<void> {
    return Promise.reject(new Error('killed'));
  }
  override abort(): Promise<boolean> {
    return Promise.reject(new Error('killed'));
  }
}

afterEach(async () => {
  vi.useRealTimers();
  // So that recovery knows again what time it is.
  clock.restart();
  await recover(otherProcess(), false);
});

/** As if the deadline of everything that is under way had passed. */
function afterTheDeadline(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + batchDeadlineMs + 1_000 });
}

describe('a writer that dies before its commit', () => {
  async function abandoned(): Promise<string> {
    const pk = await newCounter();
    await expect(write([...inserts(pk, 60), grow(pk, 60)], otherProcess(DyingLog))).rejects.toThrow('killed');
    return pk;
  }

  it('leaves no visible writes', async () => {
    const pk = await abandoned();
    expect(await items(pk)).toEqual([]);
    expect(await lengthOf(pk)).toBe(0);
  });

  it('is rolled back only when it cannot commit any more', async () => {
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

  it('is rolled back however late the next recovery runs', async () => {
    const pk = await abandoned();
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + 48 * batchHorizonMs });
    await recover(otherProcess(), true);
    expect(await rawItems(pk)).toEqual([]);
    expect(await lengthOf(pk, otherProcess())).toBe(0);
  });

  it('is rolled back by a second recovery when the first one dies', async () => {
    const pk = await abandoned();
    const [batch = ''] = stagedBatches((await rawCounter(pk)) as Item);
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + 48 * batchHorizonMs });
    await otherProcess().batches.abort(batch);
    await recover(otherProcess(), true);
    expect(await rawItems(pk)).toEqual([]);
    expect(await lengthOf(pk, otherProcess())).toBe(0);
  });

  it('is rolled back by the next writer that conflicts with it', async () => {
    const pk = await abandoned();
    afterTheDeadline();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess());
    expect(await items(pk, otherProcess())).toHaveLength(60);
    expect(await lengthOf(pk, otherProcess())).toBe(60);
  });

  it('cannot commit after its batch was aborted', async () => {
    const log = new BatchLog(writer.client, writer.tableName);
    const batch = await log.begin([]);
    expect(await writer.batches.abort(batch)).toBe(true);
    await expect(log.commit(batch)).rejects.toMatchObject({ name: 'DatabaseException', status: 503 });
    expect(await log.verdict(batch)).toEqual({ state: 'aborted' });
  });
});

describe('a writer that dies after its commit', () => {
  it('has its changes folded by the next recovery', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess(UnfoldedLog)).catch(() => undefined);
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + 10_000 });
    await recover(otherProcess(), false);
    expect(await rawCounter(pk)).toMatchObject({ length: 60 });
    expect(stagedBatches((await rawCounter(pk)) as Item)).toEqual([]);
  });

  it('has its changes folded without reads of its inserts', async () => {
    const pk = await newCounter();
    const many = Array.from({ length: 200 }, (_value, index) => ({
      kind: 'insert' as const,
      item: { PK: pk, SK: `item${randomUUID()}`, value: index },
      onExists: () => new Error('exists'),
    }));
    await expect(write([...many, grow(pk, 200)], otherProcess(UnfoldedLog))).rejects.toThrow('killed');
    const line = newLine();
    const read: string[] = [];
    line.injectFaults((_operation, input) => {
      if (JSON.stringify(input).includes('BATCHLISTS')) read.push(JSON.stringify(input));
      return undefined;
    });
    await recover(otherProcess(BatchLog, line.client), true);
    expect(Object.keys((await rawCounter(pk)) ?? {}).filter((name) => name.startsWith('~'))).toEqual([]);
    expect(read).toEqual([]);
  });

  it('has written everything, and the next writer reads correct counters', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess(UnfoldedLog)).catch(() => undefined);
    const reader = otherProcess();
    expect(await items(pk, reader)).toHaveLength(60);
    expect(await lengthOf(pk, reader)).toBe(60);
    await write([...inserts(pk, 60, 100), grow(pk, 60)], otherProcess());
    expect(await lengthOf(pk, otherProcess())).toBe(120);
  });
});
