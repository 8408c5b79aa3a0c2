import { readAhead } from '../dids/read-ahead.ts';

/**
 * Hands out rows, each with something that was begun for it while earlier rows were still being looked at, so that what
 * many rows need is asked for at once. Nothing is begun ahead of a row that needs nothing.
 *
 * @param most Rows for which something is under way at a time, the one that is handed out included.
 * @param begin Starts what a row needs; undefined when it needs nothing.
 * @param abandon Ends what was begun for a row that nobody got to see.
 */
export async function* lookAhead<T, U>(
  rows: AsyncGenerator<T>,
  most: number,
  begin: (row: T) => U | undefined,
  abandon: (begun: U) => void,
): AsyncGenerator<readonly [T, U | undefined]> {
  const waiting: (readonly [T, U | undefined])[] = [];
  try {
    for (;;) {
      while (waiting.length === 0 || (waiting.length < most && waiting.at(-1)?.[1] !== undefined)) {
        const next = await rows.next();
        if (next.done === true) break;
        waiting.push([next.value, begin(next.value)]);
      }
      const first = waiting.shift();
      if (first === undefined) return;
      yield first;
    }
  } finally {
    for (const [, begun] of waiting) if (begun !== undefined) abandon(begun);
    await rows.return(undefined);
  }
}

/** Rows of which the first are being read. */
export type Reading<T> = Promise<AsyncGenerator<T>>;

/** Begins to read rows; what fails is told where they are wanted. */
export function beginReading<T>(rows: AsyncGenerator<T>): Reading<T> {
  const begun = readAhead(rows);
  begun.catch(ignore);
  return begun;
}

/** Ends what {@link beginReading} has begun. */
export function abandonReading<T>(begun: Reading<T> | undefined): void {
  void begun?.then((rows) => rows.return(undefined), ignore);
}

const ignore = () => {};
