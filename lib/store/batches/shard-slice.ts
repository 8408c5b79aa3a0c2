import { shardCount } from '../values/shards.ts';
import type { Slice } from './table.ts';

/** The slice to read of each shard of a list: rows spread evenly, so its share and a margin. */
export function sliceOfShard<P>(slice: Slice<P>): Slice<P> {
  const { pageSize } = slice;
  return pageSize === undefined
    ? slice
    : { ...slice, pageSize: Math.ceil(pageSize / shardCount + Math.sqrt(pageSize)) };
}
