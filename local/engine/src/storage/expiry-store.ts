import type { Database } from './database.ts';

/** Expiry times of items, for tables with expiry enabled. */
export class ExpiryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param at Seconds since 1970; undefined: never. */
  set(table: number, id: number, at: number | undefined): void {
    if (at === undefined) this.#database.run('DELETE FROM expiries WHERE id = ?', id);
    else this.#database.run('INSERT OR REPLACE INTO expiries (id, tbl, at) VALUES (?, ?, ?)', id, table, at);
  }

  /** The rows of items that expire between two times, in seconds since 1970, oldest first. */
  due(table: number, { from, to }: { readonly from: number; readonly to: number }, limit: number): number[] {
    const rows = this.#database.all(
      'SELECT id FROM expiries WHERE tbl = ? AND at BETWEEN ? AND ? ORDER BY at LIMIT ?',
      table,
      from,
      to,
      limit,
    );
    return rows.map(([id]) => id as number);
  }

  deleteTable(table: number): void {
    this.#database.run('DELETE FROM expiries WHERE tbl = ?', table);
  }
}
