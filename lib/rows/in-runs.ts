import { sourceOf } from './ready-rows.ts';

/** Splits rows into runs of those that are in memory together. */
export async function* inRuns<T>(rows: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  const source = sourceOf(rows);
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      const run = [next.value];
      for (let row = source.take?.(); row !== undefined; row = source.take?.()) run.push(row);
      yield run;
    }
  } finally {
    await source.return?.();
  }
}
