import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findDeletable } from '../../../lib/domain/deletion/find-deletable.ts';
import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { fillItem, withFullItem } from '../../support/full-items.ts';
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
const exists = async (name: string) => asFile(await getDid(world.at().store.table, data(name))) !== undefined;
const tenMinutes = 600_001;
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
