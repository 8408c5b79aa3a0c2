import { readAhead } from '../../rows/read-ahead.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';

/** A row with its read, if it needs one. */
export type Started<T, U> = readonly [row: T, read: U | undefined];

/**
 * Yields rows, each with a read that was started while the caller handled earlier rows, so that the reads of several
 * rows run in parallel. It looks past rows that need no read only as far as they are in memory.
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
): AsyncGenerator<Started<T, U>> {
  for await (const run of lookAheadInRuns(rows, maxPending, begin, abandon)) for (const row of run) yield row;
}

/**
 * As {@link lookAhead}. Rows that are in memory and need no read are yielded together, which saves a step of an async
 * generator for each.
 */
export async function* lookAheadInRuns<T, U>(
  rows: ReadyRows<T>,
  maxPending: number,
  begin: (row: T) => U | undefined,
  abandon: (started: U) => void,
): AsyncGenerator<readonly Started<T, U>[]> {
  const pending: Started<T, U>[] = [];
  try {
    for (;;) {
      while (pending.length === 0 || (pending.length < maxPending && pending.at(-1)?.[1] !== undefined)) {
        const next = await rows.next();
        if (next.done === true) break;
        pending.push([next.value, begin(next.value)]);
      }
      const first = pending.shift();
      if (first === undefined) return;
      const run = [first];
      while (pending.length === 0 && run.at(-1)?.[1] === undefined) {
        const row = rows.take?.();
        if (row === undefined) break;
        const started = begin(row);
        (started === undefined ? run : pending).push([row, started]);
      }
      yield run;
    }
  } finally {
    for (const [, started] of pending) if (started !== undefined) abandon(started);
    await rows.return(undefined);
  }
}

/** A list whose first rows are being read. */
export type Reading<T> = Promise<ReadyRows<T>>;

/** Starts to read a list. An error is thrown when the rows are awaited. */
export function beginReading<T>(rows: ReadyRows<T>): Reading<T> {
  const started = readAhead(rows);
  started.catch(ignore);
  return started;
}

/** Cancels what {@link beginReading} has started. */
export function abandonReading<T>(started: Reading<T> | undefined): void {
  void started?.then((rows) => rows.return(undefined), ignore);
}

const ignore = () => {};
