import type { Slice } from '../../store/batches/table.ts';

/**
 * Where a row stands in its list: what the list goes on after. Texts that only the list itself reads; they name the row
 * by what the list is sorted by, so that they stay good whatever is added or removed meanwhile.
 */
export type Position = readonly string[];

/** Which part of a list is asked for. */
export interface Page {
  /** The row before the first one that is wanted; absent: from the start. */
  readonly after?: Position;
  /** Rows that are wanted; absent: all. */
  readonly limit?: number;
}

/** A list from its first row to its last. */
export const wholeList: Page = {};

/** A row with its position; undefined where the list cannot go on after it in another request. */
export interface Placed<T> {
  readonly row: T;
  readonly position: Position | undefined;
}

/** A row at a position of its list. */
export function placed<T>(row: T, ...position: Position): Placed<T> {
  return { row, position };
}

/** The first rows of a list, by default all, without their positions. */
export async function* rowsOf<T>(
  list: AsyncIterable<Placed<T>> | Iterable<Placed<T>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  let left = limit;
  for await (const { row } of list) {
    yield row;
    left -= 1;
    if (left <= 0) return;
  }
}

/**
 * How the table is read for a page: one row more than is wanted, which says whether there are more.
 *
 * @param after The row to go on after, as the store names it.
 */
export function sliceOf<P>({ limit }: Page, after?: P): Slice<P> {
  return { after, pageSize: limit === undefined ? undefined : limit + 1 };
}

/**
 * A page of a list that is at hand as a whole, in the order of what each of its rows has alone.
 *
 * @param nameOf What the rows are sorted by, such as the name of an RSE.
 */
export function* byName<T>(
  rows: Iterable<T>,
  nameOf: (row: T) => string,
  { after: [last] = [] }: Page,
): Generator<Placed<T>> {
  const named = Array.from(rows, (row) => ({ row, name: nameOf(row) }));
  for (const { row, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (last === undefined || name > last) yield placed(row, name);
  }
}
