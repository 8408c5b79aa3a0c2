import type { Item } from '../../lib/store/items/item.ts';
import type { Store } from '../../lib/store/open-store.ts';
import type { LocalEngine } from '../../local/open-engine.ts';
import { openEngineOf } from '../../local/programs.ts';
import type { Manifest } from './manifest.ts';
import { takeSnapshot } from './snapshot.ts';

/** What is exported, and where to. */
export interface DataExport {
  /** The data folder, unless the environment names another table; a server may run on it. */
  readonly from: string;
  readonly to: string;
  readonly passwords: boolean;
  readonly onProgress?: (items: number) => void;
}

/** A catalogue that is read as it is at one time. */
export interface OpenedCopy {
  readonly store: Store;
  readonly engine: LocalEngine | undefined;
  /** The folder of the copy; absent: a table elsewhere is read itself. */
  readonly folder: string | undefined;
}

/** Whether a data folder is read, and not the table that the environment names; ask before one is opened. */
export const isDataFolder = () => !process.env['DYNAMODB_ENDPOINT'] && process.env['TABLE_NAME'] === undefined;

/** Opens a copy of a data folder, or the table that the environment names, for as long as something is done with it. */
export async function withCopy<T>(from: string, act: (copy: OpenedCopy) => Promise<T>): Promise<T> {
  // Hides warnings about batches that are rolled back in the copy: in the original they are still under way.
  process.env['LOG_LEVEL'] ??= 'ERROR';
  const snapshot = isDataFolder() ? await takeSnapshot(from) : undefined;
  const engine = openEngineOf(snapshot?.folder ?? from);
  try {
    const { openStore } = await import('../../lib/store/open-store.ts');
    return await act({ store: openStore(engine?.client), engine, folder: snapshot?.folder });
  } finally {
    engine?.close();
    await snapshot?.remove();
  }
}

/** Writes a whole catalogue as files of JSON lines. */
export async function exportData({ from, to, passwords, onProgress }: DataExport): Promise<Manifest> {
  return withCopy(from, async (copy) => {
    const { exportCatalogue } = await import('./export-catalogue.ts');
    const owed = await findOwed(copy);
    const wanted = { store: copy.store, folder: to, passwords, ...(owed && { owed }) };
    return exportCatalogue({ ...wanted, ...(onProgress && { onProgress }) });
  });
}

/** Changes that the server of a copied folder has not followed; nobody writes to the copy. */
async function findOwed({ store, engine, folder }: OpenedCopy): Promise<AsyncIterable<Item> | undefined> {
  if (engine === undefined || folder === undefined) return undefined;
  await store.recoverBatches(true);
  const { owedItems } = await import('./owed-items.ts');
  return owedItems({ engine, store: store.begin(), folder, tableName: process.env['TABLE_NAME'] || 'Dapple' });
}
