import type * as z from 'zod/mini';

import type { didColumns } from '../../contract/schemas/metadata.ts';
import { asCollection, asFile, type Did, type FileDid } from '../../store/entities/did.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';
import { columnDefaults, metadataColumns } from '../values/metadata-columns.ts';

/** All 42 columns of a DID on the wire (spec/dids.md 4.3). */
export type DidColumns = z.input<typeof didColumns>;

/** Describes a DID by its columns. */
export function describeDid(did: Did): DidColumns {
  const [file, collection] = [asFile(did), asCollection(did)];
  const shown: Record<string, unknown> = {
    scope: did.scope,
    name: did.name,
    account: did.account,
    did_type: did.type,
    is_open: collection?.open ?? null,
    monotonic: collection?.monotonic ?? false,
    obsolete: false,
    complete: null,
    availability: file?.availability ?? 'AVAILABLE',
    suppressed: false,
    bytes: did.bytes ?? null,
    length: collection === undefined ? null : (collection.length ?? 0),
    md5: file?.md5 ?? null,
    adler32: file?.adler32 ?? null,
    expired_at: formatOptionalDate(did.expiredAt),
    deleted_at: null,
    events: shownEvents(did),
    guid: file?.guid ?? null,
    created_at: formatDate(did.createdAt),
    updated_at: formatDate(did.updatedAt),
  };
  for (const [name, { kind }] of Object.entries(metadataColumns)) {
    const value = did.columns[name];
    shown[name] = value === undefined ? (columnDefaults[name] ?? null) : kind === 'date' ? formatDateOf(value) : value;
  }
  const accessedAt = file === undefined ? collection?.accessedAt : findLastAccess(file);
  return Object.assign(shown, {
    ...(accessedAt === undefined ? {} : { accessed_at: formatDate(accessedAt) }),
    closed_at: formatOptionalDate(did.closedAt),
    is_archive: did.isArchive ?? null,
    constituent: did.constituent ?? null,
  }) as unknown as DidColumns;
}

/** A collection shows null until it is closed or the events of one of its files are set (spec/dids.md 2.4, 2.16). */
function shownEvents(did: Did) {
  if (did.type === 'FILE') return did.events ?? null;
  return did.eventsCounted === true ? (did.events ?? 0) : null;
}

function formatDateOf(value: unknown): string | null {
  return formatOptionalDate(value === null ? null : Number(value));
}

/** When a file was last used on any RSE, as far as traces tell. */
function findLastAccess({ replicas }: FileDid): number | undefined {
  const times = [...replicas.values()].flatMap(({ accessedAt }) => accessedAt ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
