import { type Integer, parseInteger } from '../../lib/integer.ts';
import { parseJson } from '../../lib/json.ts';

/*
 * The columns of Rucio's tables. Every driver hands out values as PostgreSQL prints them; this file turns them into values
 * of JavaScript.
 */

/** How the text of a value is read. */
export interface Column<T> {
  /** @throws Error if the text is not such a value. */
  readonly read: (text: string) => T;
}

/** A text, as it stands. */
export const text: Column<string> = { read: (value) => value };

/** An integer of any size. */
export const integer: Column<Integer> = { read: parseInteger };

/** A number whose size is known to be small. */
export const number: Column<number> = { read: Number };

/** A truth value. */
export const flag: Column<boolean> = { read: (value) => value === 't' || value === 'true' || value === '1' };

/** An id: 32 lower-case hex digits. */
export const id: Column<string> = { read: (value) => value.replaceAll('-', '').toLowerCase() };

/** A time in UTC, in milliseconds since 1970. */
export const time: Column<number> = {
  read: (value) => {
    const at = Date.parse(`${value.replace(' ', 'T')}Z`);
    if (Number.isNaN(at)) throw new Error(`'${value}' is not a time`);
    return at;
  },
};

/** Bytes, in the hex form of PostgreSQL. */
export const bytes: Column<Buffer> = { read: (value) => Buffer.from(value.replace(/^\\x/, ''), 'hex') };

/** JSON, with exact integers. */
export const json: Column<unknown> = { read: parseJson };

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The columns read from one table, or from one statement. */
export interface Relation<Required extends Columns = Columns, Optional extends Columns = Columns> {
  /** The tables that must exist; if one is missing, the relation has no rows. The first is that of the columns. */
  readonly tables: readonly [string, ...string[]];
  /** Columns that are never null, and that every supported version has. */
  readonly required: Required;
  /** Columns that may be null, or missing in some versions. */
  readonly optional: Optional;
  /**
   * The statement that makes the rows; absent: the rows of the table.
   *
   * @param within The condition for the range to be read.
   */
  readonly statement?: (within: string) => string;
}

/** Declares a relation. */
export function relation<Required extends Columns, Optional extends Columns>(
  declared: Relation<Required, Optional>,
): Relation<Required, Optional> {
  return declared;
}

type ValueOf<C> = C extends Column<infer T> ? T : never;

/** A row of a relation. */
export type RowOf<R extends Relation> = {
  readonly [Name in keyof R['required']]: ValueOf<R['required'][Name]>;
} & { readonly [Name in keyof R['optional']]: ValueOf<R['optional'][Name]> | null };

/** Reads a row whose values are in the order of {@link columnsOf}. */
export function readRow(
  columns: readonly (readonly [string, Column<unknown>])[],
  values: readonly (string | null)[],
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, [name, column]] of columns.entries()) {
    const value = values[index] ?? null;
    row[name] = value === null ? null : column.read(value);
  }
  return row;
}

/** The columns of a relation in a fixed order. */
export function columnsOf({ required, optional }: Relation): (readonly [string, Column<unknown>])[] {
  return [...Object.entries(required), ...Object.entries(optional)];
}
