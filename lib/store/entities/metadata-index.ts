import type { DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Item } from '../items/item.ts';
import { termOf } from '../items/metadata-term.ts';
import { attributesReader, isInteger, isText, optional, readAttribute, recordOf } from '../items/read-attributes.ts';
import { didOf } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { indexedDidOf, metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { type DidMetadata, metadataValueOf, readMetadata } from './did-metadata.ts';
import { isDidType } from './did-type.ts';

/*
 * The metadata index: one entry for each indexed key of which a DID has a value, stored under that value. Each entry holds
 * the DID's values of all indexed keys, so that a search rarely has to read the DID.
 */

/** The longest value that entries copy; longer ones are only on the DID. */
const maxCopiedBytes = 256;

/** An entry of the index: its key, and what it copies of the DID. */
export interface KeyedEntry {
  readonly key: Key;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The part of a DID that an entry of the index holds. */
export interface IndexEntry extends DidMetadata {
  readonly scope: string;
  readonly name: string;
  readonly type: DidType;
  /** The size; files only. */
  readonly bytes?: Integer;
  /** A value of an indexed key is too long to be copied. */
  readonly partial?: true;
}

const readEntry = attributesReader<Pick<IndexEntry, 'type' | 'bytes' | 'partial'>>({
  type: isDidType,
  bytes: optional(isInteger),
  partial: optional((value): value is true => value === true),
});

/** Reads an entry. */
export function toIndexEntry(item: Item): IndexEntry {
  return { ...indexedDidOf(item), ...readMetadata(item), ...readEntry(item) };
}

/** The terms of a DID's index entries, by key. */
export type Terms = ReadonlyMap<string, string>;

const isTerms = optional(recordOf(isText));

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

/** The entries of a DID that has these terms. */
export function entriesOf(item: Item, terms: Terms): KeyedEntry[] {
  const content = entryContentOf(item, terms);
  const isFile = item['type'] === 'FILE';
  return Array.from(terms, ([key, term]) => ({
    key: metadataIndexKeys.entry(didOf(item), isFile, key, term),
    content,
  }));
}

/** The content of every entry of a DID. */
function entryContentOf(item: Item, terms: Terms): Record<string, unknown> {
  const entry = fixedContentOf(item);
  for (const key of terms.keys()) copyValue(entry, item, key);
  return entry;
}

/** Values of the DID in an entry, beside metadata. */
export function fixedContentOf(item: Item): Record<string, unknown> {
  const isSized = item['type'] === 'FILE' && item['bytes'] !== undefined;
  return { type: item['type'], ...(isSized ? { bytes: item['bytes'] } : {}) };
}

/** Copies a value of a DID into an entry, or notes that it is too long. */
export function copyValue(entry: Record<string, unknown>, item: Item, key: string): void {
  const found = metadataValueOf(item, key);
  if (found === undefined) return;
  if (Buffer.byteLength(String(found.value)) <= maxCopiedBytes) entry[found.attribute] = found.stored;
  else entry['partial'] = true;
}
