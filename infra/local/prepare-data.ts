import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { localClient } from './local-client.ts';
import { createTable } from './table.ts';

const recoveryMilliseconds = 60_000;

/** User and password of the first account. */
export interface RootAccount {
  readonly username: string;
  readonly password: string;
}

/**
 * Table, first account and the clearing of abandoned bulk requests; returns how to stop the latter.
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
  const timer = setInterval(() => void recover(store, say, false), recoveryMilliseconds).unref();
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
