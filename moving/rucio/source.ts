import type { RelationName, Rows } from './relations.ts';

/** The values of the columns that order a table, as the database prints them. */
export type Position = readonly string[];

/** The rows after one position, up to and including another; absent: unbounded. */
export interface Range {
  readonly after?: Position | undefined;
  readonly upTo?: Position | undefined;
}

/** For each relation that is read together, the columns that are compared with the bounds of the range. */
export type Reads<Name extends RelationName = RelationName> = { readonly [N in Name]: readonly string[] };

/** The rows of several relations in one range, and what tells whether they have changed since. */
export interface RangeRead<Name extends RelationName> {
  readonly rows: Rows<Name>;
  readonly fingerprint: string;
}

/**
 * The database of a Rucio server. Positions are compared by the database alone, in whatever order its texts have there, so
 * nothing depends on its collation.
 */
export interface RucioSource {
  /** Where it is, without the password. */
  readonly address: string;
  /** Whether the tables of a relation exist. */
  has(name: RelationName): boolean;
  /** The number of rows as the database estimates it; `exactly`: counted. */
  countRows(name: RelationName, exactly: boolean): Promise<number>;
  /** The position of the last of some rows in a range; undefined: there are no more than that. */
  findEnd(name: RelationName, columns: readonly string[], range: Range, rows: number): Promise<Position | undefined>;
  /** Reads the rows of a range in one snapshot of the database. */
  read<Name extends RelationName>(reads: Reads<Name>, range: Range): Promise<RangeRead<Name>>;
  /** The fingerprint that {@link read} would return; costs little, since no rows are transferred. */
  fingerprint(reads: Reads, range: Range): Promise<string>;
  close(): Promise<void>;
}

/** A mistake of the user; its message is a sentence with a remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
