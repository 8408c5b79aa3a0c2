/*
 * The building blocks of keys. The formats are in one file per theme (did-keys.ts, rse-keys.ts). Only lib/store imports
 * this folder.
 */

/** The primary key of an item. */
export interface Key {
  readonly PK: string;
  readonly SK: string;
}

/** A key as one text, for maps. */
export function textOfKey({ PK, SK }: Key): string {
  return `${PK}\n${SK}`;
}

/**
 * The separator of the parts of a key. No part contains it, and it sorts before every character that they may contain, so that
 * keys sort as their parts do. Names of DIDs are spelt without it ({@link spellName}).
 */
const separator = '#';

/** Joins the parts of a key; throws an Error if one contains the separator. */
export function join(...parts: readonly string[]): string {
  for (const text of parts) {
    if (text.includes(separator)) throw new Error(`a part of a key holds the separator: ${text}`);
  }
  return parts.join(separator);
}

/** Sorts directly after the separator. */
const afterSeparator = '$';

/** How every key begins that has these first parts and more. */
export function startOf(...parts: readonly string[]): string {
  return join(...parts) + separator;
}

/** The bounds of the sort keys that have these first parts and more. */
export function rangeOf(...parts: readonly string[]): { readonly from: string; readonly to: string } {
  return { from: startOf(...parts), to: join(...parts) + afterSeparator };
}

/** How the keys of one kind of item begin: the stream and the filters of its consumers recognise items by it. */
export type KeyPrefix = Key;

/** Whether a key is of the kind of item that a prefix stands for. */
export function hasPrefix({ PK, SK }: Key, prefix: KeyPrefix): boolean {
  return PK.startsWith(prefix.PK) && SK.startsWith(prefix.SK);
}

/** Reads a part of a key by its position; empty if there is none. */
export function part(key: string, index: number): string {
  let start = 0;
  for (let passed = 0; passed < index; passed += 1) {
    const end = key.indexOf(separator, start);
    if (end === -1) return '';
    start = end + 1;
  }
  const end = key.indexOf(separator, start);
  return end === -1 ? key.slice(start) : key.slice(start, end);
}

/** Reads the last part of a sort key, such as a scope or an account. */
export function lastPart({ SK }: Key): string {
  return SK.slice(SK.lastIndexOf(separator) + 1);
}

/** Escapes the separator; for texts that may contain any character. */
export const encode = (text: string) => text.replaceAll('%', '%25').replaceAll(separator, '%23');
/** Reverses {@link encode}. */
export const decode = (text: string) => text.replaceAll('%23', separator).replaceAll('%25', '%');

/**
 * The name of a DID as a part of a key. Names may hold the separator, which is written as the character after it: no name holds
 * that one, and it sorts before all others, so that keys sort as names do. A text with that character names nothing.
 */
export const spellName = (name: string) => name.replaceAll(afterSeparator, '%24').replaceAll(separator, afterSeparator);
/** Reverses {@link spellName}. */
export const readName = (text: string) => text.replaceAll(afterSeparator, separator);

/** Sorts after every character of a name. */
export const afterNames = '\u007f';

/** The limit of one part; a sort key holds 1,024 bytes with all its parts. */
const maxPartBytes = 960;

/** Whether a text from a client can be part of a key. If not, the table has no item for it. */
export function isKeyPart(text: string): boolean {
  return text !== '' && !text.includes(separator) && Buffer.byteLength(text) <= maxPartBytes;
}

/** Whether a text can be part of a key once it is encoded: an identity, a convention, the name of an RSE. */
export function isEncodablePart(text: string): boolean {
  return isKeyPart(encode(text));
}

/** Whether a text is short enough for a sort key. */
export function isSortKey(text: string): boolean {
  return Buffer.byteLength(text) <= 1024;
}

/** A time in milliseconds as a text that sorts by time; times before 1970 count as 1970. */
export const sortableTime = (at: number) => String(Math.max(0, Math.floor(at))).padStart(15, '0');

/** The greatest time of a sortable text. */
const maxTimeMs = 999_999_999_999_999;

/** A time in milliseconds as a text that sorts in descending order. */
export const newestFirst = (at: number) => sortableTime(maxTimeMs - at);

/** Reverses {@link newestFirst}. */
export const timeOfNewestFirst = (text: string) => maxTimeMs - Number(text);
