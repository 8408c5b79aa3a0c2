import { relations } from '../relations.ts';
import { UsageError } from '../source.ts';

/** The tables of a schema, with the names of their columns. */
export interface Schema {
  readonly name: string;
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
}

type Query = (sql: string, values?: readonly string[]) => Promise<readonly (readonly (string | null)[])[]>;

/** Reads which tables and columns a schema has; without a name, the schema of the table `dids` in the search path. */
export async function readSchema(query: Query, wanted: string | undefined): Promise<Schema> {
  const name = wanted ?? (await findSchema(query)) ?? 'public';
  // The information schema would hide the tables that the user may not read, as if they were missing.
  const sql =
    'SELECT c.relname, a.attname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ' +
    "JOIN pg_attribute a ON a.attrelid = c.oid WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') " +
    'AND a.attnum > 0 AND NOT a.attisdropped';
  const tables = new Map<string, Set<string>>();
  for (const [table, column] of await query(sql, [name])) {
    if (table === null || table === undefined || column === null || column === undefined) continue;
    tables.set(table, (tables.get(table) ?? new Set()).add(column));
  }
  return { name, tables };
}

async function findSchema(query: Query): Promise<string | undefined> {
  const [row] = await query(
    "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('dids')",
  );
  return row?.[0] ?? undefined;
}

/** Tables without which a database is not that of a Rucio server. */
const essentialTables = ['accounts', 'scopes', 'rses', 'dids', 'contents', 'replicas', 'rules', 'locks'];

/** @throws UsageError if the database is not that of a Rucio server, or of one that is too old. */
export function requireRucio({ name, tables }: Schema, address: string): void {
  const missing = essentialTables.filter((table) => !tables.has(table));
  if (missing.length > 0) {
    throw new UsageError(
      `The schema ${name} of ${address} is not that of a Rucio server: it has no ${missing.join(', ')}. ` +
        'Name another schema with --schema.',
    );
  }
  for (const relation of Object.values(relations)) {
    const known = tables.get(relation.tables[0]);
    if (known === undefined || 'statement' in relation) continue;
    const lacking = Object.keys(relation.required).filter((column) => !known.has(column));
    if (lacking.length === 0) continue;
    throw new UsageError(
      `The table ${relation.tables[0]} of ${address} has no column ${lacking.join(', ')}: ` +
        'the import reads the databases of Rucio 1.29 to 41.',
    );
  }
}
