import { currentStream, type IndexDefinition, projectItem, type TableDefinition } from '../schema/definition.ts';
import type { Entry } from '../storage/item-store.ts';
import type { Storage } from '../storage/storage.ts';
import { attributeOf, type Item } from '../values/attribute-value.ts';
import { equalItems } from '../values/compare.ts';
import { printItem } from '../values/item-text.ts';
import { hasKey, type KeyBytes, keyBytesOf, pickKey } from '../values/key.ts';
import { itemSize } from '../values/size.ts';
import type { ExistingItem } from './existing-item.ts';

/** The change of one item: its old and its new state; absent: the item does not exist. */
export interface Mutation {
  readonly table: TableDefinition;
  readonly key: KeyBytes;
  readonly before: ExistingItem | undefined;
  readonly after: Item | undefined;
  /** Bytes of `after` by DynamoDB's rules; 0 without it. */
  readonly size: number;
  /** The item expired; no request deleted it. */
  readonly expired?: boolean;
}

/** The cost of a change, in bytes. */
export interface Effect {
  /** The larger of the item's sizes before and after. */
  readonly size: number;
  readonly indexes: readonly IndexEffect[];
}

/** The bytes of each write to an index. */
interface IndexEffect {
  readonly index: IndexDefinition;
  readonly sizes: readonly number[];
}

/** Carries out a change: the item, its index entries, its expiry, and the stream record. */
export function mutate(storage: Storage, mutation: Mutation, now: number): Effect {
  const { before, after, size } = mutation;
  const text = after === undefined ? undefined : printItem(after);
  const id = isSame(mutation, text) ? undefined : writeItem(storage, mutation, text);
  if (id === undefined) return { size: Math.max(size, before?.stored.size ?? 0), indexes: [] };
  return writeDependents(storage, mutation, { id, text }, now);
}

/** The creation of an item. */
export type Creation = Mutation & { readonly before: undefined; readonly after: Item };

/** Creates an item that nobody has read; undefined if it exists: then nothing is changed. */
export function createItem(storage: Storage, creation: Creation, now: number): Effect | undefined {
  const { table, key, after, size } = creation;
  const text = printItem(after);
  const id = storage.items.insert(table.id, key, text, size);
  return id === undefined ? undefined : writeDependents(storage, creation, { id, text }, now);
}

/** A written item: its row id, and its text, undefined if it was deleted. */
interface Written {
  readonly id: number;
  readonly text: string | undefined;
}

/** Writes what depends on an item: totals, index entries, expiry, and the stream record. */
function writeDependents(storage: Storage, mutation: Mutation, { id, text }: Written, now: number): Effect {
  const { table, before, after, size } = mutation;
  const count = Number(after !== undefined) - Number(before !== undefined);
  const formerSize = before?.stored.size ?? 0;
  storage.totals.add(table.id, { count, size: size - formerSize });
  const indexes: IndexEffect[] = [];
  for (const index of table.indexes) {
    const effect = writeEntry(storage, mutation, index, id);
    if (effect !== undefined) indexes.push(effect);
  }
  if (table.ttlAttribute !== undefined) writeExpiry(storage, mutation, id, table.ttlAttribute);
  writeRecord(storage, mutation, text, now);
  return { size: Math.max(size, formerSize), indexes };
}

function isSame({ before, after, size }: Mutation, text: string | undefined): boolean {
  if (before === undefined || after === undefined) return before === undefined && after === undefined;
  return before.stored.text === text || (before.stored.size === size && equalItems(before.item, after));
}

function writeItem(
  { items }: Storage,
  { table, key, before, size }: Mutation,
  text: string | undefined,
): number | undefined {
  if (text === undefined) {
    if (before !== undefined) items.delete(before.stored.id);
    return before?.stored.id;
  }
  if (before === undefined) {
    const id = items.insert(table.id, key, text, size);
    if (id === undefined) throw new Error('an item exists that was not found');
    return id;
  }
  items.replace(before.stored.id, text, size);
  return before.stored.id;
}

