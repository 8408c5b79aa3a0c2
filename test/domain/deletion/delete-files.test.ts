import { beforeEach, expect, it } from 'vitest';

import { deleteFiles } from '../../../lib/domain/deletion/delete-files.ts';
import type { DeletionGuard } from '../../../lib/domain/deletion/deletion-guard.ts';
import type { ReplicaDeleter } from '../../../lib/domain/deletion/open-deleter.ts';
import { StorageRefusal } from '../../../lib/movers/deletion.ts';
import type { FileDid } from '../../../lib/store/entities/did.ts';

const guard = { isOver: false, judge: async () => 'delete' } as unknown as DeletionGuard;
const files = Array.from(
  { length: 60 },
  (_none, index) => ({ scope: 'data', name: `f${index}`, bytes: 10, replicas: new Map() }) as unknown as FileDid,
);

let asked: string[];
let probes: number;
beforeEach(() => {
  [asked, probes] = [[], 0];
});

/** A storage that refuses some files. */
const deleterThat = (refuses: (name: string) => boolean, isUsable: boolean) =>
  ({
    delete: async ({ name }) => {
      asked.push(name);
      if (refuses(name)) throw new StorageRefusal('status 403');
      return { outcome: 'deleted', bytes: 10 };
    },
    probe: async () => {
      probes += 1;
      if (!isUsable) throw new StorageRefusal('status 403 at the prefix');
    },
    mayUse: async () => true,
  }) satisfies ReplicaDeleter;

it('files that a storage refuses do not keep others from being deleted while the storage can be used', async () => {
  const isRefused = (name: string) => Number(name.slice(1)) < 40;
  const result = await deleteFiles(files, 'rse', { deleter: deleterThat(isRefused, true), guard });
  expect([result.gone.size, result.failures.size, result.isRefused]).toEqual([20, 40, false]);
  expect(probes).toBeGreaterThan(0);
});

it('a storage that cannot be used as a whole is left alone after some refusals', async () => {
  const result = await deleteFiles(files, 'rse', { deleter: deleterThat(() => true, false), guard });
  expect([result.gone.size, result.isRefused]).toEqual([0, true]);
  expect(asked.length).toBeLessThan(files.length);
});
