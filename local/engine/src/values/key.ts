import { contradictionError, validationError } from '../errors.ts';
import { type AttributeValue, attributeOf, type Item, typeOf } from './attribute-value.ts';
import { encodeNumber } from './number.ts';
import { valueSize } from './size.ts';

/** The type of a key attribute. */
export type KeyType = 'S' | 'N' | 'B';

/** An attribute of a key. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

/** The key of a table or of an index. */
export interface KeyAttributes {
  readonly hash: KeyAttribute;
  readonly range?: KeyAttribute;
  /** For a global index with several attributes of a kind: the others. */
  readonly more?: { readonly hash: readonly KeyAttribute[]; readonly range: readonly KeyAttribute[] };
}

/** A key as it is stored: bytes that sort in DynamoDB's order. Without a range key the second part is empty. */
export interface KeyBytes {
  readonly hash: Buffer;
  readonly range: Buffer;
}

/** The size limit of a hash key. */
export const maxHashBytes = 2048;
/** The size limit of a range key. */
export const maxRangeBytes = 1024;
const noBytes = Buffer.alloc(0);

/** The attributes of a hash key. */
export function listHashAttributes({ hash, more }: KeyAttributes): readonly KeyAttribute[] {
  return more === undefined ? [hash] : [hash, ...more.hash];
}

/** The attributes of a range key. */
export function listRangeAttributes({ range, more }: KeyAttributes): readonly KeyAttribute[] {
  return range === undefined ? [] : [range, ...(more?.range ?? [])];
}

/** The attributes of a key, hash key first. */
export function listKeyAttributes(keys: KeyAttributes): readonly KeyAttribute[] {
  if (keys.more !== undefined) return [...listHashAttributes(keys), ...listRangeAttributes(keys)];
  return keys.range === undefined ? [keys.hash] : [keys.hash, keys.range];
}

/** The bytes of a key value. */
export function encodeKeyValue(value: AttributeValue): Buffer {
  if ('S' in value) return Buffer.from(value.S, 'utf8');
  if ('B' in value) return Buffer.from(value.B, 'base64');
  if ('N' in value) return encodeNumber(value.N);
  throw new TypeError(`a key has no values of type ${typeOf(value)}`);
}

/** Bytes of a text or binary value of a key. Those of a number are never empty, and never too many. */
export function measureKeyValue(value: AttributeValue): number {
  return 'S' in value || 'B' in value ? valueSize(value) : 1;
}

/** The bytes of a composite key. A prefix of the values has a prefix of the bytes. */
export function encodeKeyParts(values: readonly AttributeValue[]): Buffer {
  return Buffer.concat(values.flatMap((value) => [escapeZeros(encodeKeyValue(value)), endOfPart]));
}

const endOfPart = Buffer.from([0, 1]);

/** Encodes bytes in the same order, without any zero that is followed by a one. */
export function escapeZeros(bytes: Buffer): Buffer {
  if (!bytes.includes(0)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll('\0', '\0\xff'), 'latin1');
}

/** The key of an item; its attributes must be present and have the right types. */
export function keyBytesOf(item: Item, keys: KeyAttributes): KeyBytes {
  if (keys.more !== undefined) {
    const encode = (attributes: readonly KeyAttribute[]) =>
      encodeKeyParts(attributes.map(({ name }) => item[name] as AttributeValue));
    return { hash: encode(listHashAttributes(keys)), range: encode(listRangeAttributes(keys)) };
  }
  const range = keys.range === undefined ? noBytes : encodeKeyValue(item[keys.range.name] as AttributeValue);
  return { hash: encodeKeyValue(item[keys.hash.name] as AttributeValue), range };
}

/** Whether an item has all attributes of a key. */
export function hasKey(item: Item, { hash, range, more }: KeyAttributes): boolean {
  if (!Object.hasOwn(item, hash.name) || (range !== undefined && !Object.hasOwn(item, range.name))) return false;
  return more === undefined || [...more.hash, ...more.range].every(({ name }) => Object.hasOwn(item, name));
}

/** The key attributes of an item. */
export function pickKey(item: Item, keys: KeyAttributes): Item {
  const key: Item = {};
  for (const { name } of listKeyAttributes(keys)) {
    const value = attributeOf(item, name);
    if (value !== undefined) key[name] = value;
  }
  return key;
}

/** DynamoDB's words for an empty key value. */
export type EmptyKeyWords = 'are not valid.' | 'were invalid:';

/**
 * Reads the key in a request.
 *
 * @throws ValidationException if it is not exactly a key of the table.
 */
export function readKey(key: Item, keys: KeyAttributes, words?: EmptyKeyWords): KeyBytes {
  const attributes = listKeyAttributes(keys);
  const matches =
    Object.keys(key).length === attributes.length &&
    attributes.every(({ name, type }) => Object.hasOwn(key, name) && Object.hasOwn(key[name] as object, type));
  if (!matches) throw wrongKeyError();
  return checkedBytes(key, keys, words);
}

/** The error of a key that does not match the table. */
export const wrongKeyError = () => validationError('The provided key element does not match the schema');

/**
 * Reads the key of an item to put.
 *
 * @throws ValidationException if a key attribute is missing, empty, too long or of another type.
 */
export function readKeyOfItem(item: Item, keys: KeyAttributes): KeyBytes {
  for (const { name, type } of listKeyAttributes(keys)) {
    const value = attributeOf(item, name);
    if (value === undefined) {
      throw contradictionError(`Missing the key ${name} in the item`);
    }
    if (typeOf(value) !== type) {
      throw contradictionError(`Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`);
    }
  }
  return checkedBytes(item, keys);
}

/** The sentence in DynamoDB's messages about an empty value of a key attribute. */
export function noEmptyValue(type: KeyType): string {
  return `The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value.`;
}

/** The error of an empty value of a key attribute. */
export const emptyKeyError = ({ name, type }: KeyAttribute, words: EmptyKeyWords = 'are not valid.') =>
  validationError(`One or more parameter values ${words} ${noEmptyValue(type)} Key: ${name}`);

/** The error of a too long value of a hash key. */
export const longHashError = () =>
  contradictionError('Size of hashkey has exceeded the maximum size limit of2048 bytes');

/** The error of a too long value of a range key. */
export const longRangeError = () =>
  contradictionError('Aggregated size of all range keys has exceeded the size limit of 1024 bytes');

function checkedBytes(item: Item, keys: KeyAttributes, words?: EmptyKeyWords): KeyBytes {
  const bytes = keyBytesOf(item, keys);
  for (const attribute of listKeyAttributes(keys)) {
    const part = attribute.name === keys.hash.name ? bytes.hash : bytes.range;
    if (part.length === 0) throw emptyKeyError(attribute, words);
  }
  if (bytes.hash.length > maxHashBytes) throw longHashError();
  if (bytes.range.length > maxRangeBytes) throw longRangeError();
  return bytes;
}