/** The entry of an item in an index; undefined if it lacks one of the index's keys. */
export function entryOf(
  table: TableDefinition,
  index: IndexDefinition,
  item: Item,
  { itemKey, id }: { readonly itemKey: KeyBytes; readonly id: number },
): Entry | undefined {
  if (!hasKey(item, index.keys)) return undefined;
  const key = keyBytesOf(item, index.keys);
  if (index.projection.type === 'ALL') return { index: index.id, key, itemKey, id, size: 0, projected: null };
  const shown = projectItem(item, table, index);
  return { index: index.id, key, itemKey, id, size: itemSize(shown), projected: printItem(shown) };
}

function writeEntry(
  { items, totals }: Storage,
  { table, key, before, after, size }: Mutation,
  index: IndexDefinition,
  id: number,
): IndexEffect | undefined {
  const place = { itemKey: key, id };
  const old = before === undefined ? undefined : entryOf(table, index, before.item, place);
  const next = after === undefined ? undefined : entryOf(table, index, after, place);
  if (old === undefined && next === undefined) return undefined;
  const oldSize = sizeOfEntry(old, before?.stored.size ?? 0);
  const nextSize = sizeOfEntry(next, size);
  const stays = old !== undefined && next !== undefined && isSameKey(old.key, next.key);
  // The entry is unchanged.
  if (stays && next.projected !== null && next.projected === old.projected) return undefined;
  totals.add(index.id, {
    count: Number(next !== undefined) - Number(old !== undefined),
    size: nextSize - oldSize,
  });
  if (stays) {
    // An entry that projects the whole item only stores its key.
    if (next.projected !== null) items.putEntry(next);
    return { index, sizes: [Math.max(oldSize, nextSize)] };
  }
  if (old !== undefined) items.deleteEntry(index.id, old);
  if (next !== undefined) items.putEntry(next);
  return { index, sizes: [...(old === undefined ? [] : [oldSize]), ...(next === undefined ? [] : [nextSize])] };
}

/** Bytes of an index entry; 0 without one. */
export function sizeOfEntry(entry: Entry | undefined, wholeItem: number): number {
  if (entry === undefined) return 0;
  return entry.projected === null ? wholeItem : entry.size;
}

function isSameKey(left: KeyBytes, right: KeyBytes): boolean {
  return left.hash.equals(right.hash) && left.range.equals(right.range);
}

/** Items that expired longer ago than this (five years) are not deleted, as in DynamoDB. */
export const maxExpiryAgeSeconds = 5 * 365 * 86_400;

/** When an item expires, in seconds since 1970; undefined if its attribute is not a number. */
export function expiryOf(item: Item | undefined, attribute: string): number | undefined {
  const value = item === undefined ? undefined : attributeOf(item, attribute);
  if (value === undefined || !('N' in value)) return undefined;
  const seconds = Math.floor(Number(value.N));
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}

function writeExpiry({ expiries }: Storage, { table, before, after }: Mutation, id: number, attribute: string): void {
  const at = expiryOf(after, attribute);
  if (at !== expiryOf(before?.item, attribute)) expiries.set(table.id, id, at);
}

function writeRecord(
  { records }: Storage,
  { table, before, after, size, expired = false }: Mutation,
  text: string | undefined,
  now: number,
): void {
  const stream = currentStream(table);
  const item = after ?? before?.item;
  if (stream === undefined || item === undefined) return;
  const keys = pickKey(item, table.keys);
  const showsOld = stream.view === 'OLD_IMAGE' || stream.view === 'NEW_AND_OLD_IMAGES';
  const showsNew = stream.view === 'NEW_IMAGE' || stream.view === 'NEW_AND_OLD_IMAGES';
  const oldImage = showsOld ? (before?.stored.text ?? null) : null;
  const newImage = showsNew ? (text ?? null) : null;
  records.append(stream.id, {
    at: now,
    event: eventOf(before, after),
    size: itemSize(keys) + (showsOld ? (before?.stored.size ?? 0) : 0) + (showsNew ? size : 0),
    keys: oldImage === null && newImage === null ? JSON.stringify(keys) : null,
    old: oldImage,
    new: newImage,
    expired,
  });
}

function eventOf(before: ExistingItem | undefined, after: Item | undefined): 'INSERT' | 'MODIFY' | 'REMOVE' {
  if (after === undefined) return 'REMOVE';
  return before === undefined ? 'INSERT' : 'MODIFY';
}
