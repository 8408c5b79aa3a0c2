import type { Path } from '../expressions/path.ts';
import type { StoredItem } from '../storage/item-store.ts';
import type { Item } from '../values/attribute-value.ts';
import { parseItem, printItem } from '../values/item-text.ts';

/** Projects an item onto the requested attributes. */
export interface ItemView {
  project(item: Item): Item;
  /** Top-level attributes. */
  readonly attributes: readonly string[];
  readonly paths: readonly Path[];
}

/** The stored text of an item, or of its projection. */
export function showStored({ text }: StoredItem, shown: ItemView | undefined): string {
  return shown === undefined ? text : printItem(shown.project(parseItem(text)));
}
