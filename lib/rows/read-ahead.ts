import type { ReadyRows } from './ready-rows.ts';

/**
 * Fetches the first row at once and returns all rows, so that a caller can read other items in parallel.
 */
export async function readAhead<T>(rows: ReadyRows<T>): Promise<ReadyRows<T>> {
  let first: IteratorResult<T> | undefined = await rows.next();
  const all: ReadyRows<T> = {
    next: () => {
      if (first === undefined) return rows.next();
      const row = first;
      first = undefined;
      return Promise.resolve(row);
    },
    take: () => (first === undefined ? rows.take?.() : undefined),
    return: (value) => rows.return(value),
    throw: (error) => rows.throw(error),
    [Symbol.asyncIterator]: () => all,
    [Symbol.asyncDispose]: async () => {
      await rows.return(undefined);
    },
  };
  return all;
}
