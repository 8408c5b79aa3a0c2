import type { StoredItem } from '../storage/item-store.ts';
import type { Item } from '../values/attribute-value.ts';
import { parseItem } from '../values/item-text.ts';

/** A stored item; its text is parsed on first use. */
export class ExistingItem {
  readonly stored: StoredItem;
  #item: Item | undefined;

  constructor(stored: StoredItem) {
    this.stored = stored;
  }

  get item(): Item {
    return (this.#item ??= parseItem(this.stored.text));
  }
}
