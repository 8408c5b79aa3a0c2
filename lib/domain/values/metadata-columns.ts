import { type Integer, narrow } from '../../integer.ts';
import { readBoolean } from '../../python/boolean.ts';
import { parseDate } from '../../time.ts';

/** The type of a metadata column. */
export type ColumnKind =
  | { readonly kind: 'text'; readonly maxLength: number }
  | { readonly kind: 'integer' | 'boolean' | 'date' };

const text = (maxLength: number): ColumnKind => ({ kind: 'text', maxLength });
const integer: ColumnKind = { kind: 'integer' };
const boolean: ColumnKind = { kind: 'boolean' };
const date: ColumnKind = { kind: 'date' };

/** The metadata columns that a caller may set (spec/dids.md 4.3). */
export const metadataColumns: Readonly<Record<string, ColumnKind>> = {
  hidden: boolean,
  is_new: boolean,
  purge_replicas: boolean,
  project: text(50),
  datatype: text(50),
  run_number: integer,
  stream_name: text(70),
  prod_step: text(50),
  version: text(50),
  campaign: text(50),
  task_id: integer,
  panda_id: integer,
  lumiblocknr: integer,
  provenance: text(2),
  phys_group: text(25),
  transient: boolean,
  accessed_at: date,
  closed_at: date,
  eol_at: date,
  is_archive: boolean,
  constituent: boolean,
  access_cnt: integer,
};

/** The default values of columns; all others default to null. */
export const columnDefaults: Readonly<Record<string, boolean>> = {
  hidden: false,
  is_new: true,
  purge_replicas: true,
  transient: false,
};

/** The keys that no caller may set (spec/dids.md 4.4). */
export const reservedKeys: ReadonlySet<string> = new Set(
  (
    'scope name account did_type is_open monotonic obsolete complete availability suppressed bytes length md5 adler32 ' +
    'rule_evaluation_action rule_evaluation_required expired_at deleted_at created_at updated_at'
  ).split(' '),
);

/**
 * Converts a value to the type of its column.
 *
 * @returns The value, dates in milliseconds since 1970; undefined if it cannot be converted.
 */
export function convertColumnValue(column: ColumnKind, value: unknown): string | Integer | boolean | null | undefined {
  if (value === null) return null;
  switch (column.kind) {
    case 'text': {
      const string = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
      return typeof string === 'string' && string.length <= column.maxLength ? string : undefined;
    }
    case 'integer':
      return toInteger(value);
    case 'boolean':
      return readBoolean(value);
    case 'date':
      return typeof value === 'string' ? parseDate(value) : undefined;
  }
}

const maxDigits = 18;

function toInteger(value: unknown): Integer | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  const digits = typeof value === 'bigint' ? String(value) : value;
  if (typeof digits !== 'string' || !/^[+-]?\d+$/.test(digits) || digits.length > maxDigits) return undefined;
  return narrow(BigInt(digits));
}
