import type { DidKey, DidType, Metadata } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { Integer } from '../../integer.ts';
import { parseDate } from '../../time.ts';
import { type ColumnKind, columns, convert, reservedKeys } from './columns.ts';

/** Metadata sorted by where it is kept. */
export interface SortedMetadata {
  /** Attributes of the DID itself. */
  readonly attributes: {
    expiredAt?: number | null;
    guid?: string;
    events?: Integer;
  };
  readonly columns: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
}

/** Rucio takes these for columns and then fails to write them. */
const unwritable = new Set(['type', 'created_before', 'created_after']);

/** The last moment that a date on the wire can name. */
const endOfTime = Date.UTC(9999, 11, 31);

/**
 * Sorts the metadata of a DID into columns and free metadata and checks the columns' values (spec/dids.md 2.16, 4.3,
 * 4.4).
 *
 * @param now Time of the request, in milliseconds, from which a `lifetime` counts.
 * @throws InvalidMetadata, InvalidValueForKey (400); UnsupportedOperation (409) for what only files carry.
 */
export function sortMetadata(did: DidKey & { type: DidType }, metadata: Metadata, now: number): SortedMetadata {
  const sorted: SortedMetadata = { attributes: {}, columns: {}, meta: {} };
  for (const [key, value] of Object.entries(metadata)) {
    refuseKey(key);
    const column = columns[key];
    if (key === 'lifetime') sorted.attributes.expiredAt = expiry(value, now);
    else if (key === 'guid' || key === 'events') setFileKey(sorted, did, key, value);
    else if (key === 'eol_at') sorted.columns[key] = endOfLife(value);
    else if (column !== undefined) sorted.columns[key] = convertOrRefuse(key, column, value);
    else sorted.meta[key] = value;
  }
  return sorted;
}

function refuseKey(key: string): void {
  if (key.includes('.')) {
    fail(
      'InvalidMetadata',
      `Restricted character "." found in metadata key. Reason: Used as a delimiter for key and operator ` +
        `(<key>.<operator>) in filtering engine.`,
    );
  }
  if (unwritable.has(key)) fail('InvalidMetadata', `Unconsumed column names: ${key}`);
  if (reservedKeys.has(key)) fail('InvalidMetadata', `The metadata key ${key} is reserved and cannot be set`);
}

function setFileKey(sorted: SortedMetadata, did: DidKey & { type: DidType }, key: 'guid' | 'events', value: unknown) {
  if (did.type !== 'FILE') fail('UnsupportedOperation', `${key} for ${did.scope}:${did.name} cannot be updated`);
  if (key === 'guid') sorted.attributes.guid = normaliseGuid(value) ?? invalid(key, value);
  else sorted.attributes.events = convertOrRefuse(key, { kind: 'integer' }, value) as Integer;
}

function convertOrRefuse(key: string, column: ColumnKind, value: unknown) {
  const converted = convert(column, value);
  return converted === undefined ? invalid(key, value) : converted;
}

/** The 32 lower-case hex digits of a GUID in any spelling; undefined when it is none. */
export function normaliseGuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.replaceAll(/[{}-]/g, '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

/** When a DID with a lifetime in seconds expires; null: never. */
export function expiry(lifetime: unknown, now: number): number | null {
  if (lifetime === null || lifetime === undefined || lifetime === 0) return null;
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
  return fail('InvalidValueForKey', `The value ${String(value)} is not valid for the key ${key}`);
}
