import { createHash } from 'node:crypto';

/*
 * What the keys of the table are made of. Their formats lie in a file for each theme (did-keys.ts, rse-keys.ts);
 * nothing outside lib/store knows how a key is spelled.
 */

/** The primary key of an item. */
export interface Key {
  readonly PK: string;
  readonly SK: string;
}

/** A text that stands for a key in maps. */
export function textOfKey({ PK, SK }: Key): string {
  return `${PK}\n${SK}`;
}

/** The sorted streams that a scope's DIDs are spread over; fixed when a table is made (docs/data-model.md). */
export const shardCount = 4;

/** Numbers of all shards. */
export const shards = Array.from({ length: shardCount }, (_value, shard) => shard);

/** The shard of a DID's name. */
export function shardOf(name: string): number {
  return createHash('md5').update(name).digest().readUInt32BE(0) % shardCount;
}

/**
 * Between the parts of a key. No scope, name, account or RSE may hold it, and it sorts before every character that
 * they may hold, so that keys sort as their parts do.
 */
const separator = '#';

/** Joins the parts of a key; throws an Error where one holds the separator. */
export function join(...parts: readonly string[]): string {
  const bad = parts.find((text) => text.includes(separator));
  if (bad !== undefined) throw new Error(`a part of a key holds the separator: ${bad}`);
  return parts.join(separator);
}

/** A part of a key, by its position; empty where there is none. */
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

/** Keeps any text apart from the separator; for what may hold every character. */
export const encode = (text: string) => text.replaceAll('%', '%25').replaceAll(separator, '%23');
/** Reads such a text back. */
export const decode = (text: string) => text.replaceAll('%23', separator).replaceAll('%25', '%');

/** A sort key takes 1,024 bytes; the rest is left for what stands around a part. */
const longestPart = 960;

/** Says whether a text from outside can be part of a key; what cannot is not in the table. */
export function isKeyPart(text: string): boolean {
  return text !== '' && !text.includes(separator) && Buffer.byteLength(text) <= longestPart;
}

/** The same for a text that may hold the separator: an identity, a convention, the name of an RSE. */
export function isEncodablePart(text: string): boolean {
  return isKeyPart(encode(text));
}

/** Says whether a text is short enough to be a sort key. */
export function isSortKey(text: string): boolean {
  return Buffer.byteLength(text) <= 1024;
}

/** The hour of a time in milliseconds, counted from 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / 3_600_000);
}

/** A time in milliseconds as a text that sorts by time; everything before 1970 counts as then. */
export const sortableTime = (at: number) => String(Math.max(0, Math.floor(at))).padStart(15, '0');

const endOfTime = 999_999_999_999_999;

/** A time in milliseconds as a text that sorts the newest first. */
export const newestFirst = (at: number) => sortableTime(endOfTime - at);

/** Reads such a time back. */
export const timeOfNewestFirst = (text: string) => endOfTime - Number(text);
