import type { DidKey } from '../../contract/schemas/did.ts';
import { shardOf } from '../values/shards.ts';
import { encode, join, type Key, lastPart, part, readName, spellName } from './key-parts.ts';

/** Bounds of names, as keys spell them. */
export interface NameBounds {
  readonly from?: string;
  readonly to?: string;
  readonly after?: string | undefined;
}

/** The keys of the index of metadata. */
export const metadataIndexKeys = {
  /**
   * The DIDs of a scope that have a value of a metadata key, by name: files in the shards of their names, collections by
   * themselves, so that either is found without the other. `term` stands for the value (metadata-term.ts).
   */
  entry: (did: DidKey, isFile: boolean, key: string, term: string): Key => ({
    PK: metadataIndexKeys.partition(did.scope, key, term, isFile ? shardOf(did.name) : 'collections'),
    SK: spellName(did.name),
  }),
  partition: (scope: string, key: string, term: string, shard: number | 'collections'): string =>
    join('M', scope, encode(key), encode(term), shard === 'collections' ? 'C' : String(shard)),
  /**
   * The DIDs of a scope that have a value of a free metadata key, by value and name. `term` sorts as the values do
   * (ordered-term.ts).
   */
  valueEntry: (did: DidKey, isFile: boolean, key: string, term: string): Key => ({
    PK: metadataIndexKeys.values(did.scope, key, isFile ? shardOf(did.name) : 'collections'),
    SK: join(term, spellName(did.name)),
  }),
  values: (scope: string, key: string, shard: number | 'collections'): string =>
    join('MV', scope, encode(key), shard === 'collections' ? 'C' : String(shard)),
  /** The bounds of the entries with one term whose names are within bounds. */
  namesOf: (term: string, { from, to, after }: NameBounds) => ({
    from: `${term}#${from ?? ''}`,
    to: to === undefined ? `${term}$` : `${term}#${to}`,
    after: after === undefined ? undefined : `${term}#${after}`,
  }),
  /** The free metadata keys of a scope that are indexed. */
  freeKeys: (scope: string, epoch: number): Key => ({ PK: join('MK', scope), SK: String(epoch) }),
  /** Which metadata keys are indexed, and how far the index has been built. */
  state: { PK: 'METADATAINDEX', SK: 'STATE' } as Key,
} as const;

/** Reads the DID back out of an entry of the metadata index. */
export function indexedDidOf(key: Key): DidKey {
  return { scope: part(key.PK, 1), name: readName(lastPart(key)) };
}
