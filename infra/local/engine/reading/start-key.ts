import { invalid } from '../errors.ts';
import type { EntryPlace, StoredItem } from '../storage/item-store.ts';
import { type AttributeValue, contentOf, type Item } from '../values/attribute-value.ts';
import {
  type KeyAttribute,
  type KeyBytes,
  keyBytesOf,
  listHashAttributes,
  listKeyAttributes,
  listRangeAttributes,
  noEmptyValue,
  pickKey,
  wrongKey,
} from '../values/key.ts';
import type { Target } from './target.ts';

/** The place after which a page begins: in a table its key, in an index both keys. */
export interface StartPlace extends EntryPlace {
  /** The key in the index, or else in the table. */
  readonly key: KeyBytes;
}

/**
 * Checks the hash key of the target in the key after which a page begins, which DynamoDB does first.
 *
 * @throws ValidationException when it is not there, or has another type, or the key has too few or too many attributes.
 */
export function checkStartHash(key: Item, target: Target): void {
  const names = new Set(
    keysOf(target)
      .flatMap(listKeyAttributes)
      .map(({ name }) => name),
  );
  if (Object.keys(key).length !== names.size) throw wrongStart();
  for (const attribute of listHashAttributes(target.keys)) requireAttribute(key, attribute);
}

/**
 * Checks the range key of the target in the key after which a page begins.
 *
 * @throws ValidationException when it is not there, or has another type.
 */
export function checkStartRange(key: Item, { keys }: Target): void {
  for (const attribute of listRangeAttributes(keys)) requireAttribute(key, attribute);
}

/**
 * Reads the key after which a page begins; its attributes of the target were checked.
 *
 * @throws ValidationException when it has not the key of an item of the table, or a value that no key has.
 */
export function readStartKey(key: Item, target: Target): StartPlace {
  const { table, index } = target;
  if (!listKeyAttributes(table.keys).every((attribute) => hasTyped(key, attribute))) throw wrongItem();
  refuseEmpty(key, target);
  const itemKey = keyBytesOf(key, table.keys);
  return { itemKey, key: index === undefined ? itemKey : keyBytesOf(key, index.keys) };
}

/**
 * Reads the key after which a page of a scan of a table begins.
 *
 * @throws ValidationException when it is not a key of the table.
 */
export function readTableStart(key: Item, target: Target): StartPlace {
  if (Object.keys(key).length !== listKeyAttributes(target.keys).length) throw wrongItem();
  return readStartKey(key, target);
}

const keysOf = ({ table, index }: Target) => (index === undefined ? [table.keys] : [index.keys, table.keys]);

const hasTyped = (key: Item, { name, type }: KeyAttribute) =>
  Object.hasOwn(key, name) && Object.hasOwn(key[name] as object, type);

function refuseEmpty(key: Item, { table, index }: Target): void {
  const isEmpty = ({ name }: KeyAttribute) => contentOf(key[name] as AttributeValue) === '';
  const ofTable = listKeyAttributes(table.keys).find(isEmpty);
  if (ofTable !== undefined) throw emptyIn(`${noEmptyValue(ofTable.type)} Key: ${ofTable.name}`);
  if (index === undefined) return;
  const ofIndex = listKeyAttributes(index.keys).find(isEmpty);
  if (ofIndex === undefined) return;
  const place = `IndexName: ${index.name}, IndexKey: ${ofIndex.name}`;
  throw emptyIn(`A value specified for a secondary index key is not supported. ${noEmptyValue(ofIndex.type)} ${place}`);
}

function requireAttribute(key: Item, attribute: KeyAttribute): void {
  if (!Object.hasOwn(key, attribute.name)) throw wrongStart();
  if (!hasTyped(key, attribute)) throw wrongKey();
}

const wrongStart = () => invalid('The provided starting key is invalid');
const emptyIn = (what: string) =>
  invalid(`${wrongStart().message}: One or more parameter values are not valid. ${what}`);
const wrongItem = () => invalid(`${wrongStart().message}: ${wrongKey().message}`);

/** The key that a page ended with, as the next one is asked for. */
export function showLastKey({ text }: StoredItem, { table, index }: Target): Item {
  const item = JSON.parse(text) as Item;
  return { ...(index === undefined ? {} : pickKey(item, index.keys)), ...pickKey(item, table.keys) };
}
