import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { termOf } from '../items/metadata-term.ts';
import type { Change } from '../items/plan.ts';
import { didKeys, didOf } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { indexedDidOf, metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { type DidMetadata, metadataValueOf, readMetadata } from './did-metadata.ts';
import { changeDid, isDying } from './did.ts';
import { indexedKeys, type IndexState } from './index-state.ts';

/*
 * The metadata index: one entry for each indexed key of which a DID has a value, under that value. Every entry of a DID
 * says the same of it, namely what it has under all indexed keys, so that a search need not read the DID to tell.
 */

/** Longest value that the entries of a DID repeat, in bytes; longer ones are left to the DID. */
const longestCopy = 256;

/** A DID as an entry of the index knows it. */
export interface IndexEntry extends DidMetadata {
  readonly scope: string;
  readonly name: string;
  readonly type: DidType;
  /** Of a file. */
  readonly bytes?: Integer;
  /** A value of an indexed key is too long for an entry. */
  readonly partial?: true;
}

/** Reads an entry. */
export function toIndexEntry(item: Item): IndexEntry {
  const { type, bytes, partial } = item as Partial<IndexEntry>;
  return {
    ...indexedDidOf(item),
    ...readMetadata(item),
    type: type ?? 'FILE',
    ...(bytes === undefined ? {} : { bytes }),
    ...(partial === undefined ? {} : { partial }),
  };
}

/** Terms by key: the places of a DID in the index. */
export type Terms = ReadonlyMap<string, string>;

/** The places in the index that a DID's item says the DID has. */
export function placesOf(item: Readonly<Record<string, unknown>>): Terms {
  return new Map(Object.entries((item['indexed'] ?? {}) as Record<string, string>));
}

/** The places that a DID is to have. */
export function termsOf(item: Readonly<Record<string, unknown>>, indexed: Iterable<string>): Terms {
  const terms = new Map<string, string>();
  for (const key of indexed) {
    const term = termOf(metadataValueOf(item, key)?.value);
    if (term !== undefined) terms.set(key, term);
  }
  return terms;
}

/** What every entry of a DID says of it. */
export function entryOf(item: Readonly<Record<string, unknown>>, terms: Terms): Record<string, unknown> {
  const entry: Record<string, unknown> = { type: item['type'] };
  if (item['type'] === 'FILE' && item['bytes'] !== undefined) entry['bytes'] = item['bytes'];
  for (const key of terms.keys()) {
    const found = metadataValueOf(item, key);
    if (found === undefined) continue;
    if (Buffer.byteLength(String(found.value)) <= longestCopy) entry[found.attribute] = found.stored;
    else entry['partial'] = true;
  }
  return entry;
}

/** The key of an entry. */
export function entryKey(item: Item, key: string, term: string): Key {
  return metadataIndexKeys.entry(didOf(item), item['type'] === 'FILE', key, term);
}

/** A DID, and whether its entries are to be made anew. */
export interface Indexable extends DidKey {
  readonly outdated: boolean;
}

/**
 * The DIDs of one shard of a scope, by name, as the index is built from them. Those with a value of a key that is being
 * filled are always outdated: who does not know of the key yet may have changed it without its entry.
 */
export async function* listIndexable(
  table: Table,
  { scope, shard, name }: { readonly scope: string; readonly shard: number; readonly name?: string },
  state: IndexState,
): AsyncGenerator<Indexable> {
  const indexed = indexedKeys(state);
  const filling = indexed.filter((key) => state.keys.get(key) === 'filling');
  for await (const item of table.query({ pk: didKeys.shard(scope, shard), after: name })) {
    const [is, shall] = [placesOf(item), termsOf(item, indexed)];
    const differs = is.size !== shall.size || [...shall].some(([key, term]) => is.get(key) !== term);
    yield { ...didOf(item), outdated: !isDying(item) && (differs || filling.some((key) => shall.has(key))) };
  }
}

/** The write that makes the entries of a DID anew. */
export function reindexDid(did: DidKey, onMissing: () => Error): Change {
  return { ...changeDid(did, {}, { onMismatch: onMissing }), reindex: true };
}
