import { shardCount } from '../keys/key-parts.ts';
import type { Slice } from './table.ts';

/** The slice that is read of each shard of a list: the rows spread evenly, so its share of them and a little more. */
export function sliceOfShard<P>(slice: Slice<P>): Slice<P> {
  const { pageSize } = slice;
  return pageSize === undefined
    ? slice
    : { ...slice, pageSize: Math.ceil(pageSize / shardCount + Math.sqrt(pageSize)) };
}

/**
 * Merges streams that are sorted by a key into one that is. The first elements of all streams are fetched at once.
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
