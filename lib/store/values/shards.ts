import { hash } from 'node:crypto';

/** How many partitions the DIDs of a scope are spread over; fixed when a table is made (docs/data-model.md). */
export const shardCount = 4;

/** Numbers of all shards. */
export const shards = Array.from({ length: shardCount }, (_value, shard) => shard);

/** The shard of a DID's name. */
export function shardOf(name: string): number {
  const known = knownShards.get(name);
  if (known !== undefined) return known;
  const shard = Number.parseInt(hash('md5', name).slice(0, 8), 16) % shardCount;
  if (knownShards.size >= maxKnownShards) knownShards.clear();
  knownShards.set(name, shard);
  return shard;
}

/** Shards by name: a request asks for the same ones several times, and a hash takes longer than everything else in a key. */
const knownShards = new Map<string, number>();
const maxKnownShards = 4_000;
