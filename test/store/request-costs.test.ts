/** Costs of `Idempotency-Key` and `If-Match` (docs/access-patterns.md, Repeats and conditions). */
import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { guardedStore } from '../../lib/store/guarded-store.ts';
import { type Cost, measure } from '../../lib/store/items/meter.ts';
import type { Insert } from '../../lib/store/items/plan.ts';
import { KeyedStore } from '../../lib/store/keyed-store.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { reportsAllUnits } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});

const inserts = (count: number): Insert[] => {
  const pk = `TEST#${randomUUID()}`;
  return Array.from({ length: count }, (_value, index) => ({
    kind: 'insert',
    item: { PK: pk, SK: `item${index}` },
    onExists: () => new Error('exists'),
  }));
};

const write = (to: Store, count: number) => to.write(() => Promise.resolve(inserts(count)));
/** Parts of a cost that the engine of the run reports correctly: DynamoDB Local tells the units of one item of a transaction. */
const told = ({ wru, ...rest }: { readonly wru: number; readonly rru: number; readonly requests: number }) =>
  reportsAllUnits() ? { wru, ...rest } : rest;
const costOf = async (run: () => Promise<unknown>): Promise<Cost> => (await measure(run)).cost;

const claim = () => ({ account: 'root', key: randomUUID(), fingerprint: 'a'.repeat(43) });

async function costWithKey(count: number): Promise<Cost> {
  const keyed = new KeyedStore(store.begin(), claim());
  return costOf(async () => {
    if (count > 0) await write(keyed.store, count);
    await keyed.finish();
  });
}

describe('a request with an idempotency key', () => {
  it.each([
    ['nothing to write', 0, { rru: 0, wru: 0, requests: 0 }, { rru: 0, wru: 1, requests: 1 }],
    ['one write', 1, { rru: 0, wru: 1, requests: 1 }, { rru: 0, wru: 4, requests: 1 }],
    ['three writes', 3, { rru: 0, wru: 6, requests: 1 }, { rru: 0, wru: 8, requests: 1 }],
    ['as many as a transaction takes', 10, { rru: 0, wru: 20, requests: 1 }, { rru: 0, wru: 22, requests: 1 }],
    ['60 writes', 60, { rru: 0, wru: 62, requests: 5 }, { rru: 1, wru: 63, requests: 6 }],
  ])('and %s', async (_name, count, without, withKey) => {
    if (count > 0) expect(await costOf(() => write(store.begin(), count))).toMatchObject(told(without));
    expect(await costWithKey(count)).toMatchObject(told(withKey));
  });

  it('keeps a long answer compressed, at a unit per kilobyte', async () => {
    const keyed = new KeyedStore(store.begin(), claim());
    const ids = Array.from({ length: 100 }, () => randomUUID().replaceAll('-', ''));
    const cost = await costOf(() => keyed.store.decide(() => Promise.resolve({ writes: [], answer: ids })));
    expect(cost.wru).toBeLessThanOrEqual(3);
  });
});

describe('a request with If-Match', () => {
  it('reads the resource, and writes in a transaction', async () => {
    const option = { kind: 'option', section: randomUUID(), option: 'colour' } as const;
    const item = { PK: 'CONFIG', SK: `${option.section}#colour`, value: 'red', updatedAt: 1 };
    await store.write(() => Promise.resolve([{ kind: 'insert', item, onExists: () => new Error('exists') }]));
    const change = (to: Store) =>
      to.write(() =>
        Promise.resolve([
          { kind: 'change', key: item, patch: { add: { rev: 1 } }, onMismatch: () => new Error('missing') },
        ]),
      );
    expect(await costOf(() => change(store.begin()))).toMatchObject({ rru: 0, wru: 1, requests: 1 });
    const guarded = guardedStore(store.begin(), { resource: option, accepts: () => true });
    expect(await costOf(() => change(guarded))).toMatchObject({ rru: 1, wru: 2, requests: 2 });
  });
});
