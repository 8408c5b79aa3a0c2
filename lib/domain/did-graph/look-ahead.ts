import { readAhead } from '../values/read-ahead.ts';

/**
 * Yields rows, each with a read that was started while the caller handled earlier rows, so that the reads of several
 * rows run in parallel. It does not look past a row that needs no read.
 *
 * @param maxPending Rows with a read under way, including the one that is yielded next.
 * @param begin Starts the read of a row; undefined: it needs none.
 * @param abandon Cancels the read of a row that was never yielded.
 */
export async function* lookAhead<T, U>(
  rows: AsyncGenerator<T>,
  maxPending: number,
  begin: (row: T) => U | undefined,
  abandon: (started: U) => void,
): AsyncGenerator<readonly [T, U | undefined]> {
  const pending: (readonly [T, U | undefined])[] = [];
  try {
    for (;;) {
      while (pending.length === 0 || (pending.length < maxPending && pending.at(-1)?.[1] !== undefined)) {
        const next = await rows.next();
        if (next.done === true) break;
        pending.push([next.value, begin(next.value)]);
      }
      const first = pending.shift();
      if (first === undefined) return;
      yield first;
    }
  } finally {
    for (const [, started] of pending) if (started !== undefined) abandon(started);
    await rows.return(undefined);
  }
}

/** A list whose first rows are being read. */
export type Reading<T> = Promise<AsyncGenerator<T>>;

/** Starts to read a list. An error is thrown when the rows are awaited. */
export function beginReading<T>(rows: AsyncGenerator<T>): Reading<T> {
  const started = readAhead(rows);
  started.catch(ignore);
  return started;
}

/** Cancels what {@link beginReading} has started. */
export function abandonReading<T>(started: Reading<T> | undefined): void {
  void started?.then((rows) => rows.return(undefined), ignore);
}

const ignore = () => {};
