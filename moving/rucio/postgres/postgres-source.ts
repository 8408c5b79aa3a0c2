import pg from 'pg';

import { columnsOf, readRow, type Relation } from '../columns.ts';
import { type RelationName, relations, type Rows } from '../relations.ts';
import type { Position, Range, RangeRead, Reads, RucioSource } from '../source.ts';
import { toUsageError } from './mistakes.ts';
import { quoteName, withinRange } from './range-condition.ts';
import { readSchema, requireRucio, type Schema } from './schema.ts';

/** How to reach the database. */
export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`. */
  readonly url: string;
  /** The schema of the tables; absent: the first of the search path that has them. */
  readonly schema?: string | undefined;
  /** Connections at a time. */
  readonly connections: number;
}

const connectionTimeoutMs = 15_000;

/** Values as the server prints them: the relations say how they are read. */
const asPrinted = { getTypeParser: () => (value: unknown) => value } as unknown as pg.CustomTypesConfig;

/** Fixes how values are printed, and forbids writing. */
const sessionSettings =
  "SET default_transaction_read_only = on; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET bytea_output = 'hex'; " +
  'SET extra_float_digits = 1';

/** Awaited by the pool, though its type does not say so. */
const applySettings: (client: pg.ClientBase) => unknown = (client) => client.query(sessionSettings);

type Printed = readonly (string | null)[];

/**
 * Opens the database of a Rucio server.
 *
 * @throws UsageError if it cannot be reached, or is not the database of a Rucio server.
 */
export async function openPostgres({ url, schema: wanted, connections }: PostgresOptions): Promise<RucioSource> {
  const address = url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectionTimeoutMs,
    application_name: 'dapple import',
    onConnect: applySettings,
  });
  // A connection that breaks while it is idle is replaced; one that breaks in use fails its query.
  pool.on('error', () => {});
  try {
    const schema = await readSchema((sql, values) => query(pool, sql, values), wanted);
    requireRucio(schema, address);
    return new PostgresSource(pool, schema, address);
  } catch (error) {
    await pool.end();
    throw toUsageError(error, address);
  }
}

async function query(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly string[] = [],
): Promise<Printed[]> {
  const { rows } = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asPrinted,
  });
  return rows;
}

class PostgresSource implements RucioSource {
  readonly address: string;
  readonly #pool: pg.Pool;
  readonly #schema: Schema;

  constructor(pool: pg.Pool, schema: Schema, address: string) {
    this.#pool = pool;
    this.#schema = schema;
    this.address = address;
  }

  has(name: RelationName): boolean {
    return relations[name].tables.every((table) => this.#schema.tables.has(table));
  }

  async countRows(name: RelationName, exactly: boolean): Promise<number> {
    if (!this.has(name)) return 0;
    const table = this.#tableOf(name);
    if (!exactly) {
      const [row] = await this.#query('SELECT reltuples FROM pg_class WHERE oid = $1::regclass', [table]);
      const estimate = Number(row?.[0] ?? 0);
      // Below 0: the table was never analysed.
      if (estimate > 0) return estimate;
    }
    const [row] = await this.#query(`SELECT count(*) FROM ${table}`);
    return Number(row?.[0] ?? 0);
  }

  async findEnd(
    name: RelationName,
    columns: readonly string[],
    range: Range,
    rows: number,
  ): Promise<Position | undefined> {
    if (!this.has(name)) return undefined;
    const { sql, values } = withinRange(columns, range);
    const list = columns.map(quoteName).join(', ');
    const text = `SELECT ${list} FROM ${this.#tableOf(name)} WHERE ${sql} ORDER BY ${list} OFFSET ${rows - 1} LIMIT 1`;
    const [row] = await this.#query(text, values);
    return row?.map(String);
  }

  async read<Name extends RelationName>(reads: Reads<Name>, range: Range): Promise<RangeRead<Name>> {
    return this.#inSnapshot(async (client) => {
      const rows: Record<string, unknown> = {};
      const prints: string[] = [];
      for (const name of namesOf(reads)) {
        const { sql, values } = this.#select(name, reads[name], range);
        const columns = columnsOf(relations[name]);
        rows[name] = sql === undefined ? [] : (await query(client, sql, values)).map((row) => readRow(columns, row));
        prints.push(await this.#fingerprintOf(client, name, reads[name], range));
      }
      return { rows: rows as Rows<Name>, fingerprint: prints.join(' ') };
    });
  }

  async fingerprint(reads: Reads, range: Range): Promise<string> {
    return this.#inSnapshot(async (client) => {
      const prints: string[] = [];
      for (const name of namesOf(reads)) prints.push(await this.#fingerprintOf(client, name, reads[name], range));
      return prints.join(' ');
    });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** The number of rows and the sum of their hashes. */
  async #fingerprintOf(client: pg.PoolClient, name: RelationName, columns: readonly string[], range: Range) {
    const { sql, values } = this.#select(name, columns, range);
    if (sql === undefined) return '-';
    const hashed = `SELECT count(*), coalesce(sum(hashtextextended(v::text, 0)), 0) FROM (${sql}) v`;
    const [row] = await query(client, hashed, values);
    return `${row?.[0]}:${row?.[1]}`;
  }

  /** The statement that reads a relation; undefined if a table is missing. */
  #select(name: RelationName, columns: readonly string[], range: Range) {
    const relation: Relation = relations[name];
    if (!this.has(name)) return { sql: undefined, values: [] };
    const { sql: within, values } = withinRange(columns, range);
    const known = this.#schema.tables.get(relation.tables[0]);
    const list = columnsOf(relation).map(([column]) =>
      relation.statement !== undefined || known?.has(column) === true ? quoteName(column) : 'NULL',
    );
    const from = relation.statement === undefined ? this.#tableOf(name) : `(${relation.statement(within)}) s`;
    const where = relation.statement === undefined ? ` WHERE ${within}` : '';
    // The order makes the result independent of the plan of the server.
    const order = ` ORDER BY ${Object.keys(relation.required)
      .map((_column, index) => index + 1)
      .join(', ')}`;
    return { sql: `SELECT ${list.join(', ')} FROM ${from}${where}${order}`, values };
  }

  #tableOf(name: RelationName): string {
    return `${quoteName(this.#schema.name)}.${quoteName(relations[name].tables[0])}`;
  }

  #query(sql: string, values: readonly string[] = []): Promise<Printed[]> {
    return query(this.#pool, sql, values).catch((error: unknown) => {
      throw toUsageError(error, this.address);
    });
  }

  /** Runs queries that see one state of the database. */
  async #inSnapshot<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query(`SET search_path TO ${quoteName(this.#schema.name)}`);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const result = await run(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw toUsageError(error, this.address);
    }
  }
}

function namesOf<Name extends RelationName>(reads: Reads<Name>): Name[] {
  return Object.keys(reads) as Name[];
}
