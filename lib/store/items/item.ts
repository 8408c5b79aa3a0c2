import type { Key } from '../keys/key-parts.ts';

/** An item of the table as it lies there. */
export interface Item extends Key {
  /** The bulk request that inserted the item; see batches.ts for what it means to a reader. */
  readonly batch?: string;
  /** The bulk request that deletes the item. */
  readonly gone?: string;
  /** The bulk requests that have values waiting for attributes, not only amounts to be added. */
  readonly setting?: ReadonlySet<string>;
  /** The last write that was a request of its own; by it the repeat of a request finds that it was carried out. */
  readonly writeId?: string;
  readonly [attribute: string]: unknown;
}

/** A change to an item that exists. */
export interface Patch {
  readonly set?: Readonly<Record<string, unknown>>;
  /** Numbers to add to attributes; a missing attribute counts as 0. */
  readonly add?: Readonly<Record<string, number | bigint>>;
  readonly remove?: readonly string[];
  /** The item goes. */
  readonly delete?: boolean;
  /** Of a staged change: a part of it is folded, so that every reader has to see the rest. */
  readonly folding?: boolean;
}

/** Before the id of a batch: the attribute in which a batch keeps its patch of an item until it is committed. */
export const stagedPrefix = '~';

/** The attribute that names the batch which deletes the item; one name for all, so that only one batch can. */
export const goneAttribute = 'gone';

/** The attribute that names the batches with values waiting on the item. */
export const settingAttribute = 'setting';

/** The attributes that count changes of an item, begun ones included: all, and those of its place in the metadata index. */
export const revisions = ['rev', 'indexRev'] as const;

/** The attribute of a collection that counts what takes content from it. */
export const shrinksAttribute = 'shrinks';

/** The counters that rise when a change is staged, and again when it is folded. */
export const countedAtBeginning = [...revisions, shrinksAttribute] as const;

/** Attributes that say how an item came about and are nobody's business outside of the store. */
export const internalAttributes: readonly string[] = ['writeId', 'setting'];

/** The batches that have a change waiting on an item. */
export function stagedBatches(item: Item): string[] {
  const ids: string[] = [];
  for (const attribute in item) {
    if (attribute.startsWith(stagedPrefix)) ids.push(attribute.slice(stagedPrefix.length));
  }
  if (item.gone !== undefined) ids.push(item.gone);
  return ids;
}
