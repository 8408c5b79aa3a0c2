import type { DidKey, DidType, Metadata } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { Integer } from '../../integer.ts';
import { toText } from '../../json.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import { parseDate } from '../../time.ts';
import { formatDid } from '../values/format-did.ts';
import {
  columnDefaults,
  type ColumnKind,
  metadataColumns,
  convertColumnValue,
  reservedKeys,
} from '../values/metadata-columns.ts';
import { requireMetadataRoom } from './metadata-room.ts';

/** Rucio treats these as columns and then fails to write them. */
const unwritable = new Set(['type', 'created_before', 'created_after']);

/** The last time that a date on the wire can express. */
const latestTimeMs = Date.UTC(9999, 11, 31);

/** Limits of the keys that one entry of a request may set on one DID. */
const maxKeys = 200;
const maxKeyBytes = 4000;

/** Columns that a DID stores in attributes of their own. */
const ownAttributes: Readonly<Record<string, 'closedAt' | 'isArchive' | 'constituent'>> = {
  closed_at: 'closedAt',
  is_archive: 'isArchive',
  constituent: 'constituent',
};

/**
 * Sorts the metadata of a DID into columns and free metadata and checks the columns' values (spec/dids.md 2.16, 4.3,
 * 4.4).
 *
 * @param now Time of the request, in milliseconds, from which a `lifetime` counts.
 * @throws InvalidMetadata, InvalidValueForKey (400); UnsupportedOperation (409) for a key that only files have; PayloadTooLarge
 *   (413) for more free metadata than a DID may have.
 */
export function sortMetadata(did: DidKey & { type: DidType }, metadata: Metadata, now: number): MetadataValues {
  requireValidKeys(metadata);
  const sorted: MetadataValues = { attributes: {}, columns: {}, meta: {} };
  for (const [key, value] of Object.entries(metadata)) {
    const column = Object.hasOwn(metadataColumns, key) ? metadataColumns[key] : undefined;
    if (unwritable.has(key)) fail('InvalidMetadata', `Unconsumed column names: ${key}`);
    else if (reservedKeys.has(key)) fail('InvalidMetadata', `The metadata key ${key} is reserved and cannot be set`);
    else if (key === 'lifetime') sorted.attributes.expiredAt = value === null ? undefined : computeEnd(value, now);
    else if (key === 'guid' || key === 'events') setFileKey(sorted, did, key, value);
    else if (column !== undefined)
      setColumn(sorted, key, key === 'eol_at' ? readEndOfLife(value) : requireValidValue(key, column, value));
    else sorted.meta[key] = value;
  }
  requireMetadataRoom(did, {}, sorted.meta);
  return sorted;
}

/**
 * Checks the keys of metadata.
 *
 * @throws InvalidMetadata (400) for a key with a dot, for `__proto__`, and for too many or too long keys.
 */
export function requireValidKeys(metadata: Metadata): void {
  const keys = Object.keys(metadata);
  if (keys.some((key) => key.includes('.'))) {
    fail(
      'InvalidMetadata',
      `Restricted character "." found in metadata key. Reason: Used as a delimiter for key and operator ` +
        `(<key>.<operator>) in filtering engine.`,
    );
  }
  if (keys.includes('__proto__')) fail('InvalidMetadata', 'The metadata key __proto__ cannot be set');
  if (exceedsLimit(keys)) fail('InvalidMetadata', `${limitText} can be set at once`);
}

/**
 * Checks the keys that a request sets on each DID, which it may name several times.
 *
 * @throws InvalidMetadata (400) for too many or too long keys on one DID.
 */
export function requireValidKeysOfEach(dids: readonly (DidKey & { readonly meta: Metadata })[]): void {
  const keysOf = new Map<string, Set<string>>();
  for (const { meta, ...did } of dids) {
    const name = formatDid(did);
    const keys = keysOf.get(name) ?? new Set();
    keysOf.set(name, keys);
    for (const key of Object.keys(meta)) keys.add(key);
  }
  for (const [name, keys] of keysOf) {
    if (exceedsLimit([...keys])) fail('InvalidMetadata', `${limitText} can be set at once on ${name}`);
  }
}

const limitText = `At most ${maxKeys} keys of ${maxKeyBytes} characters together`;

function exceedsLimit(keys: readonly string[]): boolean {
  return keys.length > maxKeys || Buffer.byteLength(keys.join('')) > maxKeyBytes;
}

/** Whether the plugin DID_COLUMN manages a key (spec/dids.md 4.4). */
export function isColumnKey(key: string): boolean {
  return managedKeys.has(key);
}

const managedKeys: ReadonlySet<string> = new Set([
  ...Object.keys(metadataColumns),
  ...unwritable,
  ...'name bytes length md5 adler32 expired_at deleted_at events guid lifetime'.split(' '),
]);

/** Columns that are not nullable in Rucio's table. `is_new` has a default as well, but is nullable. */
const neverNull: ReadonlySet<string> = new Set(Object.keys(columnDefaults).filter((key) => key !== 'is_new'));

/** Sets a column. Null removes the value, unless the column has a default: then null is stored. */
function setColumn(sorted: MetadataValues, key: string, value: unknown): void {
  const own = ownAttributes[key];
  if (own !== undefined) Object.assign(sorted.attributes, { [own]: value ?? undefined });
  else sorted.columns[key] = value === null && columnDefaults[key] === undefined ? undefined : value;
}

function setFileKey(sorted: MetadataValues, did: DidKey & { type: DidType }, key: 'guid' | 'events', value: unknown) {
  if (did.type !== 'FILE') fail('UnsupportedOperation', `${key} for ${did.scope}:${did.name} cannot be updated`);
  if (value === null) sorted.attributes[key] = undefined;
  else if (key === 'guid') sorted.attributes.guid = normaliseGuid(value) ?? failInvalid(key, value);
  else sorted.attributes.events = requireValidValue(key, { kind: 'integer' }, value) as Integer;
}

function requireValidValue(key: string, column: ColumnKind, value: unknown) {
  const converted = value === null && neverNull.has(key) ? undefined : convertColumnValue(column, value);
  return converted === undefined ? failInvalid(key, value) : converted;
}

/** The 32 lower-case hex digits of a GUID in any spelling; undefined for any other value. */
export function normaliseGuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.replaceAll(/[{}-]/g, '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

/** When a new DID with a lifetime in seconds expires, in milliseconds since 1970; null: never. */
export function computeExpiry(lifetime: number | null | undefined, now: number): number | null {
  return lifetime === null || lifetime === undefined || lifetime === 0 ? null : computeEnd(lifetime, now);
}

/** The end of a lifetime that is set as metadata: 0 means now. */
function computeEnd(lifetime: unknown, now: number): number {
  const seconds = typeof lifetime === 'string' && lifetime.trim() !== '' ? Number(lifetime) : lifetime;
  if (typeof seconds !== 'number' || Number.isNaN(seconds)) return failInvalid('lifetime', lifetime);
  const at = now + seconds * 1000;
  return Math.abs(at) > latestTimeMs ? failInvalid('lifetime', lifetime) : Math.round(at);
}

function readEndOfLife(value: unknown): number | null {
  if (value === null) return null;
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? parseDate(value) : undefined;
  return at ?? failInvalid('eol_at', value);
}

function failInvalid(key: string, value: unknown): never {
  if (key === 'lifetime' && typeof value === 'object') {
    const type = Array.isArray(value) ? 'list' : 'dict';
    fail('InvalidValueForKey', `float() argument must be a string or a real number, not '${type}'`);
  }
  return fail('InvalidValueForKey', `The value ${toText(value)} is not valid for the key ${key}`);
}
