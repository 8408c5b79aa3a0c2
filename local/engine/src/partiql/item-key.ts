import { validationError } from '../errors.ts';
import { emptyItem, type Item } from '../values/attribute-value.ts';
import { equalValues } from '../values/compare.ts';
import { type KeyAttributes, listKeyAttributes } from '../values/key.ts';
import type { Binding } from './bind.ts';
import { keyTestOf, listJoined, requireKeyValue } from './key-tests.ts';
import type { Node } from './syntax.ts';

/** The key of the single item that a condition selects. */
export interface ItemKey {
  readonly key: Item;
  /** The condition contains more than the key. */
  readonly hasMore: boolean;
}

/**
 * Finds the key of the single item that a condition selects.
 *
 * @returns undefined if it lacks a key attribute.
 * @throws ValidationException if it has one twice.
 */
export function findItemKey(where: Node | undefined, keys: KeyAttributes, binding: Binding): ItemKey | undefined {
  if (where === undefined) return undefined;
  const attributes = listKeyAttributes(keys);
  const key = emptyItem();
  let hasMore = false;
  for (const node of listJoined(where, 'and')) {
    const found = attributes
      .map(({ name }) => ({ name, test: keyTestOf(node, name, binding) }))
      .find(({ test }) => test?.operator === '=');
    const value = found?.test?.values[0];
    if (found === undefined || value === undefined) {
      hasMore = true;
      continue;
    }
    const other = Object.hasOwn(key, found.name) ? key[found.name] : undefined;
    if (other !== undefined && !equalValues(other, value)) {
      throw validationError(
        `Multiple conditions on same key ${found.name}. Only single item Update/Insert/Delete are supported`,
      );
    }
    key[found.name] = value;
  }
  return attributes.every(({ name }) => Object.hasOwn(key, name)) ? { key, hasMore } : undefined;
}

/**
 * Checks the values of the key attributes.
 *
 * @throws ValidationException for one that is missing, empty or of another type.
 */
export function requireKeyValues(item: Item, keys: KeyAttributes): void {
  for (const attribute of listKeyAttributes(keys)) {
    const value = Object.hasOwn(item, attribute.name) ? item[attribute.name] : undefined;
    if (value === undefined)
      throw validationError(`Key attribute should be present in the item: Key ${attribute.name}`);
    requireKeyValue(attribute, value);
  }
}
