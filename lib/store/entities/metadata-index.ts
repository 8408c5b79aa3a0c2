import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { termOf } from '../items/metadata-term.ts';
import type { Change } from '../items/plan.ts';
import {
  attributesReader,
  isInteger,
  isText,
  oneOf,
  optional,
  readAttribute,
  recordOf,
} from '../items/read-attributes.ts';
import { didKeys, didOf } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { indexedDidOf, metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { isHidden } from './did-item.ts';
import { type DidMetadata, metadataValueOf, readMetadata } from './did-metadata.ts';
import { changeDid } from './did.ts';
import { indexedKeys, type IndexState } from './index-state.ts';

/*
 * The metadata index: one entry for each indexed key of which a DID has a value, stored under that value. Each entry holds
 * the DID's values of all indexed keys, so that a search rarely has to read the DID.
 */

/** The longest value that entries copy; longer ones are only on the DID. */
const maxCopiedBytes = 256;

/** The part of a DID that an entry of the index holds. */
export interface IndexEntry extends DidMetadata {
  readonly scope: string;
  readonly name: string;
  readonly type: DidType;
  /** Of a file. */
  readonly bytes?: Integer;
  /** A value of an indexed key is too long to be copied. */
  readonly partial?: true;
}

const readEntry = /* @__PURE__ */ attributesReader<Pick<IndexEntry, 'type' | 'bytes' | 'partial'>>({
  type: /* @__PURE__ */ oneOf<DidType>({ FILE: true, DATASET: true, CONTAINER: true }),
  bytes: /* @__PURE__ */ optional(isInteger),
  partial: /* @__PURE__ */ optional((value): value is true => value === true),
});

/** Reads an entry. */
export function toIndexEntry(item: Item): IndexEntry {
  return { ...indexedDidOf(item), ...readMetadata(item), ...readEntry(item) };
}

/** The terms of a DID's index entries, by key. */
export type Terms = ReadonlyMap<string, string>;

const isTerms = /* @__PURE__ */ optional(/* @__PURE__ */ recordOf(isText));

/** The terms of the existing entries, as the item of the DID records them. */
export function indexedTermsOf(item: Readonly<Record<string, unknown>>): Terms {
  return new Map(Object.entries(readAttribute(item, 'indexed', isTerms) ?? {}));
}

/** The terms that the entries of a DID should have. */
export function termsOf(item: Readonly<Record<string, unknown>>, indexed: Iterable<string>): Terms {
  const terms = new Map<string, string>();
  for (const key of indexed) {
    const term = termOf(metadataValueOf(item, key)?.value);
    if (term !== undefined) terms.set(key, term);
  }
  return terms;
}

/** The content of every entry of a DID. */
export function entryContentOf(item: Readonly<Record<string, unknown>>, terms: Terms): Record<string, unknown> {
  const entry: Record<string, unknown> = { type: item['type'] };
  if (item['type'] === 'FILE' && item['bytes'] !== undefined) entry['bytes'] = item['bytes'];
  for (const key of terms.keys()) {
    const found = metadataValueOf(item, key);
    if (found === undefined) continue;
    if (Buffer.byteLength(String(found.value)) <= maxCopiedBytes) entry[found.attribute] = found.stored;
    else entry['partial'] = true;
  }
  return entry;
}

/** The key of an entry. */
export function entryKey(item: Item, key: string, term: string): Key {
  return metadataIndexKeys.entry(didOf(item), item['type'] === 'FILE', key, term);
}

/** A DID, and whether its entries have to be rebuilt. */
export interface Indexable extends DidKey {
  readonly outdated: boolean;
}

/**
 * The DIDs of one shard of a scope, by name, for building the index. DIDs with a value of a `filling` key are always
 * outdated: a process with an older cached state may have changed the value without the entry.
 */
export async function* listIndexable(
  table: Table,
  { scope, shard, name }: { readonly scope: string; readonly shard: number; readonly name?: string },
  state: IndexState,
): AsyncGenerator<Indexable> {
  const indexed = indexedKeys(state);
  const filling = indexed.filter((key) => state.keys.get(key) === 'filling');
  for await (const item of table.query({ pk: didKeys.shard(scope, shard), after: name })) {
    const [present, wanted] = [indexedTermsOf(item), termsOf(item, indexed)];
    const differs = present.size !== wanted.size || [...wanted].some(([key, term]) => present.get(key) !== term);
    yield { ...didOf(item), outdated: !isHidden(item) && (differs || filling.some((key) => wanted.has(key))) };
  }
}

/** The write that rebuilds the entries of a DID. */
export function reindexDid(did: DidKey, onMissing: () => Error): Change {
  return { ...changeDid(did, {}, { onMismatch: onMissing }), reindex: true };
}
