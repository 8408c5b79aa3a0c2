import { mapRows } from '../../rows/map-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice } from '../../store/batches/table.ts';

/**
 * The position of a row in its list, after which the next page begins. Only the list itself reads the texts. They are
 * the sort key of the row, so a position stays valid when rows are added or removed.
 */
export type Position = readonly string[];

/** The requested part of a list. */
export interface Page {
  /** The position after which the page begins; absent: from the start. */
  readonly after?: Position;
  /** The most rows; absent: all. */
  readonly limit?: number;
}

/** The page that is the whole list. */
export const wholeList: Page = {};

/** A row with its position; undefined if no page can begin after it. */
export interface Placed<T> {
  readonly row: T;
  readonly position: Position | undefined;
}

/** Adds the position to a row. */
export function placed<T>(row: T, ...position: Position): Placed<T> {
  return { row, position };
}

/** The first rows of a list without their positions; by default all. */
export function rowsOf<T>(
  list: AsyncIterable<Placed<T>> | Iterable<Placed<T>>,
  limit = Number.POSITIVE_INFINITY,
): ReadyRows<T> {
  return mapRows(list, ({ row }) => row, limit);
}

/**
 * The slice of the table for a page. It has one row more than the page, which shows whether a next page exists.
 *
 * @param after The key of the row after which to begin.
 */
export function sliceOf<P>({ limit }: Page, after?: P): Slice<P> {
  return { after, pageSize: limit === undefined ? undefined : limit + 1 };
}

/**
 * A page of a list that is in memory, sorted by a unique text.
 *
 * @param nameOf The text of a row, such as the name of an RSE.
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
