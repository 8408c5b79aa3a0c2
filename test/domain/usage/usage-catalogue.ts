import { type Recounted, recountUsage } from '../../../lib/background/recount-usage.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { UsageChanges } from '../../../lib/domain/locks/usage-changes.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import { changeReplicas, getFiles, type Replica } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { accountKeys } from '../../../lib/store/keys/account-keys.ts';
import { rseKeys } from '../../../lib/store/keys/rse-keys.ts';
import { newStreamedTable, type StreamedTable } from '../../support/stream.ts';

/** Names of RSEs and accounts. */
export const rses = ['DISK', 'TAPE'] as const;
export const accounts = ['alice', 'bob'] as const;

export type RseName = (typeof rses)[number];

/** A catalogue in which replicas and locks are added and removed. */
export interface UsageCatalogue extends StreamedTable {
  readonly context: () => Context;
  readonly rseId: (name: RseName) => string;
  /** Registers files of the scope `data`. */
  register(rse: RseName, names: readonly string[], bytes?: number): Promise<void>;
  /** Deletes replicas. */
  remove(rse: RseName, names: readonly string[]): Promise<void>;
  /** Adds a lock to replicas, or releases it, as rules do. */
  lock(rse: RseName, names: readonly string[], account: string | undefined): Promise<void>;
  /** Differences that are not folded yet. */
  differences(): Promise<string[]>;
  recount(repair?: boolean): Promise<Recounted[]>;
}

/** Makes a catalogue with both RSEs, both accounts and the scope `data`. */
export async function newUsageCatalogue(): Promise<UsageCatalogue> {
  const streamed = await newStreamedTable();
  const { store } = streamed;
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  const context = () => ({ store: store.begin(), now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } });
  await addScope(context(), { scope: 'data', account: 'root' });
  for (const rse of rses) await addRse(context(), rse, {});
  for (const account of accounts) await addAccount(context(), { account, type: 'USER', email: null });
  const found = await Promise.all(rses.map(async (rse) => [rse, (await getRse(store.table, rse))?.id ?? ''] as const));
  const ids = new Map(found);
  const rseId = (name: RseName) => ids.get(name) ?? '';
  const did = (name: string) => ({ scope: 'data', name });
  const places = [
    ...accounts.map((account) => Object.assign({ pk: accountKeys.account(account).PK }, accountKeys.usages)),
    ...rses.map((rse) => Object.assign({ pk: rseKeys.ofRse(rseId(rse)) }, rseKeys.usages)),
  ];
  return {
    ...streamed,
    context,
    rseId,
    register: async (rse, names, bytes = 10) => {
      const files = names.map((name) => ({ ...did(name), bytes }));
      await addReplicas(context(), { rse, files, ignore_availability: false });
    },
    remove: async (rse, names) => {
      await deleteReplicas(context(), { rse, files: names.map(did), ignore_availability: false });
    },
    lock: (rse, names, account) =>
      store.write(async (latest) => {
        const usage = new UsageChanges();
        const id = rseId(rse);
        const writes = (await getFiles(latest, names.map(did))).map((file) => {
          const { locks, ...replica } = file.replicas.get(id) as Replica;
          const { bytes = 0 } = file;
          for (const lock of Object.values(locks ?? {})) usage.lock(lock.account, id, bytes, -1);
          if (account !== undefined) usage.lock(account, id, bytes, 1);
          const kept = account === undefined ? {} : { locks: { rule: { state: 'O' as const, account } } };
          return changeReplicas(file, new Map([[id, { ...replica, ...kept }]]));
        });
        return [...writes, ...usage.writes()];
      }),
    differences: async () => {
      const { table } = store.begin();
      const items = await Promise.all(places.map((range) => Array.fromAsync(table.query(range))));
      return items.flat().flatMap(({ SK }) => (SK.split('#').length > 2 ? [SK] : []));
    },
    recount: (repair = false) => Array.fromAsync(recountUsage(store, { repair })),
  };
}
