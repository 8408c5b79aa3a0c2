import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
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

const names = (count: number, prefix = 'f') => Array.from({ length: count }, (_none, index) => `${prefix}${index}`);
const rule = (name: string, rse: string, more: object = {}) =>
  addRules(world.at(), { dids: [data(name)], account: null, copies: 1, rse_expression: rse, ...more });
const exists = async (name: string) => asFile(await getDid(world.at().store.table, data(name))) !== undefined;
const tenMinutes = 600_001;
const nothing = [{ rse: 'FULL', deleted: 0, bytes: 0, failed: 0, ended: 'done' }];

describe('a storage that refuses', () => {
  it('is left alone for ten minutes, then twice as long; the reasons are noted', async () => {
    await world.upload(names(3));
    await world.free(names(3));
    const folder = dirname(dirname(dirname(dirname(world.pathOf('f0')))));
    await rename(folder, `${folder}.away`);
    expect(await world.reap()).toEqual([{ rse: 'FULL', deleted: 0, bytes: 0, failed: 3, ended: 'resting' }]);
    expect(await world.replica('f0')).toMatchObject({
      state: 'B',
      deletionError: expect.stringMatching(/^ENOENT at /),
    });
    expect(await world.reap(300_000)).toMatchObject([{ failed: 0, ended: 'resting' }]);
    expect(await world.reap(tenMinutes)).toMatchObject([{ failed: 3, ended: 'resting' }]);
    expect(await world.reap(2 * tenMinutes)).toMatchObject([{ failed: 0, ended: 'resting' }]);
    await rename(`${folder}.away`, folder);
    expect(await world.reap(4 * tenMinutes)).toMatchObject([{ deleted: 3, failed: 0, ended: 'done' }]);
    expect(await world.usage()).toEqual({ files: 0, bytes: 0 });
  });

  it('does not hold back the others if one file cannot be deleted', async () => {
    await world.upload(names(5));
    await world.free(names(5));
    await rm(world.pathOf('f2'));
    await mkdir(world.pathOf('f2'));
    expect(await world.reap()).toMatchObject([{ deleted: 4, failed: 1, ended: 'done' }]);
    expect(await world.replica('f2')).toMatchObject({ state: 'B', deletionError: expect.stringContaining('EISDIR') });
    expect(await world.reap()).toEqual(nothing);
    expect(await world.reap(tenMinutes)).toMatchObject([{ deleted: 0, failed: 1 }]);
  });

  it('is skipped if Dapple speaks none of its protocols', async () => {
    await world.set('reaper', false);
    await setRseAttribute(world.at(), { rse: 'OTHER', key: 'reaper', value: true });
    expect(await world.reap()).toMatchObject([{ rse: 'OTHER', ended: 'noProtocol' }]);
  });
});

describe('a reaper that dies', () => {
  it('after it has marked replicas, loses nothing: they are deleted after ten minutes, and not used by rules before', async () => {
    await world.upload(['f', 'g']);
    await world.free(['f', 'g']);
    const dying = interrupted(world.store, async () => {
      if ((await world.replica('f'))?.state === 'B') throw new Error('killed');
    });
    await expect(world.reap(0, dying)).rejects.toThrow('could not be reaped');
    expect(await world.replica('f')).toMatchObject({ state: 'B', tombstone: 0 });
    await expect(rule('f', 'FULL')).rejects.toMatchObject({ name: 'InsufficientTargetRSEs' });
    expect(await world.reap()).toMatchObject([{ deleted: 0 }]);
    expect(await world.reap(tenMinutes)).toMatchObject([{ deleted: 2, failed: 0 }]);
    expect(await world.stored()).toBe(0);
    expect(await findListFaults(world.at().store.table)).toEqual([]);
  });

  it('at any of its writes, before or after it, loses nothing and deletes nothing else', async () => {
    const [free, kept] = [names(4), names(2, 'kept')];
    let kills = 0;
    for (let isOver = false; !isOver; kills += 1) {
      await world.upload([...free, ...kept]);
      await world.free(free);
      const { store, wasKilled } = killAt(world.store, kills);
      // Later than the leases of the rounds before.
      const later = kills * 3 * tenMinutes;
      await world.reap(later, store).catch(() => {});
      isOver = !wasKilled();
      await world.reap(later + tenMinutes);
      expect([kills, await world.stored(), await world.usage()]).toEqual([kills, 2, { files: 2, bytes: 20 }]);
      expect([await exists('f0'), await world.isThere('f0'), await world.isThere('kept1')]).toEqual([
        false,
        false,
        true,
      ]);
      expect(await findListFaults(world.at().store.table)).toEqual([]);
    }
    // The lease, the mark, the deletion, the end of the lease: before and after each.
    expect(kills).toBe(9);
  });
});

/** A store whose process dies at a write: with an even number before the write, with an odd one after it. */
function killAt(store: Store, kill: number): { readonly store: Store; readonly wasKilled: () => boolean } {
  let writes = 0;
  let isKilled = false;
  const die = () => {
    isKilled = true;
    throw new Error('killed');
  };
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    if (isKilled || 2 * writes === kill) die();
    const answer = await write();
    writes += 1;
    if (2 * writes - 1 === kill) die();
    return answer;
  };
  const wrap = (inner: Store): Store => ({
    ...inner,
    begin: () => wrap(inner.begin()),
    write: (...plan) => around(() => inner.write(...plan)),
    decide: (...plan) => around(() => inner.decide(...plan)),
  });
  return { store: wrap(store), wasKilled: () => isKilled };
}
