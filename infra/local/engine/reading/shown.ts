import type { Path } from '../expressions/path.ts';
import type { StoredItem } from '../storage/item-store.ts';
import type { Item } from '../values/attribute-value.ts';

/** Takes from an item what a request wants of it. */
export interface Shown {
  project(item: Item): Item;
  /** Top-level attributes. */
  readonly attributes: readonly string[];
  readonly paths: readonly Path[];
}

/** The JSON text of an item, or of what a request wants of it. */
export function showStored({ text }: StoredItem, shown: Shown | undefined): string {
  return shown === undefined ? text : JSON.stringify(shown.project(JSON.parse(text) as Item));
}
