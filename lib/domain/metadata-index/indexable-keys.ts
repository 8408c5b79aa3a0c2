import { searchColumns } from '../search/search-columns.ts';
import { columnDefaults, metadataColumns, reservedKeys } from '../values/metadata-columns.ts';

/** Each key costs a write for every DID that has it. */
const maxKeys = 16;

/** The longest metadata key that fits into a key of the table. */
const maxKeyBytes = 255;

/** Parameters of a search that are not metadata keys. */
const searchParameters: ReadonlySet<string> = new Set(['type', 'lifetime', 'created_before', 'created_after']);

/** Columns that a DID stores in attributes of their own. */
const didAttributes: ReadonlySet<string> = new Set(['closed_at', 'is_archive', 'constituent']);

/**
 * Selects the configured keys that can be indexed: free metadata, and columns without a default. Other properties of a
 * DID, such as name and size, are not metadata.
 */
export function selectIndexableKeys(wanted: readonly string[]): string[] {
  return wanted.filter(isIndexable).slice(0, maxKeys);
}

function isIndexable(key: string): boolean {
  if (Buffer.byteLength(key) > maxKeyBytes || key.includes('.')) return false;
  if (searchParameters.has(key) || reservedKeys.has(key) || didAttributes.has(key)) return false;
  return searchColumns.has(key) ? Object.hasOwn(metadataColumns, key) && !Object.hasOwn(columnDefaults, key) : true;
}
