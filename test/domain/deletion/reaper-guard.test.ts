import { access, chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { findListFaults } from '../../support/deletable-list.ts';
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
const tenMinutes = 600_001;

/** The same object with other methods. */
const withMethods = <T extends object>(inner: T, methods: Partial<T>): T =>
  new Proxy(inner, {
    get: (target, key) => {
      if (Object.hasOwn(methods, key)) return methods[key as keyof T];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** A store of the reaper that does something once a number of its files are gone, before it looks at the next one. */
function whenDeleted(count: number, act: () => Promise<unknown>): Store {
  let acting: Promise<unknown> | undefined;
  const total = world.stored();
  const before = async () => {
    if (acting === undefined && (await total) - (await world.stored()) < count) return;
    // The whole process waits, as if it slept.
    await (acting ??= act());
  };
  const wrap = (inner: Store): Store => ({
    ...inner,
    begin: () => {
      const begun = wrap(inner.begin());
      const latest = () => {
        const view = inner.begin().table.latest();
        const getMany: typeof view.getMany = async (wanted) => {
          await before();
          return view.getMany(wanted);
        };
        return withMethods(view, { getMany });
      };
      return { ...begun, table: withMethods(begun.table, { latest }) };
    },
  });
  return wrap(world.store);
}

describe('a reaper looks again before each file', () => {
  beforeEach(async () => {
    await world.upload(names(40));
    await world.free(names(40));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is not available for deletion', () => updateRse(world.at(), 'FULL', { availability_delete: false })],
    ['is switched off', () => world.set('reaper', false)],
    ['has other paths', () => world.set('lfn2pfn_algorithm', 'identity')],
    ['has another limit', () => world.want(5)],
  ])('and stops when the RSE %s', async (_what, stop) => {
    const [run] = await world.reap(0, whenDeleted(2, stop));
    expect(run).toMatchObject({ ended: 'stopped', failed: 0 });
    // Those that were under way at the same time go as well.
    expect(40 - (await world.stored())).toBeLessThan(2 + 2 * 8 + 1);
    // A deletion that was not begun can be read again.
    const states = await Promise.all(names(40).map(async (name) => (await world.replica(name))?.state ?? 'gone'));
    expect(new Set(states)).toEqual(new Set(['A', 'gone']));
    expect(await findListFaults(world.at().store.table)).toEqual([]);
  });

  it('and keeps what others claimed meanwhile: a mark of another reaper, and what was copied or declared anew', async () => {
    const slept = async () => {
      // Its lease and its marks are over: another one comes.
      await world.reap(tenMinutes);
      await world.upload(names(40));
      await addRules(world.at(), { dids: names(40).map(data), account: null, copies: 1, rse_expression: 'FULL' });
    };
    await world.reap(0, whenDeleted(2, slept));
    expect(await world.stored()).toBe(40);
    const states = await Promise.all(names(40).map(async (name) => (await world.replica(name))?.state));
    expect(new Set(states)).toEqual(new Set(['A']));
  });
});

describe('files that cannot be deleted', () => {
  /** Folders in the place of files, which nobody can delete. */
  const obstruct = async (some: readonly string[]) => {
    for (const name of some) {
      await rm(world.pathOf(name));
      await mkdir(world.pathOf(name));
    }
  };

  it('do not hold back the others, however many they are and wherever they are in the list', async () => {
    await world.upload(names(200));
    await world.free(names(200, 'f'));
    await obstruct(names(150));
    expect(await world.reap()).toMatchObject([{ deleted: 50, failed: 150, ended: 'done' }]);
  });

  it('are tried less and less often, once a day in the end', async () => {
    await world.upload(['f']);
    await world.free(['f']);
    await obstruct(['f']);
    const failed: number[] = [];
    for (const minutes of [0, 11, 22, 32, 43, 72, 83]) {
      const [run] = await world.reap(minutes * 60_000);
      failed.push(run?.failed ?? -1);
    }
    expect(failed).toEqual([1, 1, 0, 1, 0, 1, 0]);
  });

  // Root may write in any folder.
  it.runIf(process.getuid?.() !== 0)('do not stop the reaper because their folders may not be written', async () => {
    await world.upload(names(30));
    await world.free(names(30));
    const folders = names(12).map((name) => world.pathOf(name).replace(/\/[^/]*$/, ''));
    for (const folder of folders) await chmod(folder, 0o555);
    expect(await world.reap()).toMatchObject([{ deleted: 18, failed: 12, ended: 'done' }]);
    for (const folder of folders) await chmod(folder, 0o755);
    expect(await world.reap(tenMinutes)).toMatchObject([{ deleted: 12, failed: 0, ended: 'done' }]);
  });
});

describe('what was never there', () => {
  it('frees nothing: the reaper goes on until so many bytes are really free', async () => {
    await world.set('tombstone_delay', '1');
    await world.upload(names(40));
    await addReplicas(world.at(0), {
      rse: 'FULL',
      files: [{ ...data('huge'), bytes: 9_000_000_000_000_000_000n }],
      ignore_availability: false,
    });
    for (const name of names(5)) await rm(world.pathOf(name));
    await world.want(95, { used: 300, free: 50 });
    const runs = [];
    for (let run = 1; run <= 12; run += 1) runs.push(...(await world.reap(2_000 * run)));
    expect(runs.reduce((sum, { bytes }) => sum + Number(bytes), 0)).toBe(50);
    expect(await world.stored()).toBe(30);
  });
});

describe('a path that several files have', () => {
  it('is left on the storage until the last of them goes', async () => {
    const [plain, slashed] = ['x/data/f', '/x/data/f'];
    await world.upload([plain]);
    const file = { ...data(slashed), bytes: 10 };
    await addReplicas(world.at(), { rse: 'FULL', files: [file], ignore_availability: false });
    // Another algorithm makes one path of their names.
    await world.set('lfn2pfn_algorithm', 'identity');
    const path = world.pathOf(plain).replace(/\/data\/.*$/, '/data/x/data/f');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '0123456789');
    const isThere = () =>
      access(path).then(
        () => true,
        () => false,
      );
    await world.free([plain]);
    expect(await world.reap()).toMatchObject([{ deleted: 1, bytes: 0 }]);
    expect([await isThere(), (await world.replica(slashed))?.state]).toEqual([true, 'A']);
    await world.free([slashed]);
    expect(await world.reap()).toMatchObject([{ deleted: 1, bytes: 10 }]);
    expect(await isThere()).toBe(false);
  });
});
