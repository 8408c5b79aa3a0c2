import { shardCount } from '../values/shards.ts';
import type { Slice } from './table.ts';

/** The slice to read of each shard of a list: rows spread evenly, so its share and a margin. */
export function sliceOfShard<P>(slice: Slice<P>): Slice<P> {
  const { pageSize } = slice;
  return pageSize === undefined
    ? slice
    : { ...slice, pageSize: Math.ceil(pageSize / shardCount + Math.sqrt(pageSize)) };
}

/**
 * Merges sorted streams into one. The first elements of all streams are fetched in parallel.
 */
export async function* mergeSorted<T>(
  streams: readonly AsyncIterable<T>[],
  keyOf: (element: T) => string,
): AsyncGenerator<T> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
    for (;;) {
      let least: number | undefined;
      let leastKey = '';
      for (const [index, head] of heads.entries()) {
        if (head.done === true) continue;
        const key = keyOf(head.value);
        if (least === undefined || key < leastKey) [least, leastKey] = [index, key];
      }
      if (least === undefined) return;
      const head = heads[least] as IteratorYieldResult<T>;
      yield head.value;
      heads[least] = await (iterators[least] as AsyncIterator<T>).next();
    }
  } finally {
    await Promise.all(iterators.map(async (iterator) => iterator.return?.()));
  }
}
