import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { foldItem } from '../../lib/store/batches/fold.ts';
import { type Item, stagedBatches } from '../../lib/store/items/item.ts';
import type { Change } from '../../lib/store/items/plan.ts';
import { newDidSetup } from '../support/dids.ts';
import {
  grow,
  inserts,
  newCounter,
  otherProcess,
  rawCounter,
  rawItems,
  table,
  UnfoldedLog,
  write,
  writer,
} from './counted-items.ts';

/** Attributes of long names: their expressions are large by their number only. */
const attributes = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_none, index) => [`attribute number ${index}`, value]));

const widen = (pk: string, count: number, value: unknown, remove: readonly string[] = []): Change => ({
  ...grow(pk, 1),
  patch: { set: attributes(count, value), add: { length: 1 }, remove },
});

describe('a change of more attributes than an expression of DynamoDB holds', () => {
  it.each([
    ['alone', 0],
    ['in a small plan', 3],
    ['in a bulk request', 30],
  ])('%s is made, and the item is settled', async (_text, count) => {
    const pk = await newCounter();
    await write([widen(pk, 900, 'first')]);
    const removed = Object.keys(attributes(900, '')).slice(500);
    await write([widen(pk, 500, 'x'.repeat(300), removed), ...inserts(pk, count)]);
    const counter = await rawCounter(pk);
    expect(stagedBatches(counter as Item)).toEqual([]);
    expect(counter).toMatchObject({ ...attributes(500, 'x'.repeat(300)), length: 2 });
    expect(Object.keys(counter ?? {}).filter((name) => name.startsWith('attribute'))).toHaveLength(500);
    expect(await rawItems(pk)).toHaveLength(count);
  });

  it('is folded by several processes concurrently, and overwrites no later value', async () => {
    const pk = await newCounter();
    await write([widen(pk, 900, 1), ...inserts(pk, 30)], otherProcess(UnfoldedLog)).catch(() => undefined);
    const [batch = ''] = stagedBatches((await rawCounter(pk)) as Item);
    expect(await table(otherProcess()).get({ PK: pk, SK: 'counter' })).toMatchObject(attributes(900, 1));
    await Promise.all(Array.from({ length: 4 }, () => foldItem(otherProcess(), batch, { PK: pk, SK: 'counter' })));
    expect(stagedBatches((await rawCounter(pk)) as Item)).toEqual([]);
    await write([widen(pk, 900, 2)]);
    await foldItem(otherProcess(), batch, { PK: pk, SK: 'counter' });
    expect(await rawCounter(pk)).toMatchObject({ ...attributes(900, 2), length: 2 });
  });

  it('keeps the item within its size limit while it is folded', async () => {
    const pk = await newCounter();
    // The item and what is staged beside it take 390 KB together.
    await write([widen(pk, 40, 'x'.repeat(4_000))]);
    await write([widen(pk, 400, 'y'.repeat(500)), ...inserts(pk, 30)]);
    expect(await rawCounter(pk)).toMatchObject({ ...attributes(400, 'y'.repeat(500)), length: 2 });
  });

  it('that exceeds the size limit of the item is refused before the commit', async () => {
    const pk = await newCounter();
    const large = [widen(pk, 900, 'x'.repeat(450)), ...inserts(pk, 30)];
    await expect(write(large)).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    expect(await rawItems(pk)).toEqual([]);
    expect(await rawCounter(pk)).toMatchObject({ length: 0 });
  });

  it('is visible as a whole while it is folded, also to readers that began before its commit', async () => {
    const pk = await newCounter();
    await write([widen(pk, 900, 1)]);
    const early = table(otherProcess());
    await sleep(2);
    await write([widen(pk, 900, 2), ...inserts(pk, 30)], otherProcess(UnfoldedLog)).catch(() => undefined);
    const [batch = ''] = stagedBatches((await rawCounter(pk)) as Item);
    const folding = foldItem(writer, batch, { PK: pk, SK: 'counter' });
    const seen = new Set<number>();
    for (let look = 0; look < 20; look += 1) {
      const item = (await early.get({ PK: pk, SK: 'counter' })) ?? {};
      seen.add(
        new Set(Object.entries(item).flatMap(([name, value]) => (name.startsWith('attribute') ? [value] : []))).size,
      );
    }
    await folding;
    expect([...seen]).toEqual([1]);
  });
});

describe('metadata of one DID that is named several times', () => {
  it('is set, and the DID can be closed and changed afterwards', async () => {
    const { alice, scope, add, at, get } = await newDidSetup();
    const names: string[] = [];
    for (let index = 0; index < 12; index += 1) names.push(await add('DATASET'));
    const [wide = ''] = names;
    const keys = (from: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_none, index) => [`key${from + index}`, index]));
    const dids = [
      ...names.map((name) => ({ scope, name, meta: { first: 1 } })),
      ...[0, 60, 120].map((from) => ({ scope, name: wide, meta: keys(from) })),
    ];
    expect((await alice.post('/dids/bulkdidsmeta', { dids })).status).toBe(201);
    expect(Object.keys((await alice.get(at(wide, '/meta?plugin=ALL'))).json() as object)).toEqual(
      expect.arrayContaining(['key0', 'key179', 'first']),
    );
    expect((await alice.put(at(wide, '/status'), { open: false })).status).toBe(200);
    expect((await alice.delete(at(wide, '/meta?key=key7'))).status).toBe(200);
    expect(await get(wide)).toMatchObject({ open: false });
  });
});
