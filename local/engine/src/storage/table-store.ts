import { tableNotFoundError } from '../errors.ts';
import { type TableDefinition, tableNameOf } from '../schema/definition.ts';
import { parseNamed } from '../values/json-names.ts';
import type { Database } from './database.ts';

/** The definitions of the tables, cached in memory. */
export class TableStore {
  readonly #database: Database;
  readonly #tables = new Map<string, TableDefinition>();
  #lastNumber = 0;
  #texts = '';
  #changes = 0;

  constructor(database: Database) {
    this.#database = database;
    this.reload();
  }

  /** Discards uncommitted changes. */
  reload(): void {
    const database = this.#database;
    this.#changes += 1;
    this.#tables.clear();
    for (const [definition] of database.all('SELECT definition FROM tables')) {
      const table = parseNamed(String(definition)) as TableDefinition;
      this.#tables.set(table.name, table);
    }
    const tables = [...this.#tables.values()];
    const parts = [tables, tables.flatMap(({ indexes }) => indexes), tables.flatMap(({ streams }) => streams)].flat();
    // Ids are never reused: rows of a deleted table may still exist.
    const kept = [
      database.first('SELECT max(tbl) FROM items')?.[0],
      database.first('SELECT max(idx) FROM entries')?.[0],
    ];
    this.#lastNumber = Math.max(
      this.#lastNumber,
      ...parts.map(({ id }) => id),
      ...kept.map((number) => Number(number ?? 0)),
    );
  }

  /** Reads the definitions again if another connection has changed them. */
  refresh(): void {
    const texts = this.#database.all('SELECT definition FROM tables').join('\n');
    if (texts === this.#texts) return;
    this.#texts = texts;
    this.reload();
  }

  /** Grows whenever a definition may have changed. */
  get changes(): number {
    return this.#changes;
  }

  /** An id for a new table, index or stream. */
  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  find(nameOrArn: string): TableDefinition | undefined {
    return this.#tables.get(nameOrArn.startsWith('arn:') ? tableNameOf(nameOrArn) : nameOrArn);
  }

  /** @throws ResourceNotFoundException if there is no such table. */
  get(nameOrArn: string): TableDefinition {
    const table = this.find(nameOrArn);
    if (table === undefined) throw tableNotFoundError();
    return table;
  }

  /** All tables, by name. */
  list(): TableDefinition[] {
    return [...this.#tables.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Adds a table or changes its definition. */
  save(table: TableDefinition): void {
    this.#database.run('INSERT OR REPLACE INTO tables (id, definition) VALUES (?, ?)', table.id, JSON.stringify(table));
    this.#tables.set(table.name, table);
    this.#changes += 1;
  }

  delete({ id, name }: TableDefinition): void {
    this.#database.run('DELETE FROM tables WHERE id = ?', id);
    this.#tables.delete(name);
    this.#changes += 1;
  }
}
