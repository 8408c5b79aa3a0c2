import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { WalSync } from './wal-sync.ts';

/** Identifies the files of this engine. */
const applicationId = 0x44_61_70_6c;
/** Version of the schema below and of what it holds; files of another version are not opened. */
const schemaVersion = 4;

const schema = `
  CREATE TABLE tables (id INTEGER PRIMARY KEY, definition TEXT NOT NULL) STRICT;
  CREATE TABLE items (
    id INTEGER PRIMARY KEY, tbl INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL,
    size INTEGER NOT NULL, item TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX item_keys ON items (tbl, pk, sk);
  CREATE TABLE entries (
    idx INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL, ipk BLOB NOT NULL, isk BLOB NOT NULL,
    id INTEGER NOT NULL, size INTEGER NOT NULL, projected TEXT,
    PRIMARY KEY (idx, pk, sk, ipk, isk)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL, size INTEGER NOT NULL,
    keys TEXT NOT NULL, old TEXT, new TEXT, expired INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE expiries (id INTEGER PRIMARY KEY, tbl INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX expiry_times ON expiries (tbl, at);
  CREATE TABLE totals (id INTEGER PRIMARY KEY, count INTEGER NOT NULL, size INTEGER NOT NULL) STRICT;
  CREATE TABLE tokens (token TEXT PRIMARY KEY, request TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * The size of the write-ahead log at which it is copied into the database: 128 MB. A page that was written again is
 * copied once.
 */
const checkpointPages = 16_000;
/** The page cache. */
const cacheKilobytes = 16_384;

/** A value of a column. */
export type Cell = number | string | Uint8Array | null;

/**
 * The database of the engine. A commit goes to the write-ahead log and is on disk once `synced` resolves. SQLite itself
 * does not synchronise commits, since that would block the thread for each; it only orders log and database at
 * checkpoints. A crash that truncates the log loses the last commits only.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #sync: WalSync | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #version: Cell = 0;
  #hasSnapshot = false;

  /**
   * @param path The file; absent: in memory.
   * @param readOnly Another connection has opened the file, and writes.
   * @throws Error if the file is of another version.
   */
  constructor(path?: string, readOnly = false) {
    this.#connection = new DatabaseSync(path ?? ':memory:', { readOnly });
    const connection = this.#connection;
    if (readOnly) {
      connection.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKilobytes};`);
      return;
    }
    connection.exec('PRAGMA page_size = 8192; PRAGMA temp_store = MEMORY;');
    if (path !== undefined) connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    else connection.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
    connection.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}; PRAGMA cache_size = -${cacheKilobytes};`);
    this.#prepareSchema(path);
    this.#sync = path === undefined ? undefined : new WalSync(`${path}-wal`);
  }

  /** Resolves once all commits so far are on disk. */
  async synced(): Promise<void> {
    await this.#sync?.wait();
  }

  /** A prepared statement that returns rows as arrays; cached by its text. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The first row of a result. */
  first(sql: string, ...parameters: Cell[]): Cell[] | undefined {
    return this.prepare(sql).get(...parameters) as unknown as Cell[] | undefined;
  }

  /** All rows of a result. */
  all(sql: string, ...parameters: Cell[]): Cell[][] {
    return this.prepare(sql).all(...parameters) as unknown as Cell[][];
  }

  /** The rows of a result, one by one. */
  rows(sql: string, ...parameters: Cell[]): Iterable<Cell[]> {
    return this.prepare(sql).iterate(...parameters) as unknown as Iterable<Cell[]>;
  }

  /** Runs a statement. */
  run(sql: string, ...parameters: Cell[]): void {
    this.prepare(sql).run(...parameters);
  }

  /** Runs a statement that inserts a row or does nothing; returns the id of the inserted row. */
  insert(sql: string, ...parameters: Cell[]): number | undefined {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...parameters);
    return changes === 0 ? undefined : Number(lastInsertRowid);
  }

  /** Runs a statement; returns the number of changed rows. */
  change(sql: string, ...parameters: Cell[]): number {
    return Number(this.prepare(sql).run(...parameters).changes);
  }

  /** Runs `work` in a transaction. */
  transact<T>(work: () => T): T {
    this.#endSnapshot();
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.prepare('COMMIT').run();
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.prepare('ROLLBACK').run();
      throw error;
    }
  }

  /**
   * Runs work that only reads, in one snapshot. Work of the same turn of the event loop shares it, as long as this connection
   * writes nothing: to begin a snapshot takes longer than a small read. Calls `refresh` if another connection has committed since
   * the last snapshot.
   */
  readSnapshot<T>(work: () => T, refresh?: () => void): T {
    if (!this.#hasSnapshot) this.#beginSnapshot(refresh);
    return work();
  }

  #beginSnapshot(refresh: (() => void) | undefined): void {
    this.prepare('BEGIN').run();
    this.#hasSnapshot = true;
    setImmediate(() => this.#endSnapshot());
    if (refresh === undefined) return;
    // The first read begins the snapshot.
    const [version = 0] = this.first('PRAGMA data_version') ?? [];
    if (version !== this.#version) refresh();
    this.#version = version;
  }

  #endSnapshot(): void {
    if (!this.#hasSnapshot) return;
    this.#hasSnapshot = false;
    if (this.#connection.isTransaction) this.prepare('COMMIT').run();
  }

  close(): void {
    this.#endSnapshot();
    this.#statements.clear();
    this.#sync?.close();
    this.#connection.close();
  }

  #prepareSchema(path: string | undefined): void {
    const [[id, version] = [0, 0]] = this.all(
      'SELECT application_id, user_version FROM pragma_application_id, pragma_user_version',
    );
    if (id === applicationId && version === schemaVersion) return;
    const [count] = this.first('SELECT count(*) FROM sqlite_schema') ?? [0];
    if (id !== 0 || count !== 0) {
      this.close();
      throw new Error(`${path ?? 'The database'} holds data of another version of Dapple`);
    }
    this.transact(() => {
      this.#connection.exec(schema);
      this.#connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
    });
  }
}
