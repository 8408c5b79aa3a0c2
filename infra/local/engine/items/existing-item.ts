import type { StoredItem } from '../storage/item-store.ts';
import type { Item } from '../values/attribute-value.ts';

/** An item of a table that a request looks at; its text is parsed when that is needed. */
export class ExistingItem {
  readonly stored: StoredItem;
  #item: Item | undefined;

  constructor(stored: StoredItem) {
    this.stored = stored;
  }

  get item(): Item {
    return (this.#item ??= JSON.parse(this.stored.text) as Item);
  }
}
