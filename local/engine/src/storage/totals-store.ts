import type { Database } from './database.ts';

/** Number and bytes of the items in a table or an index. */
export interface Totals {
  readonly count: number;
  readonly size: number;
}

const none: Totals = { count: 0, size: 0 };

/** The totals of tables and indexes by id; stored with each commit, so that they need no counting. */
export class TotalsStore {
  readonly #database: Database;
  readonly #totals = new Map<number, Totals>();
  readonly #changed = new Set<number>();

  constructor(database: Database) {
    this.#database = database;
    this.reload();
  }

  /** Discards uncommitted changes. */
  reload(): void {
    this.#totals.clear();
    this.#changed.clear();
    for (const [id, count, size] of this.#database.all('SELECT id, count, size FROM totals')) {
      this.#totals.set(Number(id), { count: Number(count), size: Number(size) });
    }
  }

  get(id: number): Totals {
    return this.#totals.get(id) ?? none;
  }

  /** Adds to the totals of a table or an index; `save` stores them. */
  add(id: number, { count, size }: Totals): void {
    if (count === 0 && size === 0) return;
    const before = this.get(id);
    this.#totals.set(id, { count: before.count + count, size: before.size + size });
    this.#changed.add(id);
  }

  /** Stores changed totals; part of each commit. */
  save(): void {
    for (const id of this.#changed) {
      const { count, size } = this.get(id);
      this.#database.run('INSERT OR REPLACE INTO totals (id, count, size) VALUES (?, ?, ?)', id, count, size);
    }
    this.#changed.clear();
  }

  delete(id: number): void {
    this.#totals.delete(id);
    this.#changed.delete(id);
    this.#database.run('DELETE FROM totals WHERE id = ?', id);
  }
}
