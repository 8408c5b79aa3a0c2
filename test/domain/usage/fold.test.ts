import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { consumeChanges } from '../../../lib/background/consume-changes.ts';
import { createConsumer } from '../../../lib/background/create-consumer.ts';
import { foldUsage, makeFoldUsage } from '../../../lib/background/fold-usage.ts';
import { reactions } from '../../../lib/background/reactions.ts';
import type { Reaction } from '../../../lib/domain/values/reaction.ts';
import { getAccountUsage, listPastUsage } from '../../../lib/store/entities/account-usage.ts';
import {
  getOwnUsage,
  insertRseUsageDifference,
  listPastRseUsages,
  setRseUsage,
} from '../../../lib/store/entities/rse-usage.ts';
import { foldDifferences } from '../../../lib/store/entities/usage-difference.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { writerOf } from '../../../lib/store/open-store.ts';
import { readStream } from '../../../lib/store/stream/read-stream.ts';
import type { StreamRecord } from '../../../lib/store/stream/record.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';
import { accounts, newUsageCatalogue, type RseName, rses, type UsageCatalogue } from './usage-catalogue.ts';

let world: UsageCatalogue;
beforeAll(async () => {
  world = await newUsageCatalogue();
});

const place = { id: 'told', at: 0 };
/** Folds every difference, so that every code path is used. */
const eager = makeFoldUsage(1);
const eagerly = reactions.map((reaction) => (reaction === foldUsage ? eager : reaction));
const feed = (records: readonly StreamRecord[]) => createConsumer(world.store, eagerly)({ Records: [...records] });
const own = async (rse: RseName) => {
  const { bytes, files } = await getOwnUsage(world.store.begin().table, world.rseId(rse));
  return { bytes, files };
};
const used = async (account: string, rse: RseName) => {
  const usage = await getAccountUsage(world.store.begin().table, account, world.rseId(rse));
  return { bytes: usage?.bytes ?? 0, files: usage?.files ?? 0 };
};
const expectAllRight = async () => {
  const lines = await world.recount();
  expect(lines.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
};

const action = fc.record({
  do: fc.constantFrom('register', 'remove', 'lock', 'unlock'),
  rse: fc.constantFrom(...rses),
  names: fc.subarray(['p0', 'p1', 'p2', 'p3'], { minLength: 1 }),
  account: fc.constantFrom(...accounts),
});
const piece = fc.record({ from: fc.nat(100), length: fc.integer({ min: 1, max: 100 }) });
/** Actions, and which pieces of the stream are delivered meanwhile. */
const scenario = fc.array(
  fc.record({ actions: fc.array(action, { maxLength: 4 }), pieces: fc.array(piece, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 3 },
);
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;
const seed = seedFrom('USAGE_SEED');

describe(`usage (USAGE_SEED=${seed})`, () => {
  it('is exact at once, and unchanged by folding, however often', async () => {
    const before = await own('DISK');
    const names = Array.from({ length: 30 }, (_value, index) => `exact${index}`);
    await world.register('DISK', names, 7);
    await world.lock('DISK', names, 'alice');
    await world.remove('DISK', []);
    const expected = { bytes: Number(before.bytes) + 210, files: Number(before.files) + 30 };
    expect(await own('DISK')).toEqual(expected);
    expect(await used('alice', 'DISK')).toEqual({ bytes: 210, files: 30 });
    expect(await world.differences()).toHaveLength(2);
    const records = await world.records();
    for (const _time of [1, 2]) {
      expect(await feed(records)).toEqual({ batchItemFailures: [] });
      expect(await world.differences()).toEqual([]);
      expect(await own('DISK')).toEqual(expected);
      expect(await used('alice', 'DISK')).toEqual({ bytes: 210, files: 30 });
    }
    await expectAllRight();
  });

  it('is folded concurrently without counting twice, even if it takes several plans', async () => {
    const rseId = world.rseId('TAPE');
    const before = await own('TAPE');
    const many = Array.from({ length: 150 }, (_value, index) =>
      insertRseUsageDifference(rseId, { bytes: index, files: 1 }),
    );
    await world.store.write(async () => many);
    const change = [{ kind: 'rseUsage' as const, rseId, ...place }];
    await Promise.all([1, 2].map(() => eager.run(world.context(), change)));
    expect(await own('TAPE')).toEqual({
      bytes: Number(before.bytes) + (150 * 149) / 2,
      files: Number(before.files) + 150,
    });
    expect(await world.differences()).toEqual([]);
    const negative = { bytes: -(150 * 149) / 2, files: -150 };
    await world.store.write(async () => [insertRseUsageDifference(rseId, negative)]);
    await eager.run(world.context(), change);
    expect(await own('TAPE')).toEqual(before);
  });

  it('is folded from the threshold on, and exact below it', async () => {
    const rseId = world.rseId('TAPE');
    const change = [{ kind: 'rseUsage' as const, rseId, ...place }];
    await eager.run(world.context(), change);
    const before = await own('TAPE');
    for (const [more, open] of [
      [3, 3],
      [16, 19],
      [1, 0],
    ] as const) {
      const differences = Array.from({ length: more }, () => insertRseUsageDifference(rseId, { bytes: 1, files: 0 }));
      await world.store.write(async () => differences);
      await foldUsage.run(world.context(), change);
      expect(await world.differences()).toHaveLength(open);
    }
    expect(await own('TAPE')).toEqual({ ...before, bytes: Number(before.bytes) + 20 });
    await world.store.write(async () => [insertRseUsageDifference(rseId, { bytes: -20, files: 0 })]);
    await eager.run(world.context(), change);
  });

  it('has a history that keeps the last state of each hour', async () => {
    const table = () => world.store.begin().table;
    for (const name of ['past0', 'past1', 'past2']) {
      await world.register('TAPE', [name]);
      await world.lock('TAPE', [name], 'bob');
      await feed(await world.records());
    }
    const [newest, ...older] = await Array.fromAsync(listPastRseUsages(table(), world.rseId('TAPE'), 'rucio'));
    const { bytes, files } = await own('TAPE');
    expect(newest).toMatchObject({ used: bytes, files });
    const ofBob = await Array.fromAsync(listPastUsage(table(), 'bob', world.rseId('TAPE')));
    expect(ofBob.at(-1)).toMatchObject(await used('bob', 'TAPE'));
    const hours = (times: readonly { at: number }[]) => times.map(({ at }) => Math.floor(at / 3_600_000));
    for (const list of [hours([...(newest === undefined ? [] : [newest]), ...older]), hours(ofBob)]) {
      expect(new Set(list).size).toBe(list.length);
    }
  });

  it(
    'equals the replicas and locks, whatever the order and the pieces of stream delivery',
    { timeout: 300_000 },
    async () => {
      const run = async (rounds: Scenario) => {
        const all: StreamRecord[] = [];
        for (const { actions, pieces } of rounds) {
          // Refused actions, such as the removal of a locked replica, must not be counted.
          for (const { do: what, rse, names: some, account } of actions) {
            const acts = {
              register: () => world.register(rse, some, 2 ** 52 + some.length),
              remove: () => world.remove(rse, some),
              lock: () => world.lock(rse, some, account),
              unlock: () => world.lock(rse, some, undefined),
            };
            await acts[what]().catch(() => {});
          }
          all.push(...(await world.records()));
          await Promise.all(pieces.map(({ from, length }) => feed(all.slice(from, from + length))));
        }
        await feed(all);
        await Promise.all([feed(all), feed(all.toReversed())]);
        expect(await world.differences()).toEqual([]);
        await expectAllRight();
      };
      await fc.assert(fc.asyncProperty(scenario, run), { seed, numRuns: volumeOf('foldsOfUsage') });
    },
  );
});

describe('cost of usage (ADR 0011)', () => {
  it('is a query to read it; to fold it, two units per difference and a few more', async () => {
    const rseId = world.rseId('TAPE');
    const change = [{ kind: 'rseUsage' as const, rseId, ...place }];
    const differ = (count: number) =>
      Array.from({ length: count }, (_value, index) =>
        insertRseUsageDifference(rseId, { bytes: 0, files: index % 2 === 0 ? 1 : -1 }),
      );
    for (const [count, wru, roundTrips] of [
      // In a transaction: the differences, the sum, the history entry and the one that it replaces.
      [2, 2 * (2 + 3), 2],
      // In a staged commit: two for the sum, three for the history, and the batch twice, which names all differences.
      [60, 2 * 60 + 2 + 3 + 2 * 6, 6],
    ] as const) {
      await world.store.write(async () => differ(count));
      const read = await measure(() => getOwnUsage(world.store.begin().table, rseId));
      expect(read.cost.requests).toBeLessThanOrEqual(2);
      expect(read.cost.rru).toBeLessThanOrEqual(3);
      const { cost } = await measure(() => eager.run(world.context(), change));
      expect(cost.wru).toBeLessThanOrEqual(wru);
      expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips);
      expect(await world.differences()).toEqual([]);
    }
  });
});

describe('a reaction that fails in the middle', () => {
  it('gets the changes again, while the other reactions have handled them', async () => {
    await world.register('DISK', ['halfway']);
    await world.lock('DISK', ['halfway'], 'bob');
    const records = await world.records();
    const { changes } = await readStream(writerOf(world.store), records);
    let failures = 0;
    const told: number[] = [];
    const failing: Reaction = {
      name: 'fails once',
      kinds: ['did'],
      run: async (_context, some) => {
        told.push(some.length);
        failures += 1;
        if (failures === 1) throw new Error('half-way');
      },
    };
    // Folds the usage of RSEs, and crashes before that of accounts.
    const dying: Reaction = {
      name: 'dies once',
      kinds: eager.kinds,
      run: async (context, some) => {
        await eager.run(context, failures < 2 ? some.filter(({ kind }) => kind === 'rseUsage') : some);
        if (failures < 2) throw new Error('killed');
      },
    };
    const all = [failing, dying];
    await expect(consumeChanges(world.context(), changes, all)).rejects.toThrow('delivered again');
    expect(await world.differences()).toHaveLength(1);
    await consumeChanges(world.context(), changes, all);
    expect(told).toHaveLength(2);
    expect(told[0]).toBe(told[1]);
    expect(await world.differences()).toEqual([]);
    await expectAllRight();
  });

  it('gets only changes of its kinds, and is not called without any', async () => {
    const told: string[] = [];
    const reaction: Reaction = {
      name: 'listens',
      kinds: ['edge', 'rseUsage'],
      run: async (_context, some) => void told.push(...some.map(({ kind }) => kind)),
    };
    await consumeChanges(world.context(), [{ kind: 'accountUsage', account: 'a', rseId: 'r', ...place }], [reaction]);
    expect(told).toEqual([]);
    const both = [
      { kind: 'rseUsage', rseId: 'none', ...place },
      { kind: 'accountUsage', account: 'a', rseId: 'r', ...place },
    ] as const;
    await consumeChanges(world.context(), both, [reaction]);
    expect(told).toEqual(['rseUsage']);
    expect(new Set(reactions.map(({ name }) => name)).size).toBe(reactions.length);
  });
});

describe('the history of usage', () => {
  it('is kept for three years, for accounts, for RSEs and for reports of other sources', async () => {
    const [rse] = rses;
    const at = Date.UTC(2026, 10, 22, 12, 30);
    const difference = { bytes: 1, files: 1 };
    const fold = { sum: undefined, differences: [{ PK: 'x', SK: 'x', ...difference, at }] };
    const shape = { key: { PK: 'a', SK: 'b' }, bytes: 'bytes', rest: {}, past: () => ({ PK: 'a', SK: 'past' }) };
    const said = await setRseUsage(
      world.store.begin().table,
      world.rseId(rse),
      { source: 'storage', used: 1, free: 2, files: 3 },
      at,
    );
    for (const plan of [foldDifferences(fold, 1, shape), said]) {
      const kept = plan.flatMap((write) => (write.kind === 'insert' && 'ttl' in write.item ? [write.item] : []));
      expect(kept).toHaveLength(1);
      const [{ ttl } = { ttl: 0 }] = kept;
      expect(new Date(Number(ttl) * 1_000).toISOString()).toMatch(/^2029-11-22T12:30/);
    }
  });
});
