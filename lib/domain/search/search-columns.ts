import { asCollection, asFile, type Did } from '../../store/entities/did.ts';
import { columnDefaults, metadataColumns } from '../values/metadata-columns.ts';

/** The type of the values of a column. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'date' | 'guid';

/** A value of a column; dates in milliseconds. */
type Value = string | number | bigint | boolean | null;

/** The columns that are attributes of the DID itself. */
const didAttributes: Readonly<Record<string, { readonly type: ColumnType; readonly read: (did: Did) => unknown }>> = {
  name: { type: 'text', read: ({ name }) => name },
  scope: { type: 'text', read: ({ scope }) => scope },
  account: { type: 'text', read: ({ account }) => account },
  did_type: { type: 'text', read: ({ type }) => type },
  availability: { type: 'text', read: (did) => asFile(did)?.availability ?? 'AVAILABLE' },
  md5: { type: 'text', read: (did) => asFile(did)?.md5 },
  adler32: { type: 'text', read: (did) => asFile(did)?.adler32 },
  guid: { type: 'guid', read: (did) => asFile(did)?.guid },
  bytes: { type: 'integer', read: ({ bytes }) => bytes },
  length: { type: 'integer', read: (did) => (did.type === 'FILE' ? null : (did.length ?? 0)) },
  events: {
    type: 'integer',
    read: (did) => (did.type === 'FILE' || did.eventsCounted ? did.events : null),
  },
  is_open: { type: 'boolean', read: (did) => asCollection(did)?.open },
  monotonic: { type: 'boolean', read: (did) => asCollection(did)?.monotonic ?? false },
  obsolete: { type: 'boolean', read: () => false },
  complete: { type: 'boolean', read: () => null },
  suppressed: { type: 'boolean', read: () => false },
  is_archive: { type: 'boolean', read: ({ isArchive }) => isArchive },
  constituent: { type: 'boolean', read: ({ constituent }) => constituent },
  created_at: { type: 'date', read: ({ createdAt }) => createdAt },
  updated_at: { type: 'date', read: ({ updatedAt }) => updatedAt },
  expired_at: { type: 'date', read: ({ expiredAt }) => expiredAt },
  closed_at: { type: 'date', read: ({ closedAt }) => closedAt },
  deleted_at: { type: 'date', read: () => null },
};

/** The type of each column that a search can use (spec/dids.md 3.2). */
export const searchColumns: ReadonlyMap<string, ColumnType> = new Map([
  ...Object.entries(metadataColumns).map(([name, { kind }]): [string, ColumnType] => [name, kind]),
  ...Object.entries(didAttributes).map(([name, { type }]): [string, ColumnType] => [name, type]),
]);

/** The value of a column of a DID. */
export function readColumn(did: Did, name: string): Value {
  const read = didAttributes[name]?.read;
  const value = read === undefined ? (did.columns[name] ?? columnDefaults[name]) : read(did);
  return (value ?? null) as Value;
}
