import type { DidKey, DidType, Metadata } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { Integer } from '../../integer.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import { parseDate } from '../../time.ts';
import { formatDid } from '../values/format-did.ts';
import {
  columnDefaults,
  type ColumnKind,
  columns,
  convertColumnValue,
  reservedKeys,
} from '../values/metadata-columns.ts';

/** Rucio takes these for columns and then fails to write them. */
const unwritable = new Set(['type', 'created_before', 'created_after']);

/** The last moment that a date on the wire can name. */
const endOfTime = Date.UTC(9999, 11, 31);

/** What one entry of a request may set on one DID. */
const most = { keys: 200, characters: 4000 };

/** Columns with an attribute of their own on a DID. */
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
 * @throws InvalidMetadata, InvalidValueForKey (400); UnsupportedOperation (409) for what only files carry.
 */
export function sortMetadata(did: DidKey & { type: DidType }, metadata: Metadata, now: number): MetadataValues {
  requireValidKeys(metadata);
  const sorted: MetadataValues = { attributes: {}, columns: {}, meta: {} };
  for (const [key, value] of Object.entries(metadata)) {
    const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
    if (unwritable.has(key)) fail('InvalidMetadata', `Unconsumed column names: ${key}`);
    else if (reservedKeys.has(key)) fail('InvalidMetadata', `The metadata key ${key} is reserved and cannot be set`);
    else if (key === 'lifetime') sorted.attributes.expiredAt = value === null ? undefined : endOf(value, now);
    else if (key === 'guid' || key === 'events') setFileKey(sorted, did, key, value);
    else if (column !== undefined)
      setColumn(sorted, key, key === 'eol_at' ? endOfLife(value) : checked(key, column, value));
    else sorted.meta[key] = value;
  }
  return sorted;
}

/**
 * Checks the keys of metadata, whatever DID they are for.
 *
 * @throws InvalidMetadata (400) for a key with a dot, for one that no object of ours can hold, and for more or longer
 *   keys than can be set at once.
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
  if (isTooMuch(keys)) fail('InvalidMetadata', `${tooMuch} can be set at once`);
}

/**
 * Checks what a request sets on each DID, which it may name several times.
 *
 * @throws InvalidMetadata (400) for more or longer keys than can be set on one DID at once.
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
    if (isTooMuch([...keys])) fail('InvalidMetadata', `${tooMuch} can be set at once on ${name}`);
  }
}

const tooMuch = `At most ${most.keys} keys of ${most.characters} characters together`;

function isTooMuch(keys: readonly string[]): boolean {
  return keys.length > most.keys || Buffer.byteLength(keys.join('')) > most.characters;
}

/** Whether the plugin DID_COLUMN manages a key (spec/dids.md 4.4). */
export function isColumnKey(key: string): boolean {
  return managedKeys.has(key);
}

const managedKeys: ReadonlySet<string> = new Set([
  ...Object.keys(columns),
  ...unwritable,
  ...'name bytes length md5 adler32 expired_at deleted_at events guid lifetime'.split(' '),
]);

/** Columns that Rucio's table declares so; `is_new` has a default, too, but may be null. */
const neverNull: ReadonlySet<string> = new Set(Object.keys(columnDefaults).filter((key) => key !== 'is_new'));

/** A column that is set to null goes back to its default, unless that is another value. */
function setColumn(sorted: MetadataValues, key: string, value: unknown): void {
  const own = ownAttributes[key];
  if (own !== undefined) Object.assign(sorted.attributes, { [own]: value ?? undefined });
  else sorted.columns[key] = value === null && columnDefaults[key] === undefined ? undefined : value;
}

function setFileKey(sorted: MetadataValues, did: DidKey & { type: DidType }, key: 'guid' | 'events', value: unknown) {
  if (did.type !== 'FILE') fail('UnsupportedOperation', `${key} for ${did.scope}:${did.name} cannot be updated`);
  if (value === null) sorted.attributes[key] = undefined;
  else if (key === 'guid') sorted.attributes.guid = normaliseGuid(value) ?? invalid(key, value);
  else sorted.attributes.events = checked(key, { kind: 'integer' }, value) as Integer;
}

function checked(key: string, column: ColumnKind, value: unknown) {
  const converted = value === null && neverNull.has(key) ? undefined : convertColumnValue(column, value);
  return converted === undefined ? invalid(key, value) : converted;
}

/** The 32 lower-case hex digits of a GUID in any spelling; undefined when it is none. */
export function normaliseGuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.replaceAll(/[{}-]/g, '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

/** When a DID that is made with a lifetime in seconds expires; null: never. */
export function computeExpiry(lifetime: number | null | undefined, now: number): number | null {
  return lifetime === null || lifetime === undefined || lifetime === 0 ? null : endOf(lifetime, now);
}

/** The end of a lifetime that is set as metadata: there 0 means now. */
function endOf(lifetime: unknown, now: number): number {
  const seconds = typeof lifetime === 'string' && lifetime.trim() !== '' ? Number(lifetime) : lifetime;
  if (typeof seconds !== 'number' || Number.isNaN(seconds)) return invalid('lifetime', lifetime);
  const at = now + seconds * 1000;
  return Math.abs(at) > endOfTime ? invalid('lifetime', lifetime) : Math.round(at);
}

function endOfLife(value: unknown): number | null {
  if (value === null) return null;
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? parseDate(value) : undefined;
  return at ?? invalid('eol_at', value);
}

function invalid(key: string, value: unknown): never {
  if (key === 'lifetime' && typeof value === 'object') {
    const type = Array.isArray(value) ? 'list' : 'dict';
    fail('InvalidValueForKey', `float() argument must be a string or a real number, not '${type}'`);
  }
  return fail('InvalidValueForKey', `The value ${String(value)} is not valid for the key ${key}`);
}
