import { maintainMetadataIndex } from '../../lib/background/maintain-metadata-index.ts';
import { getSearchableKeys } from '../../lib/domain/search/index-lists.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
/**
 * The engine of the test run, for tests that look behind the interface; they do not run with `BASE_URL`.
 */
import { localClient } from '../../local/local-client.ts';
import { createTable } from '../../local/table.ts';
import { ownEngine, useTable } from './run.ts';
import { uniqueName } from './server.ts';

/** A store on a table of its own, empty but for the metadata index, which is ready and known to this process. */
export async function newTestStore(): Promise<Store> {
  const { client: options } = await ownEngine();
  const tableName = uniqueName('Table');
  useTable(tableName);
  const client = localClient(options);
  await createTable(client, tableName, { stream: false });
  client.destroy();
  const store = openStore({ ...options, tableName });
  await maintainMetadataIndex({ store, now: Date.now() });
  await getSearchableKeys(store.table);
  return store;
}
