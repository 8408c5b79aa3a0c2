import type { Key } from '../keys/key-parts.ts';

/** An item as it is stored in the table. */
export interface Item extends Key {
  /** The batch that inserted the item: readers see the item once it is committed (batches.ts). */
  readonly batch?: string;
  /** The batch that deletes the item. */
  readonly gone?: string;
  /** The batches whose staged changes set values, rather than only add amounts. */
  readonly setting?: ReadonlySet<string>;
  /** The last write that was a request of its own. A repeated request recognises by it that it has taken effect. */
  readonly writeId?: string;
  readonly [attribute: string]: unknown;
}

/** A change to an item that exists. */
export interface Patch {
  readonly set?: Readonly<Record<string, unknown>>;
  /** Numbers to add to attributes; a missing attribute counts as 0. */
  readonly add?: Readonly<Record<string, number | bigint>>;
  readonly remove?: readonly string[];
  /** Deletes the item. */
  readonly delete?: boolean;
  /** Of a staged change: a part of it has been folded, so every reader must apply the rest. */
  readonly folding?: boolean;
}

/** The prefix of attributes that hold staged changes; the id of the batch follows. */
export const stagedPrefix = '~';

/** The attribute that names the batch which deletes the item; one name for all batches, so that only one can. */
export const goneAttribute = 'gone';

/** The attribute that names the batches whose staged changes set values. */
export const settingAttribute = 'setting';

/** The attributes that count changes of an item, staged ones included: all changes, and those of its index entries. */
export const revisions = ['rev', 'indexRev'] as const;

/** The attribute of a collection that counts detachments from it. */
export const shrinksAttribute = 'shrinks';

/** The counters that a change raises when it is staged, and again when it is folded. */
export const countedWhenStaged = [...revisions, shrinksAttribute] as const;

/** Attributes that only the store reads. */
export const internalAttributes: readonly string[] = ['writeId', 'setting'];

/** The batches with a staged change of an item, or that delete it. */
export function stagedBatches(item: Item): string[] {
  const ids: string[] = [];
  for (const attribute in item) {
    if (attribute.startsWith(stagedPrefix)) ids.push(attribute.slice(stagedPrefix.length));
  }
  if (item.gone !== undefined) ids.push(item.gone);
  return ids;
}
