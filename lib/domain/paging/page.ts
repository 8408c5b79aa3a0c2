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

/** All rows of a long list without their positions, at the cost of one promise a row. */
export function streamRows<T>(list: AsyncIterable<Placed<T>> | Iterable<Placed<T>>): AsyncIterable<T> {
  if (!(Symbol.asyncIterator in list)) return rowsOf(list);
  const rowOf = (next: IteratorResult<Placed<T>>): IteratorResult<T> =>
    next.done === true ? { value: undefined, done: true } : { value: next.value.row, done: false };
  return {
    [Symbol.asyncIterator]: () => {
      const placedRows = list[Symbol.asyncIterator]();
      return {
        next: () => placedRows.next().then(rowOf),
        return: async () => {
          await placedRows.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
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
