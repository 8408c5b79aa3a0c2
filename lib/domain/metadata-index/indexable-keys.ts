import { searchColumns } from '../search/search-columns.ts';
import { columnDefaults, columns, reservedKeys } from '../values/metadata-columns.ts';

/** Each costs a write for every DID that has it. */
const mostKeys = 16;

/** Bytes of a key that fits into the keys of the table. */
const longestKey = 255;

/** Words of a search that are no keys of metadata. */
const words: ReadonlySet<string> = new Set(['type', 'lifetime', 'created_before', 'created_after']);

/** Columns that are attributes of the DID for other purposes. */
const attributes: ReadonlySet<string> = new Set(['closed_at', 'is_archive', 'constituent']);

/**
 * Of the keys that the configuration names, those that can be indexed: free metadata, and columns that say nothing where
 * nobody has set them. What else a DID can be searched by (its name, its size) is no metadata.
 */
export function selectIndexableKeys(wanted: readonly string[]): string[] {
  return wanted.filter(isIndexable).slice(0, mostKeys);
}

function isIndexable(key: string): boolean {
  if (Buffer.byteLength(key) > longestKey || key.includes('.')) return false;
  if (words.has(key) || reservedKeys.has(key) || attributes.has(key)) return false;
  return searchColumns.has(key) ? Object.hasOwn(columns, key) && !Object.hasOwn(columnDefaults, key) : true;
}
