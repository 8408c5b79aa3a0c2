import { itemSize } from '../items/item-size.ts';
import { type Item, type Patch, settingAttribute } from '../items/item.ts';
import { isOrdered, orderedTermOf, termVersion } from '../items/ordered-term.ts';
import type { Change } from '../items/plan.ts';
import { didOf } from '../keys/did-keys.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { freeAttribute, freeIndexAttribute, freeKeyOf, metadataValueOf, unindexedAttribute } from './did-metadata.ts';
import { copyValue, fixedContentOf, type KeyedEntry } from './metadata-index.ts';

/*
 * The index of the free metadata: one entry for each key of a DID with a value that can be compared, in order of the values.
 * An entry holds that value only, so a change of one key concerns no entry of another. Which entries a DID has follows from
 * its metadata and two notes on its item: `freeIndex`, that its free metadata is indexed, and `unindexed:<key>` for each key
 * that is not.
 */

/** The free keys of a DID. */
export function freeKeysOf(item: Item): string[] {
  return Object.keys(item).flatMap((attribute) => freeKeyOf(attribute) ?? []);
}

/** Whether the free metadata of a DID is indexed. */
export const isFreeIndexed = (item: Item) => item[freeIndexAttribute] !== undefined;

/** The value of a free key of a DID; undefined if it has none. */
const freeValueOf = (item: Item, key: string) =>
  item[freeAttribute(key)] === undefined ? undefined : metadataValueOf(item, key)?.value;

/** Whether a free key of a DID has a value that can be compared. */
export const hasFreeTerm = (item: Item, key: string): boolean => isOrdered(freeValueOf(item, key));

/** The free keys of a DID that have entries, among some of its keys. */
export function keysWithEntries(item: Item, keys: readonly string[]): string[] {
  if (!isFreeIndexed(item)) return [];
  return keys.filter((key) => hasFreeTerm(item, key) && item[unindexedAttribute(key)] === undefined);
}

/** The entries of some free keys of a DID. */
export function freeEntriesOf(item: Item, keys: readonly string[]): KeyedEntry[] {
  const isFile = item['type'] === 'FILE';
  return keys.flatMap((key) => {
    const term = orderedTermOf(freeValueOf(item, key));
    if (term === undefined) return [];
    const content = fixedContentOf(item);
    copyValue(content, item, key);
    return [{ key: metadataIndexKeys.valueEntry(didOf(item), isFile, key, term), content }];
  });
}

/** The attributes that note which of some free keys of a DID are indexed; undefined: to be removed. */
export function freeIndexNotes(
  before: Item | undefined,
  after: Item,
  keys: readonly string[],
  indexed: readonly string[],
): Record<string, true | number | undefined> {
  const notes: Record<string, true | number | undefined> = {};
  if (keys.length > 0 && (before === undefined || !isFreeIndexed(before))) notes[freeIndexAttribute] = termVersion;
  for (const key of keys) {
    const isLeftOut = hasFreeTerm(after, key) && !indexed.includes(key);
    const attribute = unindexedAttribute(key);
    if (isLeftOut) notes[attribute] = true;
    else if (before?.[attribute] !== undefined) notes[attribute] = undefined;
  }
  return notes;
}

/** With more keys a change waits for every other change of the DID, since a condition is limited to 4 KB. */
const maxLockedKeys = 16;

/** The longest values that a condition holds. */
const maxLockedBytes = 1_024;

/**
 * The condition that some free keys of a DID, and the notes about them, are as they were read. Changes of other keys do not
 * break it, unless there are many keys.
 */
export function lockKeys(before: Item, keys: readonly string[]): NonNullable<Change['when']> {
  if (keys.length === 0) return {};
  const attributes = keys.flatMap((key) => [freeAttribute(key), unindexedAttribute(key)]);
  const values = Object.fromEntries(attributes.map((attribute) => [attribute, before[attribute]]));
  if (keys.length > maxLockedKeys || itemSize(values) > maxLockedBytes) return { rev: before['rev'] };
  const note = isFreeIndexed(before) || freeKeysOf(before).length === 0 ? {} : { [freeIndexAttribute]: undefined };
  // A staged change of these keys shows only in the names of the batches.
  return { ...values, ...note, [settingAttribute]: undefined };
}

/** The condition that no free key of a DID was changed, or added, since it was read. */
export function lockAllKeys(before: Item): NonNullable<Change['when']> {
  const note = { [freeIndexAttribute]: before[freeIndexAttribute] };
  return isFreeIndexed(before) || freeKeysOf(before).length > 0 ? { ...note, rev: before['rev'] } : note;
}

/** Whether a patch changes free metadata or the notes about it. */
export function changesFreeMetadata({ set = {}, remove = [] }: Patch): boolean {
  return [...Object.keys(set), ...remove].some((attribute) => freeKeyOf(attribute) !== undefined);
}
