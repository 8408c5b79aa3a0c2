import { Database } from './database.ts';
import { ExpiryStore } from './expiry-store.ts';
import { ItemStore } from './item-store.ts';
import { RecordStore } from './record-store.ts';
import { keepContent, restoreContent } from './snapshot.ts';
import { TableStore } from './table-store.ts';
import { TokenStore } from './token-store.ts';
import { TotalsStore } from './totals-store.ts';

/** All stores of the engine. */
export interface Storage {
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly records: RecordStore;
  readonly expiries: ExpiryStore;
  readonly tokens: TokenStore;
  readonly totals: TotalsStore;
  /** Runs work that only reads: all of it sees the same commits. */
  read<T>(work: () => T): T;
  /** Runs `work` in a transaction. */
  transact<T>(work: () => T): T;
  /** Keeps a copy of everything, in memory. */
  keep(): void;
  /** Replaces everything by the copy that was kept. */
  restore(): void;
  /** Resolves once all commits so far are on disk. */
  synced(): Promise<void>;
  close(): void;
}

/**
 * Opens the stores of an engine.
 *
 * @param path The database file; absent: in memory.
 * @param readOnly Another connection writes.
 */
export function openStorage(path?: string, readOnly = false): Storage {
  const database = new Database(path, readOnly);
  const tables = new TableStore(database);
  const totals = new TotalsStore(database);
  return {
    tables,
    items: new ItemStore(database),
    records: new RecordStore(database),
    expiries: new ExpiryStore(database),
    tokens: new TokenStore(database),
    totals,
    read: (work) => database.readSnapshot(work, readOnly ? () => tables.refresh() : undefined),
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
    keep: () => database.transact(() => keepContent(database)),
    restore: () => {
      try {
        database.transact(() => restoreContent(database));
      } finally {
        tables.reload();
        totals.reload();
      }
    },
    synced: () => database.synced(),
    close: () => database.close(),
  };
}
