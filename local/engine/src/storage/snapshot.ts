import type { Database } from './database.ts';

/** The tables of the database that hold what requests have written. */
const parts = ['tables', 'items', 'entries', 'records', 'expiries', 'totals', 'tokens'] as const;

/** Keeps a copy of everything in a database, beside it in memory. It replaces the copy that was kept before. */
export function keepContent(database: Database): void {
  for (const part of parts) {
    database.run(`DROP TABLE IF EXISTS temp.kept_${part}`);
    database.run(`CREATE TEMP TABLE kept_${part} AS SELECT * FROM main.${part}`);
  }
}

/** Replaces everything in a database by the copy that was kept. */
export function restoreContent(database: Database): void {
  for (const part of parts) {
    database.run(`DELETE FROM main.${part}`);
    database.run(`INSERT INTO main.${part} SELECT * FROM temp.kept_${part}`);
  }
}
