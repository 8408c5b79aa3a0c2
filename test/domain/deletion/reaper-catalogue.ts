/** A catalogue with an RSE whose files are in a folder of this machine, for tests of the reaper. */
import { access, mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { reapRses, type ReaperRun } from '../../../lib/background/reap-rses.ts';
import { computePfn } from '../../../lib/domain/rses/pfn/lfn-to-pfn.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { setTombstone } from '../../../lib/operations/replicas/set-tombstone.ts';
import { addProtocol } from '../../../lib/operations/rses/add-protocol.ts';
import { setRseLimit } from '../../../lib/operations/rses/rse-limits.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { recordRseUsage } from '../../../lib/operations/rses/usage-of-rse.ts';
import { asFile, getDid, type Replica } from '../../../lib/store/entities/did.ts';
import { getOwnUsage } from '../../../lib/store/entities/rse-usage.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';

/** A catalogue with the RSEs `FULL`, which has a folder, and `OTHER`. */
export interface ReaperCatalogue extends Catalogue {
  readonly rseId: string;
  /** Registers files of ten bytes on `FULL`, and writes them. */
  upload(names: readonly string[]): Promise<void>;
  /** Registers replicas of files on `OTHER`. */
  copy(names: readonly string[]): Promise<void>;
  /** Allows replicas on `FULL` to be deleted at once. */
  free(names: readonly string[]): Promise<void>;
  /** Sets an attribute of `FULL`. */
  set(attribute: string, value: string | boolean): Promise<void>;
  /** Sets how many bytes of `FULL` are to be free, and what its storage reports. */
  want(
    minFree: number,
    report?: { readonly used: number; readonly free: number; readonly source?: string },
  ): Promise<void>;
  /** Runs the reaper, maybe some milliseconds later, or with another store. */
  reap(later?: number, store?: Store): Promise<ReaperRun['rses']>;
  /** The replica of a file on `FULL`. */
  replica(name: string): Promise<Replica | undefined>;
  /** The path of a file of the storage. */
  pathOf(name: string): string;
  isThere(name: string): Promise<boolean>;
  /** Does something while the folder is away, as if it were not mounted. */
  breakStorage(meanwhile: () => Promise<void>): Promise<void>;
  /** The files in the storage, except for one that says that it is mounted. */
  stored(): Promise<number>;
  usage(): Promise<{ readonly files: unknown; readonly bytes: unknown }>;
  /** Deletes the folder. */
  close(): Promise<void>;
}

const everywhere = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };

/** Makes the catalogue. */
export async function newReaperCatalogue(): Promise<ReaperCatalogue> {
  const catalogue = await newCatalogue(undefined, { FULL: {}, OTHER: {} });
  const at: Catalogue['at'] = (...when) => catalogue.at(...when);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dapple-reaper-')));
  for (const rse of ['FULL', 'OTHER']) await setLimitOnRse(at(), { account: 'root', rse, bytes: 1e12 });
  const protocol = { impl: 'rucio.rse.protocols.posix.Default', hostname: 'localhost', port: 0, domains: everywhere };
  await addProtocol(at(), 'FULL', 'file', { ...protocol, prefix: folder });
  const rse = await getRse(at().store.table, 'FULL');
  if (rse === undefined) throw new Error('the RSE was not made');
  const pathOf = (name: string) => {
    const [own] = rse.protocols;
    const pfn = own === undefined ? undefined : computePfn(rse, own, data(name));
    return new URL(pfn ?? '').pathname;
  };
  await writeFile(join(folder, 'mounted'), '');
  const world: ReaperCatalogue = {
    ...catalogue,
    rseId: rse.id,
    async upload(names) {
      const files = names.map((name) => ({ ...data(name), bytes: 10 }));
      for (let start = 0; start < files.length; start += 1_000)
        await addReplicas(at(), { rse: 'FULL', files: files.slice(start, start + 1_000), ignore_availability: false });
      for (const name of names) {
        await mkdir(dirname(pathOf(name)), { recursive: true });
        await writeFile(pathOf(name), '0123456789');
      }
    },
    async copy(names) {
      const files = names.map((name) => ({ ...data(name), bytes: 10 }));
      await addReplicas(at(), { rse: 'OTHER', files, ignore_availability: false });
    },
    async free(names) {
      for (let start = 0; start < names.length; start += 1_000) {
        const some = names.slice(start, start + 1_000);
        await setTombstone(
          at(),
          some.map((name) => ({ rse: 'FULL', scope: 'data', name })),
        );
      }
    },
    set: (key, value) => setRseAttribute(at(), { rse: 'FULL', key, value }),
    async want(minFree, { used, free, source = 'storage' } = { used: 0, free: 0 }) {
      await setRseLimit(at(), 'FULL', { name: 'MinFreeSpace', value: minFree });
      await recordRseUsage(at(), 'FULL', { source, used, free, files: null });
    },
    reap: async (later = 0, store = catalogue.store) =>
      (await reapRses(at(Date.now() + later, store), { folders: [folder] })).rses,
    async replica(name) {
      return asFile(await getDid(at().store.table, data(name)))?.replicas.get(rse.id);
    },
    pathOf,
    isThere: (name) =>
      access(pathOf(name)).then(
        () => true,
        () => false,
      ),
    async breakStorage(meanwhile) {
      await rename(folder, `${folder}.away`);
      await meanwhile();
      await rename(`${folder}.away`, folder);
    },
    async stored() {
      const found = await readdir(folder, { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).length - 1;
    },
    async usage() {
      const { files, bytes } = await getOwnUsage(at().store.table, rse.id);
      return { files, bytes };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
  await world.set('reaper', true);
  return world;
}
