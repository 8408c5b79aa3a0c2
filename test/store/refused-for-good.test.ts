import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { log } from '../../lib/log.ts';
import { batchDeadlineMs, batchHorizonMs, latestArrivalMs } from '../../lib/store/batches/batch-record.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { recover } from '../../lib/store/batches/recover.ts';
import { statementsPerRequest } from '../../lib/store/batches/statements.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { type Item, stagedBatches } from '../../lib/store/items/item.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { type FaultyEngine, hangUp } from '../support/faulty-engine.ts';
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

let started: number;
let warnings: MockInstance;
let errors: MockInstance;

beforeEach(() => {
  started = Date.now();
  warnings = vi.spyOn(log, 'warn').mockReturnValue();
  errors = vi.spyOn(log, 'error').mockReturnValue();
});

afterEach(async () => {
  vi.useRealTimers();
  warnings.mockRestore();
  errors.mockRestore();
  // So that recovery knows again what time it is.
  clock.restart();
  await recover(otherProcess(), false);
});

/** So many milliseconds after the test began. */
function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: started + milliseconds });
}

async function abandoned(count = 60): Promise<string> {
  const pk = await newCounter();
  await expect(write([...inserts(pk, count), grow(pk, count)], otherProcess(DyingLog))).rejects.toThrow('killed');
  return pk;
}

const batchOn = async (pk: string) => stagedBatches((await rawCounter(pk)) as Item)[0] ?? '';

async function expectNothing(pk: string): Promise<void> {
  expect(await items(pk, otherProcess())).toEqual([]);
  expect(await lengthOf(pk, otherProcess())).toBe(0);
}

async function expectNoTraces(pk: string): Promise<void> {
  expect(await rawItems(pk)).toEqual([]);
  expect(stagedBatches((await rawCounter(pk)) as Item)).toEqual([]);
}

describe('aborted writes never become visible', () => {
  it('if no recovery has run for hours', async () => {
    const pk = await abandoned();
    for (const hours of [0.9, 1.1, 3, 30, 2_000]) {
      later(hours * batchHorizonMs);
      await expectNothing(pk);
    }
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess());
    expect(await items(pk, otherProcess())).toHaveLength(60);
    expect(await lengthOf(pk, otherProcess())).toBe(60);
  });

  it('if recoveries have run and failed', async () => {
    const pk = await abandoned();
    const line = newLine();
    line.injectFaults((operation) => (operation === 'DeleteItem' ? hangUp : undefined));
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const minutes of [2, 20, 50, 80, 200]) {
      later(minutes * 60_000);
      await expect(recover(otherProcess(BatchLog, line.client), false)).rejects.toThrow('could not be tidied up');
      await expectNothing(pk);
    }
    vi.mocked(Math.random).mockRestore();
    await recover(otherProcess(), false);
    await expectNoTraces(pk);
  });

  it('and committed writes stay visible, with and without recovery', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)], otherProcess(UnfoldedLog)).catch(() => undefined);
    for (const minutes of [20, 80, 300]) {
      later(minutes * 60_000);
      expect(await items(pk, otherProcess())).toHaveLength(60);
      expect(await lengthOf(pk, otherProcess())).toBe(60);
    }
    await recover(otherProcess(), false);
    expect(await lengthOf(pk, otherProcess())).toBe(60);
    expect(stagedBatches((await rawCounter(pk)) as Item)).toEqual([]);
  });

  it('and a process reads the unfinished batches once in half an hour', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 60), grow(pk, 60)]);
    later(1.2 * batchHorizonMs);
    await recover(otherProcess(), false);
    const reader = otherProcess();
    const reads = [1.2, 1.3, 1.69, 1.71].map((hours) => async () => {
      later(hours * batchHorizonMs);
      return (await measure(() => items(pk, reader))).cost;
    });
    const costs = [];
    for (const read of reads) costs.push(await read());
    const [, plain] = costs;
    expect(costs.map(({ requests }) => requests - (plain?.requests ?? 0))).toEqual([1, 0, 0, 5]);
    expect((costs[0]?.rru ?? 0) - (plain?.rru ?? 0)).toBeLessThanOrEqual(1);
  });
});

describe('a writer that freezes in the middle of its request', () => {
  /** Staging of 200 items that stops at its last chunk, until it is let go. */
  async function paused(): Promise<{ pk: string; line: FaultyEngine; goOn: () => void; done: Promise<unknown> }> {
    const pk = await newCounter();
    const line = newLine();
    const { promise, resolve } = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let seen = 0;
    line.injectFaults((operation) => {
      if (operation !== 'BatchExecuteStatement') return undefined;
      seen += 1;
      if (seen < 4) return undefined;
      reached.resolve();
      return { kind: 'delay', until: promise };
    });
    const writer = otherProcess(BatchLog, line.client);
    const done = write([...inserts(pk, 1_000), grow(pk, 1_000)], writer).catch((error: unknown) => error);
    await reached.promise;
    // The first three requests have arrived: what is on its way would arrive after a recovery.
    await expect.poll(async () => (await rawItems(pk)).length).toBe(3 * statementsPerRequest);
    return { pk, line, goOn: resolve, done };
  }

  it('gets an error when it thaws, sends no more writes, and removes those that arrived late', async () => {
    const { pk, goOn, done } = await paused();
    later(batchDeadlineMs + 1_000);
    expect(await recover(otherProcess(), false)).toBe(1);
    goOn();
    expect(await done).toMatchObject({ name: 'DatabaseException', status: 503 });
    await expectNoTraces(pk);
    later(1.1 * batchHorizonMs);
    await expectNothing(pk);
  });

  it('continues if its batch was not aborted, once it has renewed the deadline', async () => {
    const { pk, goOn, done } = await paused();
    goOn();
    expect(await done).toBeUndefined();
    expect(await items(pk, otherProcess())).toHaveLength(1_000);
  });

  it('and dies afterwards leaves writes that a later recovery removes', async () => {
    const { pk, line, goOn, done } = await paused();
    later(batchDeadlineMs + 1_000);
    expect(await recover(otherProcess(), false)).toBe(1);
    await expectNoTraces(pk);
    line.injectFaults(() => hangUp);
    goOn();
    await done;
    expect((await rawItems(pk)).length).toBeGreaterThan(0);
    later(batchDeadlineMs + latestArrivalMs + 2_000);
    expect(await recover(otherProcess(), false)).toBe(0);
    await expectNoTraces(pk);
  });
});

