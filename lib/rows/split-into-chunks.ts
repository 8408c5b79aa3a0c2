import { sourceOf } from './ready-rows.ts';

/** Splits rows into lists of a size; the last one may be shorter. For batch reads. */
export async function* splitIntoChunks<T>(rows: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  const source = sourceOf(rows);
  let hasEnded = false;
  try {
    while (!hasEnded) {
      const chunk: T[] = [];
      while (chunk.length < size) {
        const row = source.take?.();
        if (row !== undefined) {
          chunk.push(row);
          continue;
        }
        const next = await source.next();
        hasEnded = next.done === true;
        if (next.done === true) break;
        chunk.push(next.value);
      }
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    if (!hasEnded) await source.return?.();
  }
}
