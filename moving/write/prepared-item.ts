import { toAttributes } from '../../lib/store/items/attribute-values.ts';
import { itemSize } from '../../lib/store/items/item-size.ts';
import type { Item } from '../../lib/store/items/item.ts';

/** The primary key of an item of the table. */
export interface ItemKey {
  readonly PK: string;
  readonly SK: string;
}

/** An item as a target takes it. */
export interface PreparedItem extends ItemKey {
  /** The item as DynamoDB's JSON. */
  readonly text: string;
}

/** DynamoDB's limit for an item, and those for its keys. */
const maxItemBytes = 400 * 1024;
const maxKeyBytes = { PK: 2_048, SK: 1_024 } as const;

/** Writes an item down once, for all targets. */
export function prepareItem(item: Item): PreparedItem {
  return { PK: item.PK, SK: item.SK, text: JSON.stringify(toAttributes(item)) };
}

/** Why the table cannot take an item; undefined: it can. */
export function findMisfit(item: Item): string | undefined {
  for (const [name, max] of Object.entries(maxKeyBytes)) {
    if (Buffer.byteLength(String(item[name])) > max) return `its key is longer than ${max} bytes`;
  }
  return itemSize(item) > maxItemBytes ? 'its item is larger than the 400 KB that the table can carry' : undefined;
}
