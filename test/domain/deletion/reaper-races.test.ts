import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findDeletable } from '../../../lib/domain/deletion/find-deletable.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { data, interrupted } from '../dids/catalogue.ts';
import { placeRule } from '../replicas/place-rule.ts';
import { newReaperCatalogue, type ReaperCatalogue } from './reaper-catalogue.ts';

let world: ReaperCatalogue;
beforeEach(async () => {
  world = await newReaperCatalogue();
});
afterEach(async () => {
  await world.close();
});

const names = (count: number, prefix = 'f') => Array.from({ length: count }, (_none, index) => `${prefix}${index}`);
const rule = (name: string, rse: string, more: object = {}) =>
  addRules(world.at(), { dids: [data(name)], account: null, copies: 1, rse_expression: rse, ...more });

describe('what happens while a replica is being deleted', () => {
  /** Runs the reaper, and something else directly before a plan of it is written that follows the deletion of a file. */
  const reapWith = async (meanwhile: () => Promise<void>) => {
    let isDone = false;
    const store = interrupted(world.store, async () => {
      if (isDone || (await world.isThere('f'))) return;
      isDone = true;
      await meanwhile();
    });
    return world.reap(0, store);
  };

  it('a lock that arrives before the mark keeps the replica', async () => {
    await world.upload(['f']);
    await world.free(['f']);
    let isLocked = false;
    const store = interrupted(world.store, async () => {
      if (isLocked) return;
      isLocked = true;
      await rule('f', 'FULL');
    });
    expect(await world.reap(0, store)).toMatchObject([{ deleted: 0, failed: 0 }]);
    expect(await world.replica('f')).toMatchObject({ state: 'A', locks: expect.anything() });
    expect(await world.isThere('f')).toBe(true);
  });

  it('a rule cannot choose its RSE after the mark', async () => {
    await world.upload(['f']);
    await world.copy(['f']);
    await world.free(['f']);
    let refusal: unknown;
    await reapWith(async () => {
      refusal = await rule('f', 'FULL').catch((error: unknown) => error);
    });
    expect(refusal).toMatchObject({ name: 'InsufficientTargetRSEs' });
    expect(await world.replica('f')).toBeUndefined();
    expect(await findListFaults(world.at().store.table)).toEqual([]);
    await rule('f', 'FULL');
    expect(await world.replica('f')).toMatchObject({ state: 'C', askedBy: expect.anything() });
  });

  it('a lock that an earlier version sets after the mark keeps the replica, until a repair releases it', async () => {
    await world.upload(['f']);
    await world.copy(['f']);
    await world.free(['f']);
    await reapWith(async () => {
      await placeRule(world, world.rseId, { locks: { f: { lock: 'S' } } });
    });
    expect(await world.replica('f')).toMatchObject({ state: 'B', locks: expect.anything() });
    expect(await findListFaults(world.at().store.table)).toEqual([]);
  });

  it('nobody can say that its file is there, since it may be gone', async () => {
    await world.upload(['f']);
    await world.free(['f']);
    let refusal: unknown;
    await reapWith(async () => {
      const files = [{ ...data('f'), state: 'A' as const }];
      refusal = await updateReplicas(world.at(), { rse: 'FULL', files }).catch((error: unknown) => error);
    });
    expect(refusal).toMatchObject({ name: 'ResourceTemporaryUnavailable' });
    expect(await world.replica('f')).toBeUndefined();
    expect(await world.usage()).toEqual({ files: 0, bytes: 0 });
  });

  it('two reapers at the same time delete each replica once', async () => {
    await world.upload(names(120));
    await world.free(names(120));
    const runs = (await Promise.all([world.reap(), world.reap(), world.reap()])).flat();
    expect(runs.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(120);
    expect(runs.every(({ failed }) => failed === 0)).toBe(true);
    expect(await world.usage()).toEqual({ files: 0, bytes: 0 });
    expect(
      await Array.fromAsync(findDeletable(world.at().store.table, { rseId: world.rseId, now: Date.now() })),
    ).toEqual([]);
  });
});
