import { hash } from 'node:crypto';

/** How many partitions the DIDs of a scope are spread over; fixed when a table is made (docs/data-model.md). */
export const shardCount = 4;

/** Numbers of all shards. */
export const shards = Array.from({ length: shardCount }, (_value, shard) => shard);

/** The shard of a DID's name. */
export function shardOf(name: string): number {
  return Number.parseInt(hash('md5', name).slice(0, 8), 16) % shardCount;
}
