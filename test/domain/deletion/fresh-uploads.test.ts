import { writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { data, interrupted } from '../dids/catalogue.ts';
import { newReaperCatalogue, type ReaperCatalogue } from './reaper-catalogue.ts';

let world: ReaperCatalogue;
beforeEach(async () => {
  world = await newReaperCatalogue();
});
afterEach(async () => {
  await world.close();
});

type State = 'A' | 'B' | 'C' | 'D' | 'T' | 'U';

const tenMinutes = 600_001;
const files = (state: State = 'A') => [{ ...data('f'), bytes: 10, state }];
const register = (later = 0, state?: State) =>
  addReplicas(world.at(Date.now() + later), { rse: 'FULL', files: files(state), ignore_availability: false });
const report = (later = 0, state: State = 'A') =>
  updateReplicas(world.at(Date.now() + later), { rse: 'FULL', files: [{ ...data('f'), state }] });
const upload = () => writeFile(world.pathOf('f'), 'new content');
/** The reaper marks the file, and dies. */
const markAndDie = async () => {
  const dying = interrupted(world.store, async () => {
    if ((await world.replica('f'))?.state === 'B') throw new Error('killed');
  });
  await world.reap(0, dying).catch(() => {});
  expect(await world.replica('f')).toMatchObject({ state: 'B', mark: expect.anything() });
};

/** A file that may be deleted, and one that is about nothing. */
beforeEach(async () => {
  await world.upload(['f', 'other']);
  await world.free(['f', 'other']);
});

const stays = async (later: number) => {
  await world.set('greedyDeletion', true);
  await world.reap(later);
  expect([await world.isThere('f'), (await world.replica('f'))?.state]).toEqual([true, 'A']);
  expect(await findListFaults(world.at().store.table)).toEqual([]);
};

describe('what is uploaded anew over a replica that may be deleted', () => {
  it('stays, by whatever route it is registered: the former tombstone does not take it', async () => {
    const routes: (() => Promise<unknown>)[] = [
      () => register(),
      () => register(0, 'C'),
      () => report(),
      async () => {
        await report(0, 'C');
        await report();
      },
      async () => {
        await world.add('ds', 'DATASET');
        await attachDids(world.at(), data('ds'), [{ ...data('f'), bytes: 10 }], 'FULL');
      },
    ];
    for (const route of routes) {
      await world.free(['f']);
      await upload();
      await route();
      expect(await world.replica('f')).not.toHaveProperty('tombstone');
      await stays(0);
    }
    expect(await world.isThere('other')).toBe(false);
  });

  it('stays after its mark is over, and goes by its own tombstone then', async () => {
    await markAndDie();
    await upload();
    await register(tenMinutes);
    expect(await world.replica('f')).toMatchObject({ state: 'A' });
    await stays(2 * tenMinutes);
    await world.free(['f']);
    await world.reap(2 * tenMinutes);
    expect(await world.isThere('f')).toBe(false);
  });

  it('is refused while a reaper may be deleting the file, whatever state is reported, and changes nothing', async () => {
    await markAndDie();
    const before = await world.replica('f');
    const refusal = {
      name: 'ResourceTemporaryUnavailable',
      message: expect.stringContaining('data:f is being deleted'),
    };
    await expect(register()).rejects.toMatchObject(refusal);
    for (const state of ['A', 'U', 'C', 'D', 'T'] as const)
      await expect(report(0, state), state).rejects.toMatchObject(refusal);
    expect(await world.replica('f')).toEqual(before);
    await upload();
    await report(tenMinutes);
    await stays(2 * tenMinutes);
  });

  it('is accepted at once after the storage has refused the deletion', async () => {
    await world.breakStorage(async () => {
      await world.reap();
    });
    expect(await world.replica('f')).toMatchObject({ state: 'B', deletionError: expect.anything() });
    await upload();
    await register();
    await stays(2 * tenMinutes);
  });

  it('is not taken by a lock, a mark or another registration that come at the same time', async () => {
    const rule = () => addRules(world.at(), { dids: [data('f')], account: null, copies: 1, rse_expression: 'FULL' });
    for (const meanwhile of [() => register(), () => report(), rule]) {
      let isDone = false;
      const store: Store = interrupted(world.store, async () => {
        if (isDone) return;
        isDone = true;
        await meanwhile();
      });
      await world.free(['f']);
      await addReplicas(world.at(Date.now(), store), { rse: 'FULL', files: files(), ignore_availability: false });
      const { tombstone, locks } = (await world.replica('f')) ?? {};
      expect([tombstone, locks !== undefined]).toEqual([undefined, meanwhile === rule]);
      await stays(0);
    }
  });

  it('does not keep a replica from going that has the tombstone of a new one', async () => {
    await world.set('tombstone_delay', '3600');
    await register();
    await world.reap();
    expect(await world.isThere('f')).toBe(true);
    await world.set('greedyDeletion', true);
    await world.reap(3_700_000);
    expect(await world.isThere('f')).toBe(false);
  });
});
