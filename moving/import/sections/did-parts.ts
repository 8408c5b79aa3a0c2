import type { DidType } from '../../../lib/contract/schemas/did.ts';
import { defined } from '../../../lib/defined.ts';
import { columnDefaults, metadataColumns } from '../../../lib/domain/values/metadata-columns.ts';
import type { Integer } from '../../../lib/integer.ts';
import type { Row } from '../../rucio/relations.ts';

/* The parts of a DID that living and deleted ones share. */

/** A row of `dids` or `deleted_dids`. */
export type DidRow = Row<'dids'>;

const types: Readonly<Record<string, DidType>> = { F: 'FILE', D: 'DATASET', C: 'CONTAINER' };

/** The type of a DID; undefined for types that Dapple does not have. */
export function readType(letter: string): DidType | undefined {
  return types[letter];
}

const availabilities: Readonly<Record<string, string>> = { L: 'LOST', D: 'DELETED' };

/** Columns that a DID has as attributes of its own. */
const ownColumns = new Set(['closed_at', 'is_archive', 'constituent']);

/** The metadata columns that say something else than their default. */
export function readColumns(row: DidRow): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const name of Object.keys(metadataColumns)) {
    if (ownColumns.has(name)) continue;
    const value = row[name as keyof DidRow];
    if (value !== (columnDefaults[name] ?? null)) columns[name] = value;
  }
  return columns;
}

/** Reads the fields of DIDs of all types. */
export function readBase(row: DidRow) {
  return {
    scope: row.scope,
    name: row.name,
    account: row.account,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...defined({
      expiredAt: row.expired_at ?? undefined,
      closedAt: row.closed_at ?? undefined,
      isArchive: row.is_archive ?? undefined,
      constituent: row.constituent ?? undefined,
    }),
    columns: readColumns(row),
  };
}

/** Reads the fields that only files have. */
export function readFileParts(row: DidRow) {
  return {
    type: 'FILE' as const,
    ...defined({
      bytes: row.bytes ?? undefined,
      adler32: row.adler32 ?? undefined,
      md5: row.md5 ?? undefined,
      guid: row.guid ?? undefined,
      events: row.events ?? undefined,
      availability: availabilities[row.availability ?? 'A'],
    }),
  };
}

/** The sums over the content of a collection. */
export interface ContentSums {
  readonly length: Integer;
  readonly bytes: Integer;
  readonly events: Integer;
}

/** Reads the fields that only collections have. */
export function readCollectionParts(row: DidRow, type: Exclude<DidType, 'FILE'>, sums: ContentSums) {
  const isCounted = row.events !== null;
  return {
    type,
    open: row.is_open === true,
    ...(row.monotonic === true ? { monotonic: true } : {}),
    length: sums.length,
    bytes: sums.bytes,
    ...(isCounted || sums.events !== 0 ? { events: sums.events } : {}),
    ...(isCounted ? { eventsCounted: true } : {}),
  };
}
