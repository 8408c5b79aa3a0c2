import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { expireDids } from '../../lib/domain/dids/expire.ts';
import { maintainMetadataIndex } from '../../lib/domain/metadata-index/maintain.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { localClient } from './local-client.ts';
import { createTable } from './table.ts';

/** How often is done here what runs on a schedule when deployed. */
const choreMilliseconds = 60_000;

/** User and password of the first account. */
export interface RootAccount {
  readonly username: string;
  readonly password: string;
}

/**
 * Table, first account and what runs on a schedule when deployed; returns how to stop the latter.
 *
 * `alone`: the engine is this process's own, so whatever was under way when it started has lost its writer.
 */
export async function prepareData(
  { tableName, endpoint, root, alone }: { tableName: string; endpoint: string; root: RootAccount; alone: boolean },
  say: (line: string) => void,
): Promise<() => void> {
  const client = localClient(endpoint);
  say(`table ${tableName} ${await createTable(client, tableName)}`);
  client.destroy();
  const store = openStore({ tableName, endpoint });
  say(`account root ${await bootstrapRoot(store, root)}`);
  await recover(store, say, alone);
  await index(store, say, alone);
  const chores = () =>
    void recover(store, say, false)
      .then(() => expire(store, say))
      .then(() => index(store, say, false));
  const timer = setInterval(chores, choreMilliseconds).unref();
  return () => clearInterval(timer);
}

async function recover(store: Store, say: (line: string) => void, alone: boolean): Promise<void> {
  try {
    const count = await store.recoverBatches(alone);
    if (count > 0) say(`rolled back ${count} abandoned bulk request${count === 1 ? '' : 's'}`);
  } catch (error) {
    say(`abandoned bulk requests could not be rolled back: ${String(error)}`);
  }
}

/** At the start nobody remembers an older state of the index, so that there is nothing to wait for. */
async function index(store: Store, say: (line: string) => void, alone: boolean): Promise<void> {
  try {
    const options = { budget: 10_000, ...(alone ? { settling: 0 } : {}) };
    const { rewritten } = await maintainMetadataIndex({ store: store.begin(), now: Date.now() }, options);
    if (rewritten > 0) say(`indexed the metadata of ${rewritten} DID${rewritten === 1 ? '' : 's'}`);
  } catch (error) {
    say(`the metadata index could not be brought up to date: ${String(error)}`);
  }
}

async function expire(store: Store, say: (line: string) => void): Promise<void> {
  try {
    const { deleted } = await expireDids({ store: store.begin(), now: Date.now() });
    if (deleted > 0) say(`deleted ${deleted} expired DID${deleted === 1 ? '' : 's'}`);
  } catch (error) {
    say(`expired DIDs could not be deleted: ${String(error)}`);
  }
}
