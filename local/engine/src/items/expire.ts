import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import { parseItem } from '../values/item-text.ts';
import { keyBytesOf } from '../values/key.ts';
import { ExistingItem } from './existing-item.ts';
import { mutate, maxExpiryAgeSeconds } from './mutate.ts';

/**
 * Deletes expired items.
 *
 * @param now Milliseconds since 1970.
 * @param limit Maximum number of items per table.
 * @returns the number of deleted items.
 */
export function expireItems(storage: Storage, now: number, limit: number): number {
  let count = 0;
  for (const table of storage.tables.list()) {
    if (table.ttlAttribute !== undefined) count += expireItemsOf(storage, table, now, limit);
  }
  return count;
}

function expireItemsOf(storage: Storage, table: TableDefinition, now: number, limit: number): number {
  const seconds = Math.floor(now / 1000);
  let count = 0;
  for (const id of storage.expiries.due(table.id, { from: seconds - maxExpiryAgeSeconds, to: seconds }, limit)) {
    const stored = storage.items.getById(id);
    if (stored === undefined) continue;
    const key = keyBytesOf(parseItem(stored.text), table.keys);
    mutate(storage, { table, key, before: new ExistingItem(stored), after: undefined, size: 0, expired: true }, now);
    count += 1;
  }
  return count;
}
