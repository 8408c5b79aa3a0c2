import type { DidKey } from '../../contract/schemas/did.ts';
import { shardOf } from '../values/shards.ts';
import { encode, join, type Key, part } from './key-parts.ts';

/** The keys of the index of metadata. */
export const metadataIndexKeys = {
  /**
   * The DIDs of a scope that have a value of a metadata key, by name: files in the shards of their names, collections by
   * themselves, so that either is found without the other. `term` stands for the value (metadata-term.ts).
   */
  entry: (did: DidKey, isFile: boolean, key: string, term: string): Key => ({
    PK: metadataIndexKeys.partition(did.scope, key, term, isFile ? shardOf(did.name) : 'collections'),
    SK: join(did.name),
  }),
  partition: (scope: string, key: string, term: string, shard: number | 'collections'): string =>
    join('M', scope, encode(key), encode(term), shard === 'collections' ? 'C' : String(shard)),
  /** Which metadata keys are indexed, and how far the index has been built. */
  state: { PK: 'METADATAINDEX', SK: 'STATE' } as Key,
} as const;

/** Reads the DID back out of an entry of the metadata index. */
export function indexedDidOf({ PK, SK }: Key): DidKey {
  return { scope: part(PK, 1), name: SK };
}
