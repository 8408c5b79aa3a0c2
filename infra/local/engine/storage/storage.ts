import { Database } from './database.ts';
import { ExpiryStore } from './expiry-store.ts';
import { ItemStore } from './item-store.ts';
import { RecordStore } from './record-store.ts';
import { TableStore } from './table-store.ts';
import { TokenStore } from './token-store.ts';
import { TotalsStore } from './totals-store.ts';

/** All that the engine keeps. */
export interface Storage {
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly records: RecordStore;
  readonly expiries: ExpiryStore;
  readonly tokens: TokenStore;
  readonly totals: TotalsStore;
  /** Carries out what `work` writes, all or nothing. */
  transact<T>(work: () => T): T;
  /** Resolves once all that was written is on disk. */
  synced(): Promise<void>;
  close(): void;
}

/**
 * Opens what the engine keeps.
 *
 * @param path The file of the database; absent: everything is in memory.
 */
export function openStorage(path?: string): Storage {
  const database = new Database(path);
  const tables = new TableStore(database);
  const totals = new TotalsStore(database);
  return {
    tables,
    items: new ItemStore(database),
    records: new RecordStore(database),
    expiries: new ExpiryStore(database),
    tokens: new TokenStore(database),
    totals,
    transact: (work) => {
      try {
        return database.transact(() => {
          const result = work();
          totals.save();
          return result;
        });
      } catch (error) {
        tables.reload();
        totals.reload();
        throw error;
      }
    },
    synced: () => database.synced(),
    close: () => database.close(),
  };
}
