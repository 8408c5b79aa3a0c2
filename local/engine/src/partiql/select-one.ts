import { validationError } from '../errors.ts';
import { projectPaths } from '../expressions/projection.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import { parseItem } from '../values/item-text.ts';
import { type KeyBytes, readKey } from '../values/key.ts';
import { findItemKey, requireKeyValues } from './item-key.ts';
import type { PreparedSelect } from './prepare.ts';

/**
 * Finds the key of the single item that a SELECT of a batch or a transaction reads.
 *
 * @throws ValidationException if it does not name exactly the key.
 */
export function findReadKey({ statement, binding }: PreparedSelect, { keys }: TableDefinition, within: string): Item {
  const found = findItemKey(statement.where, keys, binding);
  if (found !== undefined && !found.hasMore && statement.source.index === undefined) return found.key;
  throw validationError(`Select statements within ${within} must specify the primary key in the where clause.`);
}

/**
 * Finds the storage key of the single item that a SELECT of a batch or a transaction reads.
 *
 * @throws ValidationException if it does not name exactly the key, or names one of another type.
 */
export function addressRead(select: PreparedSelect, table: TableDefinition, within: string): KeyBytes {
  const key = findReadKey(select, table, within);
  requireKeyValues(key, table.keys);
  return readKey(key, table.keys);
}

/** The answer of a SELECT for one item; its values stay at their paths. */
export function readOne(
  storage: Storage,
  { statement: { paths } }: PreparedSelect,
  { id }: TableDefinition,
  key: KeyBytes,
): { readonly item: Item | undefined; readonly size: number } {
  const stored = storage.items.get(id, key);
  if (stored === undefined) return { item: undefined, size: 0 };
  const item = parseItem(stored.text);
  return { item: paths === undefined ? item : projectPaths(item, paths), size: stored.size };
}
