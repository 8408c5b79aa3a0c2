import { validationError } from '../errors.ts';
import type { EntryPlace, StoredItem } from '../storage/item-store.ts';
import { type AttributeValue, contentOf, type Item } from '../values/attribute-value.ts';
import { parseItem } from '../values/item-text.ts';
import {
  type KeyAttribute,
  type KeyBytes,
  keyBytesOf,
  listHashAttributes,
  listKeyAttributes,
  listRangeAttributes,
  noEmptyValue,
  pickKey,
  wrongKeyError,
} from '../values/key.ts';
import type { Target } from './target.ts';

/** The position after which a page begins: the key in the table, and for an index also the key there. */
export interface StartPlace extends EntryPlace {
  /** The key in the index, or that of the table. */
  readonly key: KeyBytes;
}

/**
 * Checks the hash key of the target in a starting key, which DynamoDB does first.
 *
 * @throws ValidationException if it is missing or has another type, or if the starting key has too few or too many
 *   attributes.
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
 * Checks the range key of the target in a starting key.
 *
 * @throws ValidationException if it is missing or has another type.
 */
export function checkStartRange(key: Item, { keys }: Target): void {
  for (const attribute of listRangeAttributes(keys)) requireAttribute(key, attribute);
}

/**
 * Reads a starting key whose attributes of the target were checked.
 *
 * @throws ValidationException if it is not the key of an item of the table, or has a value that no key can have.
 */
export function readStartKey(key: Item, target: Target): StartPlace {
  const { table, index } = target;
  if (!listKeyAttributes(table.keys).every((attribute) => hasTyped(key, attribute))) throw wrongItem();
  requireNoEmptyValues(key, target);
  const itemKey = keyBytesOf(key, table.keys);
  return { itemKey, key: index === undefined ? itemKey : keyBytesOf(key, index.keys) };
}

/**
 * Reads the starting key of a scan of a table.
 *
 * @throws ValidationException if it is not a key of the table.
 */
export function readTableStart(key: Item, target: Target): StartPlace {
  if (Object.keys(key).length !== listKeyAttributes(target.keys).length) throw wrongItem();
  return readStartKey(key, target);
}

const keysOf = ({ table, index }: Target) => (index === undefined ? [table.keys] : [index.keys, table.keys]);

const hasTyped = (key: Item, { name, type }: KeyAttribute) =>
  Object.hasOwn(key, name) && Object.hasOwn(key[name] as object, type);

function requireNoEmptyValues(key: Item, { table, index }: Target): void {
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
  if (!hasTyped(key, attribute)) throw wrongKeyError();
}

const wrongStart = () => validationError('The provided starting key is invalid');
const emptyIn = (what: string) =>
  validationError(`${wrongStart().message}: One or more parameter values are not valid. ${what}`);
const wrongItem = () => validationError(`${wrongStart().message}: ${wrongKeyError().message}`);

/** The last key of a page, as the starting key of the next one. */
export function showLastKey({ text }: StoredItem, { table, index }: Target): Item {
  const item = parseItem(text);
  return { ...(index === undefined ? {} : pickKey(item, index.keys)), ...pickKey(item, table.keys) };
}
