import { beforeAll, describe, expect, it } from 'vitest';

import { createConsumer } from '../../../lib/background/create-consumer.ts';
import { makeFoldUsage } from '../../../lib/background/fold-usage.ts';
import { recountUsage } from '../../../lib/background/recount-usage.ts';
import { recordRseUsage } from '../../../lib/operations/rses/usage-of-rse.ts';
import type { Range } from '../../../lib/store/batches/table.ts';
import { insertAccountUsageDifference } from '../../../lib/store/entities/account-usage.ts';
import { getOwnUsage } from '../../../lib/store/entities/rse-usage.ts';
import type { Item } from '../../../lib/store/items/item.ts';
import { replicaKeys } from '../../../lib/store/keys/replica-keys.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newUsageCatalogue, type UsageCatalogue } from './usage-catalogue.ts';

let world: UsageCatalogue;
beforeAll(async () => {
  world = await newUsageCatalogue();
  await world.register('DISK', ['a', 'b', 'c'], 2 ** 53 - 1);
  await world.lock('DISK', ['a', 'b'], 'alice');
  await createConsumer(world.store, [makeFoldUsage(1)])({ Records: await world.records() });
});

const bytes = 3n * (2n ** 53n - 1n);

describe('a recount', () => {
  it('finds that the recorded sums are right', async () => {
    const right = { verdict: 'right' };
    const disk = { bytes, files: 3 };
    const alice = { bytes: 2n * (2n ** 53n - 1n), files: 2 };
    const lines = await world.recount();
    expect(lines.toSorted((a, b) => (a.rse < b.rse ? -1 : a.rse > b.rse ? 1 : 0))).toEqual([
      { rse: 'DISK', recorded: disk, counted: disk, ...right },
      { rse: 'DISK', account: 'alice', recorded: alice, counted: alice, ...right },
      { rse: 'TAPE', recorded: { bytes: 0, files: 0 }, counted: { bytes: 0, files: 0 }, ...right },
    ]);
  });

  it('finds wrong sums, and repairs these alone if asked to', async () => {
    await recordRseUsage(world.context(), 'DISK', { source: 'rucio', used: 5, free: 9, files: 1 });
    await world.store.write(async () => [
      insertAccountUsageDifference('bob', world.rseId('TAPE'), { bytes: 4, files: 1 }),
      insertAccountUsageDifference('alice', world.rseId('DISK'), { bytes: -4, files: 0 }),
    ]);
    const wrong = async (repair: boolean) =>
      (await world.recount(repair)).flatMap(({ verdict, rse, account = '' }) =>
        verdict === 'right' ? [] : [`${verdict} ${rse} ${account}`],
      );
    const of = (verdict: string) => [`${verdict} DISK `, `${verdict} DISK alice`, `${verdict} TAPE bob`];
    expect((await wrong(false)).toSorted()).toEqual(of('wrong'));
    expect((await wrong(false)).toSorted()).toEqual(of('wrong'));
    expect((await wrong(true)).toSorted()).toEqual(of('repaired'));
    expect(await wrong(false)).toEqual([]);
    expect(await getOwnUsage(world.store.begin().table, world.rseId('DISK'))).toMatchObject({ bytes, files: 3 });
    await createConsumer(world.store, [makeFoldUsage(1)])({ Records: await world.records() });
    expect(await world.differences()).toEqual([]);
    expect(await wrong(false)).toEqual([]);
  });

  it('counts only the requested RSEs', async () => {
    const lines = await Array.fromAsync(recountUsage(world.store, { rses: ['TAPE', 'NONE'] }));
    expect(new Set(lines.map(({ rse }) => rse))).toEqual(new Set(['TAPE']));
  });

  it('counts the other RSEs if an item of one can not be read, and then fails with the name of that', async () => {
    const odd: Store = {
      ...world.store,
      begin: () => {
        const begun = world.store.begin();
        const query = begun.table.query.bind(begun.table);
        begun.table.query = async function* unreadable(range: Range, read = (item: Item) => item) {
          if (range.pk === replicaKeys.contentShard(world.rseId('DISK'), 0)) throw new Error('an unexpected type');
          yield* query(range, read);
        } as typeof begun.table.query;
        return begun;
      },
    };
    const counted: string[] = [];
    const recount = async () => {
      for await (const { rse } of recountUsage(odd)) counted.push(rse);
    };
    await expect(recount()).rejects.toThrow('DISK could not be counted: Error: an unexpected type');
    expect(counted).toContain('TAPE');
  });

  it('makes no statement on sums that keep changing, and does not repair them', async () => {
    let register = 0;
    // Each read of the table finds one more replica.
    const restless: Store = {
      ...world.store,
      begin: () => {
        const begun = world.store.begin();
        const query = begun.table.query.bind(begun.table);
        begun.table.query = async function* interrupted(range: Range, read = (item: Item) => item) {
          yield* query(range, read);
          if (range.pk !== replicaKeys.contentShard(world.rseId('TAPE'), 0)) return;
          register += 1;
          await world.register('TAPE', [`restless${register}`]);
        };
        return begun;
      },
    };
    const lines = await Array.fromAsync(recountUsage(restless, { rses: ['TAPE'], repair: true }));
    expect(lines.filter(({ account }) => account === undefined)).toMatchObject([{ rse: 'TAPE', verdict: 'restless' }]);
    expect(register).toBe(3);
    expect((await world.recount()).filter(({ verdict }) => verdict !== 'right')).toEqual([]);
  });
});