describe('recovery', () => {
  /** A process whose deletions in some partitions fail. */
  function failingIn(pks: readonly string[]): Writer {
    const line = newLine();
    line.injectFaults((operation, input) => {
      const text = JSON.stringify(input);
      return operation === 'DeleteItem' && pks.some((pk) => text.includes(pk)) ? hangUp : undefined;
    });
    return otherProcess(BatchLog, line.client);
  }

  it('recovers a batch although another one fails', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const pks = [await abandoned(), await abandoned(), await abandoned()];
    later(batchDeadlineMs + 1_000);
    const [first = ''] = pks;
    await expect(recover(failingIn([first]), false)).rejects.toThrow('could not be tidied up');
    expect((await rawItems(first)).length).toBeGreaterThan(0);
    for (const pk of pks.slice(1)) await expectNoTraces(pk);
    expect(errors).toHaveBeenCalled();
    vi.mocked(Math.random).mockRestore();
    expect(await recover(otherProcess(), false)).toBe(1);
    await expectNoTraces(first);
  });

  it('gives each batch a time slice, and continues a large one at its position', async () => {
    const large = await abandoned(450);
    const small = await abandoned();
    later(batchDeadlineMs + 1_000);
    await recover(otherProcess(), false, 0);
    await expectNoTraces(small);
    const left = (await rawItems(large)).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(450);
    for (let run = 0; run < 5; run += 1) await recover(otherProcess(), false, 0);
    await expectNoTraces(large);
  });

  it('reads an item that many batches changed once, and finished batches only for 15 minutes', async () => {
    const pk = await newCounter();
    for (let index = 0; index < 20; index += 1) await write([...inserts(pk, 12, 100 * index), grow(pk, 12)]);
    later(30_000);
    const { cost } = await measure(() => recover(otherProcess(), false));
    // Marks, four partitions of records, changed items, progress; and those of other tests.
    expect(cost.requests).toBeLessThan(15);
    later(1_100_000);
    await recover(otherProcess(), false);
    later(1_300_000);
    const { cost: idle } = await measure(() => recover(otherProcess(), false));
    expect(idle.rru).toBeLessThanOrEqual(6);
  });
});

describe('a stream reader with a backlog of hours', () => {
  it('learns that a batch was aborted by its writer', async () => {
    const pk = await newCounter();
    await write(inserts(pk, 1));
    class NotingLog extends BatchLog {
      id = '';
      override async begin(...parameters: Parameters<BatchLog['begin']>): Promise<string> {
        this.id = await super.begin(...parameters);
        return this.id;
      }
    }
    const refused = otherProcess(NotingLog);
    await expect(write([...inserts(pk, 60), grow(pk, 60)], refused)).rejects.toThrow('exists');
    const { id } = refused.batches as NotingLog;
    const at = Date.now();
    for (const hours of [0.1, 3, 23]) {
      later(hours * batchHorizonMs);
      expect(await otherProcess().batches.verdictAsOf(id, at)).toEqual({ state: 'aborted' });
    }
  });

  it('learns it of a batch that was cleaned up late', async () => {
    const pk = await abandoned();
    const id = await batchOn(pk);
    later(3 * batchHorizonMs);
    await recover(otherProcess(), false);
    const at = Date.now();
    await expectNoTraces(pk);
    for (const hours of [3.1, 10, 26]) {
      later(hours * batchHorizonMs);
      expect(await otherProcess().batches.verdictAsOf(id, at)).toEqual({ state: 'aborted' });
    }
  });
});

describe('a refused bulk request', () => {
  it.each([200, 3_000])('costs its own writes only, in a partition of %i items', async (count) => {
    const pk = await newCounter();
    await write(inserts(pk, count));
    const plan = [
      ...inserts(pk, 9, count),
      ...inserts(pk, 1, 5).slice(-1),
      ...inserts(pk, 1, count + 20),
      grow(pk, 11),
    ];
    const { cost } = await measure(() => write(plan).catch(() => undefined));
    // Read: what was there already. Written: begin, 10 inserts and a change, the abort, as much to take back, its note.
    expect(cost.rru).toBeLessThanOrEqual(3);
    expect(cost.wru).toBeLessThanOrEqual(30);
    await expectNoLeftovers(pk, count);
  });

  const expectNoLeftovers = async (pk: string, count: number) => expect(await rawItems(pk)).toHaveLength(count);
});
