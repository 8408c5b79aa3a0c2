import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Table } from '../../lib/store/batches/table.ts';
import { openStore } from '../../lib/store/open-store.ts';
import { scanItems } from '../../lib/store/portable/scan-items.ts';
import {
  grow,
  inserts,
  items,
  lengthOf,
  newCounter,
  newLine,
  otherProcess,
  UnfoldedLog,
  write,
  writer,
} from './counted-items.ts';

const twoHours = 7_200_000;

/** A day that no other test of this process has seen. */
let day = Date.now() + 20 * 86_400_000;

beforeEach(() => {
  day += 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'], now: day });
  clock.restart();
});

afterEach(() => {
  vi.useRealTimers();
  clock.restart();
});

/** A bulk request is committed by a process whose clock is ahead, and the clock is set right. */
async function commitAhead(by = writer, lead = twoHours): Promise<string> {
  const pk = await newCounter();
  vi.setSystemTime(day + lead);
  await write([...inserts(pk, 60), grow(pk, 60)], by).catch((error: Error) => {
    if (error.message !== 'killed') throw error;
  });
  vi.setSystemTime(day);
  return pk;
}

describe('after a clock that was ahead was set right', () => {
  it('the process that has committed sees its commit', async () => {
    const pk = await commitAhead();
    expect([(await items(pk)).length, await lengthOf(pk)]).toEqual([60, 60]);
  });

  it.each([
    ['two hours', twoHours],
    ['less than the second to which a server tells its time', 500],
  ])(
    'a process that has not seen the commit shows it, whole, from its first read on: ahead by %s',
    async (_by, lead) => {
      const pk = await commitAhead(otherProcess(UnfoldedLog), lead);
      clock.restart();
      const reader = otherProcess();
      expect([await lengthOf(pk, reader), (await items(pk, reader)).length]).toEqual([60, 60]);
    },
  );

  it('what that process commits then is dated after what it has seen', async () => {
    const pk = await commitAhead();
    clock.restart();
    const other = otherProcess();
    await items(pk, other);
    expect(clock.now()).toBeGreaterThanOrEqual(day + twoHours);
    await write([...inserts(pk, 60, 60), grow(pk, 60)], other);
    expect([await lengthOf(pk, other), (await items(pk)).length]).toEqual([120, 120]);
  });

  it('a plan conflicts with nothing that it does not see', async () => {
    const pk = await commitAhead();
    clock.restart();
    await expect(write(inserts(pk, 60), otherProcess())).rejects.toThrow('exists: item');
  });

  it('a copy of the table lacks nothing', async () => {
    const pk = await commitAhead();
    clock.restart();
    const store = openStore({ tableName: writer.tableName, ...newLine().client });
    const found = (await Array.fromAsync(scanItems(store))).filter(({ PK }) => PK === pk);
    expect(found.length).toBe(61);
  });

  it('a process whose wall clock was set forward as well shows the commit', async () => {
    const pk = await commitAhead(otherProcess(UnfoldedLog), 400);
    clock.restart();
    clock.compare(day - (day % 1_000), clock.freeTime());
    vi.setSystemTime(day + 400);
    const reader = otherProcess();
    expect([await lengthOf(pk, reader), (await items(pk, reader)).length]).toEqual([60, 60]);
  });

  it('a plan refuses nothing that was committed before it, though the time of the commit passes while it reads', async () => {
    const pk = await commitAhead(otherProcess(UnfoldedLog), 500);
    clock.restart();
    const store = openStore({ tableName: writer.tableName, ...newLine().client });
    const plan = async (latest: Table) => {
      vi.setSystemTime(Date.now() + 600);
      const [item] = await latest.getMany([{ PK: pk, SK: 'item000059' }]);
      if (item === undefined) fail('DataIdentifierNotFound', pk);
      return { writes: [], answer: item['value'] };
    };
    expect(await store.decide(plan)).toBe(59);
  });
});
