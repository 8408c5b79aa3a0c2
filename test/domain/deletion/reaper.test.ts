import { rm } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { fillItem, withFullItem } from '../../support/full-items.ts';
import { data } from '../dids/catalogue.ts';
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
const exists = async (name: string) => asFile(await getDid(world.at().store.table, data(name))) !== undefined;
const nothing = [{ rse: 'FULL', deleted: 0, bytes: 0, failed: 0, ended: 'done' }];

describe('the reaper', () => {
  it('deletes obsolete replicas, their files, and files of which no replica is left; usage follows', async () => {
    await world.upload(names(250));
    await world.copy(['f0']);
    await world.free(names(200));
    expect(await world.reap()).toEqual([{ rse: 'FULL', deleted: 200, bytes: 2000, failed: 0, ended: 'done' }]);
    expect(await world.stored()).toBe(50);
    expect([await world.isThere('f0'), await world.isThere('f200')]).toEqual([false, true]);
    expect([await exists('f0'), await exists('f1'), await exists('f200')]).toEqual([true, false, true]);
    expect(await world.usage()).toEqual({ files: 50, bytes: 500 });
    expect(await findListFaults(world.at().store.table)).toEqual([]);
    expect(await world.reap()).toEqual(nothing);
  });

  it('deletes the other files although the items of some are full, as earlier versions let them become', async () => {
    await world.upload(names(30));
    await world.free(names(30));
    await fillItem(world.at().store, data('f3'));
    const [run] = await world.reap(0, withFullItem(world.at().store, data('f17')));
    expect(run).toMatchObject({ deleted: expect.any(Number), failed: 0, ended: 'done' });
    const left = await Promise.all(names(30).map(async (name) => ((await exists(name)) ? [name] : [])));
    expect(left.flat().filter((name) => name !== 'f3')).toEqual(['f17']);
    // It is tried again by the next run.
    expect(await world.reap(0)).toMatchObject([{ failed: 0, ended: 'done' }]);
    expect(await exists('f17')).toBe(false);
  });

  it('deletes nothing from an RSE for which it is not switched on, or that is not available for deletion', async () => {
    await world.upload(['f']);
    await world.free(['f']);
    await world.set('reaper', false);
    expect(await world.reap()).toEqual([]);
    await world.set('reaper', true);
    await updateRse(world.at(), 'FULL', { availability_delete: false });
    expect(await world.reap()).toEqual([]);
    expect(await world.isThere('f')).toBe(true);
  });

  it('counts a file that is absent as deleted', async () => {
    await world.upload(['f', 'g']);
    await world.free(['f', 'g']);
    await rm(world.pathOf('f'));
    expect(await world.reap()).toMatchObject([{ deleted: 2, failed: 0, ended: 'done' }]);
    expect(await world.usage()).toEqual({ files: 0, bytes: 0 });
  });

  it('keeps what is locked, what is not free yet, and what nobody has set free', async () => {
    await world.upload(['locked', 'kept']);
    await rule('locked', 'FULL');
    await world.set('tombstone_delay', '3600');
    await world.upload(['later']);
    await world.set('greedyDeletion', true);
    expect(await world.reap()).toEqual(nothing);
    expect(await world.stored()).toBe(3);
    expect(await world.reap(3_700_000)).toMatchObject([{ deleted: 1 }]);
    expect(await world.isThere('later')).toBe(false);
  });
});

describe('the space that the reaper frees', () => {
  /** Files that were not set free at once: their tombstones are a second old. */
  const fillCache = async (count: number) => {
    await world.set('tombstone_delay', '1');
    await world.upload(names(count));
  };
  const soon = 2_000;

  it('is what MinFreeSpace lacks by the report of the storage, the oldest first; without a need a cache stays', async () => {
    await fillCache(30);
    expect(await world.reap(soon)).toEqual(nothing);
    await world.want(95, { used: 300, free: 50 });
    expect(await world.reap(soon)).toMatchObject([{ deleted: 5, bytes: 50, ended: 'done' }]);
    expect(await world.stored()).toBe(25);
  });

  it('is not freed twice while the storage has not reported anew', async () => {
    await fillCache(30);
    await world.want(95, { used: 300, free: 50 });
    await world.reap(soon);
    expect(await world.reap(soon)).toEqual(nothing);
    await world.want(95, { used: 260, free: 90 });
    expect(await world.reap(soon)).toMatchObject([{ deleted: 1 }]);
    expect(await world.stored()).toBe(24);
  });

  it('follows the sources that the RSE names; the sum of the catalogue needs no report', async () => {
    await fillCache(30);
    await world.want(50, { used: 0, free: 310, source: 'quota' });
    await world.set('source_for_total_space', 'quota');
    expect(await world.reap(soon)).toEqual(nothing);
    await world.set('source_for_used_space', 'rucio');
    expect(await world.reap(soon)).toMatchObject([{ deleted: 4 }]);
    expect(await world.reap(soon)).toEqual(nothing);
    expect(await world.usage()).toEqual({ files: 26, bytes: 260 });
  });

  it('is nothing by a sum of the catalogue that is more than the storage has: one size may be pretended', async () => {
    await fillCache(30);
    await world.want(50, { used: 0, free: 310, source: 'quota' });
    await world.set('source_for_total_space', 'quota');
    await world.set('source_for_used_space', 'rucio');
    const files = [{ ...data('huge'), bytes: 9_000_000_000_000_000_000n }];
    await addReplicas(world.at(), { rse: 'FULL', files, ignore_availability: false });
    expect(await world.reap(soon)).toEqual(nothing);
    expect(await world.stored()).toBe(30);
  });

  it('is everything that may go with the attribute greedyDeletion', async () => {
    await fillCache(30);
    await world.set('greedyDeletion', true);
    expect(await world.reap(soon)).toMatchObject([{ deleted: 30 }]);
  });
});

describe('the last copy', () => {
  beforeEach(async () => {
    await world.add('ds', 'DATASET');
    await world.upload(['f', 'g']);
    await world.attach('ds', ['f', 'g']);
    await world.free(['f', 'g']);
  });

  it('stays while a rule waits on a collection above it, and goes once the file has another one', async () => {
    await rule('ds', 'OTHER', { ask_approval: true });
    expect(await world.reap()).toEqual(nothing);
    await world.copy(['g']);
    expect(await world.reap()).toMatchObject([{ deleted: 1 }]);
    expect([await world.isThere('f'), await world.isThere('g')]).toEqual([true, false]);
  });

  it('goes with its attachment if no rule is about it; a closed dataset goes with its last file', async () => {
    await setStatus(world.at(), data('ds'), { open: false });
    expect(await world.reap()).toMatchObject([{ deleted: 2 }]);
    expect(await getDid(world.at().store.table, data('ds'))).toBeUndefined();
  });

  it('stays while it is the source of a copy', async () => {
    await rule('f', 'OTHER');
    expect(await world.reap()).toMatchObject([{ deleted: 1 }]);
    expect(await world.isThere('f')).toBe(true);
    await updateReplicas(world.at(), { rse: 'OTHER', files: [{ ...data('f'), state: 'A' }] });
    expect(await world.reap()).toMatchObject([{ deleted: 1 }]);
  });
});
