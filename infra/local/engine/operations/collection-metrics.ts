import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import { encodeKeyValue } from '../values/key.ts';

const gigabyte = 2 ** 30;

/** What a table with local indexes answers of the items with one hash key: the key, and bounds of their size in GB. */
export interface CollectionMetrics {
  readonly ItemCollectionKey: Item;
  readonly SizeEstimateRangeGB: readonly [lower: number, upper: number];
}

/** Describes the items that share the hash key of an item; undefined where the table has no local index. */
export function describeCollection(
  { items }: Storage,
  { id, keys, indexes }: TableDefinition,
  item: Item,
): CollectionMetrics | undefined {
  const local = indexes.filter(({ kind }) => kind === 'local').map((index) => index.id);
  const value = item[keys.hash.name];
  if (local.length === 0 || value === undefined) return undefined;
  const size = items.measureCollection(id, encodeKeyValue(value), local) / gigabyte;
  const lower = Math.floor(size);
  return { ItemCollectionKey: { [keys.hash.name]: value }, SizeEstimateRangeGB: [lower, lower + 1] };
}
