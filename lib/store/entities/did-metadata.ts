import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { parseJson, toJson } from '../../json.ts';
import type { Patch } from '../items/item.ts';
import { hasShape, isText } from '../items/read-attributes.ts';
import { didKeys } from '../keys/did-keys.ts';

/*
 * Metadata on the item of a DID: one item attribute each, so that each can be set without the others, and staged like any
 * other attribute.
 */

/** The prefix of attributes for metadata columns; the wire name follows. */
const columnPrefix = 'col:';

/** The prefix of attributes for free metadata; the key follows. */
const metaPrefix = 'meta:';

/** On a DID: the version of the terms under which its free metadata is indexed, but for the keys noted as not indexed. */
export const freeIndexAttribute = 'freeIndex';

/** The prefix of attributes that note a free key as not indexed; the key follows. */
const unindexedPrefix = 'unindexed:';

/** The name of the attribute that holds a free key. */
export const freeAttribute = (key: string) => metaPrefix + key;

/** The name of the attribute that notes a free key as not indexed. */
export const unindexedAttribute = (key: string) => unindexedPrefix + key;

/** The free key of an attribute of an item; undefined if it holds none. */
export function freeKeyOf(attribute: string): string | undefined {
  return attribute.startsWith(metaPrefix) ? attribute.slice(metaPrefix.length) : undefined;
}

/** Whether an attribute of an item is a note about the index of free metadata: its version, or a key that is not indexed. */
export function isFreeIndexNote(attribute: string): boolean {
  return attribute === freeIndexAttribute || attribute.startsWith(unindexedPrefix);
}

/** The metadata of a DID. */
export interface DidMetadata {
  /** The columns that have a value, by their wire name; dates in milliseconds since 1970. */
  readonly columns: Record<string, unknown>;
  /** Free metadata: any JSON values. */
  readonly meta: Record<string, unknown>;
}

/** Metadata to set; undefined resets to the default. */
export interface MetadataValues extends DidMetadata {
  /** Attributes of the DID's own that can be set as metadata. */
  readonly attributes: {
    expiredAt?: number | undefined;
    closedAt?: number | undefined;
    guid?: string | undefined;
    events?: Integer | undefined;
    isArchive?: boolean | undefined;
    constituent?: boolean | undefined;
  };
}

/** Reads the metadata out of an item. */
export function readMetadata(item: Readonly<Record<string, unknown>>): DidMetadata {
  const metadata: DidMetadata = { columns: {}, meta: {} };
  for (const attribute in item) addMetadata(metadata, attribute, item[attribute]);
  return metadata;
}

/** Adds an attribute of an item to its metadata, if it holds any. */
export function addMetadata({ columns, meta }: DidMetadata, attribute: string, value: unknown): void {
  if (attribute.startsWith(columnPrefix)) columns[attribute.slice(columnPrefix.length)] = value;
  else if (attribute.startsWith(metaPrefix)) meta[attribute.slice(metaPrefix.length)] = unpack(value);
}

/** Packs metadata into attributes of an item. */
export function metadataAttributes({ columns, meta }: DidMetadata): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(columns)) attributes[columnPrefix + name] = value;
  for (const [key, value] of Object.entries(meta)) attributes[metaPrefix + key] = pack(value);
  return attributes;
}

/** The metadata key of an attribute of an item; undefined if it holds no metadata. */
export function metadataKeyOf(attribute: string): string | undefined {
  const prefix = [columnPrefix, metaPrefix].find((one) => attribute.startsWith(one));
  return prefix === undefined ? undefined : attribute.slice(prefix.length);
}

/** The stored and the unpacked value of a metadata key, column or free; undefined if there is none. */
export function metadataValueOf(item: Readonly<Record<string, unknown>>, key: string) {
  const attribute = [columnPrefix + key, metaPrefix + key].find((one) => item[one] !== undefined);
  return attribute === undefined ? undefined : { attribute, stored: item[attribute], value: unpack(item[attribute]) };
}

/** The index keys of a file by its GUID; empty without a GUID. */
export function guidIndex(did: DidKey, guid: string | undefined): Record<string, string> {
  return guid === undefined ? {} : didKeys.guid(guid, did);
}

/** The index keys of a new collection, unless its flag `is_new` is false or null; `at` in milliseconds. */
export function newIndex(did: DidKey & { type: DidType }, columns: DidMetadata['columns'], at: number) {
  const { is_new: isNew } = columns;
  return did.type === 'FILE' || isNew === false || isNew === null ? {} : didKeys.newCollection(did, did.type, at);
}

/**
 * The patch of a DID's item that sets metadata, indexes included.
 *
 * @param now In milliseconds: the time of the change, and the new creation time of a DID that becomes new again.
 */
export function metadataPatch(did: DidKey & { type: DidType }, values: MetadataValues, now: number): Patch {
  const { attributes, columns, meta } = values;
  const all: Record<string, unknown> = { ...attributes, ...metadataAttributes({ columns, meta }), updatedAt: now };
  if ('guid' in attributes)
    Object.assign(all, { GSI1PK: undefined, GSI1SK: undefined }, guidIndex(did, attributes.guid));
  if ('is_new' in columns && did.type !== 'FILE') {
    const isNew = columns['is_new'] !== false && columns['is_new'] !== null;
    Object.assign(all, { GSI2PK: undefined, GSI2SK: undefined }, isNew ? newIndex(did, {}, now) : {});
  }
  const entries = Object.entries(all);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    remove: entries.filter(([, value]) => value === undefined).map(([attribute]) => attribute),
  };
}

/** The patch that removes a free key. */
export function removeMetaPatch(key: string, now: number): Patch {
  return { set: { updatedAt: now }, remove: [metaPrefix + key] };
}

/** Values that DynamoDB cannot store as they are, as JSON text: it keeps 38 digits, no empty names, no order of keys. */
interface Packed {
  readonly json: string;
}

/** The smallest and largest magnitude of a number that is not packed. */
const magnitudes = { min: 1e-120, max: Number.MAX_SAFE_INTEGER };

function pack(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number': {
      const magnitude = Math.abs(value);
      const fits = magnitude <= magnitudes.max && (magnitude === 0 || magnitude >= magnitudes.min);
      return fits && !Object.is(value, -0) ? value : packJson(value);
    }
    default:
      return value === null ? null : packJson(value);
  }
}

function packJson(value: unknown): Packed {
  return { json: toJson(value) };
}

const isPacked = hasShape<Packed>({ json: isText });

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isPacked(value)) return parseJson(value.json);
  throw new Error('a value of metadata has an unexpected type');
}
