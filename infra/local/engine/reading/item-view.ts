import type { Path } from '../expressions/path.ts';
import type { StoredItem } from '../storage/item-store.ts';
import type { Item } from '../values/attribute-value.ts';

/** Projects an item onto the requested attributes. */
export interface ItemView {
  project(item: Item): Item;
  /** Top-level attributes. */
  readonly attributes: readonly string[];
  readonly paths: readonly Path[];
}

/** The JSON text of an item or of its projection. */
export function showStored({ text }: StoredItem, shown: ItemView | undefined): string {
  return shown === undefined ? text : JSON.stringify(shown.project(JSON.parse(text) as Item));
}
