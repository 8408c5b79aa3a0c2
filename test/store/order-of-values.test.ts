import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { foldingTimeMs, foldItem } from '../../lib/store/batches/fold.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Change, Insert } from '../../lib/store/items/plan.ts';
import { isEngineEmbedded } from '../support/run.ts';
import { otherProcess, table, UnfoldedLog, write } from './counted-items.ts';

const names = Array.from({ length: 30 }, (_value, index) => `item${String(index).padStart(2, '0')}`);

async function newItems(): Promise<string> {
  const pk = `TEST#${randomUUID()}`;
  await write(
    names.map((SK): Insert => ({ kind: 'insert', item: { PK: pk, SK, value: 'old' }, onExists: () => new Error() })),
  );
  return pk;
}

/** Changes of items that nobody has read. */
const changes = (pk: string, count: number, patch: Change['patch']): Change[] =>
  names.slice(0, count).map((SK) => ({
    kind: 'change',
    key: { PK: pk, SK },
    patch: { ...patch, set: { ...patch.set, updatedAt: 1 } },
    onMismatch: () => new Error('missing'),
  }));
const setTo = (value: string): Change['patch'] => ({ set: { value } });

/** Keeps the id of its batch. */
class NotingLog extends UnfoldedLog {
  id = '';
  override async begin(...parameters: Parameters<BatchLog['begin']>): Promise<string> {
    this.id = await super.begin(...parameters);
    return this.id;
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe('values that are set without a read of the item keep the order of the answers', () => {
  it.each([1, 5, 30])('if an earlier request is folded late: %i items', async (count) => {
    const pk = await newItems();
    const first = otherProcess(NotingLog);
    await write(changes(pk, 30, setTo('first')), first).catch(() => undefined);
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + foldingTimeMs + 1_000 });
    await write(changes(pk, count, setTo('second')), otherProcess());
    const { id } = first.batches as NotingLog;
    for (const SK of names) await foldItem(otherProcess(), id, { PK: pk, SK });
    const values = (await Array.fromAsync(table(otherProcess()).query({ pk }))).map(({ value }) => value);
    expect(values).toEqual(names.map((_name, index) => (index < count ? 'second' : 'first')));
  });

  it('also if two requests are concurrent', async () => {
    const pk = await newItems();
    const plans = ['a', 'b', 'c', 'd'].map((value) => changes(pk, 30, setTo(value)));
    await Promise.all(plans.map((plan) => write(plan, otherProcess())));
    const values = (await Array.fromAsync(table(otherProcess()).query({ pk }))).map(({ value }) => value);
    expect(new Set(values).size).toBe(1);
  });

  it('while additions wait neither for each other nor for set values', async () => {
    const pk = await newItems();
    const release = Promise.withResolvers<void>();
    const staged = Promise.withResolvers<void>();
    class SlowLog extends BatchLog {
      override async commit(id: string): Promise<void> {
        staged.resolve();
        await release.promise;
        await super.commit(id);
      }
    }
    const slow = write(changes(pk, 30, setTo('slow')), otherProcess(SlowLog));
    await staged.promise;
    const add: Change['patch'] = { add: { length: 1 } };
    const costs = await Promise.all(
      [0, 1, 2].map(async () => (await measure(() => write(changes(pk, 30, add), otherProcess()))).cost),
    );
    // The record, the commit, two requests that stage, two that fold, and a fold each for what was missing.
    const requests = costs.map((cost) => cost.requests);
    expect(Math.max(...requests)).toBeLessThanOrEqual(36);
    // Elsewhere one may come late enough to find items that another has folded.
    if (isEngineEmbedded()) expect(requests).toEqual([36, 36, 36]);
    release.resolve();
    await slow;
    expect(await table(otherProcess()).get({ PK: pk, SK: 'item03' })).toMatchObject({ value: 'slow', length: 3 });
  });
});
