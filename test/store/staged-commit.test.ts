import { describe, expect, it } from 'vitest';

import { measure } from '../../lib/store/items/meter.ts';
import type { Change } from '../../lib/store/items/plan.ts';
import { grow, inserts, items, lengthOf, newCounter, otherProcess, table, write } from './counted-items.ts';

describe('a plan of any size is atomic', () => {
  it.each([1, 2, 10, 11, 100])('writes all of %i', async (count) => {
    const pk = await newCounter();
    await write([...inserts(pk, count), grow(pk, count)]);
    expect(await items(pk)).toHaveLength(count);
    expect(await lengthOf(pk)).toBe(count);
  });

  it.each([2, 10, 11, 100])('writes nothing of %i when one of them exists already', async (count) => {
    const pk = await newCounter();
    await write(inserts(pk, 1, count - 1));
    await expect(write([...inserts(pk, count), grow(pk, count)])).rejects.toThrow(/exists: item/);
    expect(await items(pk)).toHaveLength(1);
    expect(await lengthOf(pk)).toBe(0);
  });

  it.each([2, 300])('writes nothing of %i when a condition fails', async (count) => {
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

  it('shows one reader the same snapshot on every page, despite a commit between pages', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 40), grow(pk, 40)]);
    const pages = table(otherProcess()).query({ pk, from: 'item', to: 'itez', pageSize: 10 });
    const first = await pages.next();
    await write([...inserts(pk, 40, 100), grow(pk, 40)]);
    const rest = await Array.fromAsync(pages);
    expect([first.value, ...rest]).toHaveLength(40);
  });

  it('deletes several items together', async () => {
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

describe('two concurrent requests', () => {
  it('of two bulk requests with common items, in any order, one succeeds and the other is refused', async () => {
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

  it('bulk requests that only share a counter all succeed', async () => {
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

describe('the cost of a staged commit', () => {
  it('is one unit per insert, two per change, two for the batch, in four round trips', async () => {
    const pk = await newCounter();
    const { cost } = await measure(() => write([...inserts(pk, 1_000), grow(pk, 1_000)]));
    expect(cost).toMatchObject({ wru: 1_000 + 2 + 2, rru: 0, roundTrips: 4 });
  });

  it('is that of one transaction for up to ten writes', async () => {
    const pk = await newCounter();
    const { cost } = await measure(() => write([...inserts(pk, 3), grow(pk, 3)]));
    // DynamoDB Local reports the units of a transaction as if it held one item.
    expect(cost).toMatchObject({ rru: 0, requests: 1, roundTrips: 1 });
  });
});
