import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import { parseNamed } from '../../lib/json-names.ts';
import type { Position, Range } from '../rucio/source.ts';
import { UsageError } from '../rucio/source.ts';
import type { ItemKey } from '../write/prepared-item.ts';
import { unpackDigests } from './digests.ts';
import type { RejectedRow } from './rejected-rows.ts';
import type { Sums } from './sums.ts';

/** The version of the tables below. */
const version = 3;

const schema = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE ranges (
    id INTEGER PRIMARY KEY, section TEXT NOT NULL, run INTEGER NOT NULL, after TEXT, up_to TEXT,
    fingerprint TEXT NOT NULL, digests BLOB NOT NULL, sums TEXT NOT NULL, rejected TEXT NOT NULL,
    rows INTEGER NOT NULL, items INTEGER NOT NULL, tables TEXT NOT NULL
  ) STRICT;
  CREATE INDEX range_sections ON ranges (section, run);
  CREATE TABLE fresh (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE stale (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** The result of a range of rows. */
export interface DoneRange {
  readonly section: string;
  readonly range: Range;
  readonly fingerprint: string;
  /** Digests of its items, packed. */
  readonly digests: Buffer;
  readonly sums: Sums;
  readonly rejected: readonly RejectedRow[];
  /** Rows of the table that drives the section. */
  readonly rows: number;
  readonly tables: Readonly<Record<string, TableTotals>>;
  readonly items: number;
}

/** The rows of a table. */
export interface TableTotals {
  readonly rows: number;
  /** Rows older than Dapple keeps such rows. */
  readonly expired: number;
}

/** The totals of a section. */
export interface SectionTotals {
  readonly rows: number;
  readonly items: number;
}

/** A range as it was done by a former run. */
export interface FormerRange {
  readonly id: number;
  readonly range: Range;
  readonly fingerprint: string;
  /** Rows of the table that drives the section, when it was done. */
  readonly rows: number;
}

/** Ranges that take the place of a former one, which may be none; the changes of items are known to be written. */
export interface Replacement {
  readonly former: number | undefined;
  /** The rest of the former range; absent: nothing is left. */
  readonly rest?: { readonly after: Position; readonly digests: Buffer };
  readonly done: readonly DoneRange[];
  /** Items that were written, and items of the former range that are no more. Only kept when following changes. */
  readonly fresh: readonly string[];
  readonly stale: readonly string[];
}

/**
 * The state of an import, beside its target: which ranges of the source are done, and digests of the items that were made
 * of them. Each change of it is one transaction, after the items are written: an import that is killed goes on from there.
 */
export class StateFile {
  readonly #database: DatabaseSync;

  /**
   * Opens the file, or makes it.
   *
   * @param path Absent: in memory.
   * @throws UsageError if it is not such a file, or another import uses it.
   */
  constructor(path = ':memory:') {
    try {
      if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
      this.#database = new DatabaseSync(path);
      this.#database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      this.#prepare();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(`The state of the import in ${path} cannot be used: ${reason}.`, { cause: error });
    }
  }

  /** A fact about the import as a whole. */
  fact(name: string): string | undefined {
    return this.#first('SELECT value FROM facts WHERE name = ?', name)?.['value'] as string | undefined;
  }

  setFact(name: string, value: string): void {
    this.#run('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, value);
  }

  /** The end of the last range that the first pass over a section has done; undefined: none; `over`: all are. */
  frontier(section: string): Position | 'over' | undefined {
    const text = this.fact(`frontier ${section}`);
    return text === undefined || text === 'over' ? text : (parseNamed(text) as Position);
  }

  /** The ranges of a section that runs before this one have done, oldest first. */
  formerRanges(section: string, run: number): FormerRange[] {
    const sql = 'SELECT id, after, up_to, fingerprint, rows FROM ranges WHERE section = ? AND run < ? ORDER BY id';
    return this.#all(sql, section, run).map((row) => ({
      id: Number(row['id']),
      range: { after: readPosition(row['after']), upTo: readPosition(row['up_to']) },
      fingerprint: String(row['fingerprint']),
      rows: Number(row['rows']),
    }));
  }

  /** The digests of the items of a former range. */
  digestsOf(id: number): Map<string, string> {
    const row = this.#first('SELECT digests FROM ranges WHERE id = ?', id);
    return row === undefined ? new Map() : unpackDigests(row['digests'] as Uint8Array);
  }

  /** Notes that former ranges have not changed. */
  confirm(ids: readonly number[], run: number): void {
    this.#transact(() => {
      for (const id of ids) this.#run('UPDATE ranges SET run = ? WHERE id = ?', run, id);
    });
  }

  /** Saves what was done, and facts that go with it. */
  save(run: number, replacements: readonly Replacement[], facts: Readonly<Record<string, string>>): void {
    this.#transact(() => {
      for (const { former, rest, done, fresh, stale } of replacements) {
        if (former !== undefined) this.#shorten(former, rest);
        for (const one of done) this.#insert(run, one);
        for (const key of fresh) this.#run('INSERT OR IGNORE INTO fresh VALUES (?)', key);
        for (const key of stale) this.#run('INSERT OR IGNORE INTO stale VALUES (?)', key);
      }
      for (const [name, value] of Object.entries(facts)) this.setFact(name, value);
    });
  }

  /** The items of former ranges that no range has made again. */
  staleKeys(): ItemKey[] {
    const sql = 'SELECT key FROM stale EXCEPT SELECT key FROM fresh';
    return this.#all(sql).map(({ key }) => parseKey(String(key)));
  }

  /** The number of items written by this run because their rows have changed. */
  freshItems(): number {
    return Number(this.#first('SELECT count(*) AS items FROM fresh')?.['items'] ?? 0);
  }

  /** Forgets the keys of items, once the stale ones are deleted. */
  clearKeys(): void {
    this.#transact(() => {
      this.#run('DELETE FROM stale');
      this.#run('DELETE FROM fresh');
    });
  }

  /** The sums of all ranges, one range after the other. */
  *sums(): Generator<Sums> {
    for (const row of this.#iterate('SELECT sums FROM ranges')) yield parseNamed(String(row['sums'])) as Sums;
  }

  /** The rejected rows of all ranges, in the order of their sections. */
  *rejectedRows(): Generator<RejectedRow> {
    for (const row of this.#iterate('SELECT rejected FROM ranges WHERE rejected <> ? ORDER BY id', '[]')) {
      yield* parseNamed(String(row['rejected'])) as RejectedRow[];
    }
  }

  /** Rows and items by section. */
  totals(): ReadonlyMap<string, SectionTotals> {
    const sql = 'SELECT section, sum(rows) AS rows, sum(items) AS items FROM ranges GROUP BY section';
    return new Map(
      this.#all(sql).map(({ section, rows, items }) => [String(section), { rows: Number(rows), items: Number(items) }]),
    );
  }

  /** Rows that were read, by table. */
  tables(): ReadonlyMap<string, TableTotals> {
    const totals = new Map<string, TableTotals>();
    for (const row of this.#iterate('SELECT tables FROM ranges')) {
      for (const [table, more] of Object.entries(parseNamed(String(row['tables'])) as DoneRange['tables'])) {
        const { rows, expired } = totals.get(table) ?? { rows: 0, expired: 0 };
        totals.set(table, { rows: rows + more.rows, expired: expired + more.expired });
      }
    }
    return totals;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #shorten(id: number, rest: Replacement['rest']): void {
    if (rest === undefined) this.#run('DELETE FROM ranges WHERE id = ?', id);
    else {
      const { after, digests } = rest;
      // The counts of the whole range start anew.
      const sql =
        "UPDATE ranges SET after = ?, digests = ?, fingerprint = '', sums = '{}', rejected = '[]', rows = 0, items = 0, tables = '{}' WHERE id = ?";
      this.#run(sql, JSON.stringify(after), digests, id);
    }
  }

  #insert(run: number, done: DoneRange): void {
    const { section, range, fingerprint, digests, sums, rejected, rows, items, tables } = done;
    const bounds = [range.after, range.upTo].map((bound) => (bound === undefined ? null : JSON.stringify(bound)));
    const [after = null, upTo = null] = bounds;
    this.#run(
      'INSERT INTO ranges (section, run, after, up_to, fingerprint, digests, sums, rejected, rows, items, tables) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      section,
      run,
      after,
      upTo,
      fingerprint,
      digests,
      JSON.stringify(sums),
      JSON.stringify(rejected),
      rows,
      items,
      JSON.stringify(tables),
    );
  }

  #prepare(): void {
    const { user_version: found } = this.#first('PRAGMA user_version') ?? {};
    if (Number(found) === version) return;
    if (Number(found) !== 0) throw new Error(`it is of version ${Number(found)}, this program writes ${version}`);
    this.#transact(() => this.#database.exec(`${schema} PRAGMA user_version = ${version};`));
  }

  #transact(act: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      act();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...values);
  }

  #first(sql: string, ...values: SQLInputValue[]) {
    return this.#database.prepare(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#database.prepare(sql).all(...values);
  }

  #iterate(sql: string, ...values: SQLInputValue[]) {
    return this.#database.prepare(sql).iterate(...values);
  }
}

/** A key as one text. */
export function textOf({ PK, SK }: ItemKey): string {
  return `${PK}\n${SK}`;
}

function parseKey(text: string): ItemKey {
  const [PK = '', SK = ''] = text.split('\n');
  return { PK, SK };
}

function readPosition(value: unknown): Position | undefined {
  return typeof value === 'string' ? (parseNamed(value) as Position) : undefined;
}
