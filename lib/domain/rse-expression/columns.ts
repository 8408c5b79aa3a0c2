import { fail } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { toMask } from '../values/availability.ts';
import { parseNumber } from './number.ts';

/** A column of the RSE record: in `=` and as a tag it hides the attribute of its name (spec/rses.md 5.3). */
interface Column {
  /** What an RSE has there. */
  readonly of: (rse: Rse) => unknown;
  /**
   * What an RSE must have there to fit the value of an expression.
   *
   * @throws InvalidObject (400) when no RSE can have it.
   */
  readonly wanted: (value: string | true) => unknown;
}

const flag = (of: Column['of']): Column => ({ of, wanted: wantedFlag });
const text = (of: Column['of']): Column => ({ of, wanted: (value) => value });
const place = (name: string): [string, Column] => [name, text(({ location }) => location[name])];
const angle = (name: string): [string, Column] => [
  name,
  { of: ({ location }) => location[name], wanted: (value) => (value === true ? undefined : parseNumber(value)) },
];
/** Dates are in the record, and nothing can be compared with them. */
const never: Column = { of: () => null, wanted: () => undefined };

/** All columns by the name that expressions use. */
export const columns: ReadonlyMap<string, Column> = new Map([
  ['deterministic', flag((rse) => rse.deterministic)],
  ['volatile', flag((rse) => rse.volatile)],
  ['staging_area', flag((rse) => rse.stagingArea)],
  ['availability_read', flag((rse) => rse.availabilityRead)],
  ['availability_write', flag((rse) => rse.availabilityWrite)],
  ['availability_delete', flag((rse) => rse.availabilityDelete)],
  ['availability', { of: toMask, wanted: wantedAvailability }],
  ['rse_type', { of: (rse) => rse.rseType, wanted: wantedType }],
  ['id', text((rse) => rse.id)],
  ['rse', text((rse) => rse.rse)],
  ['vo', text(() => 'def')],
  ['qos_class', text((rse) => rse.qosClass)],
  ...['city', 'region_code', 'country_name', 'continent', 'time_zone', 'ISP', 'ASN'].map(place),
  ...['latitude', 'longitude'].map(angle),
  ...['deleted', 'deleted_at', 'created_at', 'updated_at'].map((name): [string, Column] => [name, never]),
]);

function wantedFlag(value: string | true): boolean {
  if (value === true || value === '1' || value.toLowerCase() === 'true') return true;
  if (value === '0' || value.toLowerCase() === 'false') return false;
  return fail('InvalidObject', `Invalid boolean value: ${value}`);
}

function wantedType(value: string | true): string | undefined {
  if (value === true) return undefined;
  return value === 'DISK' || value === 'TAPE' ? value : fail('InvalidObject', `Invalid rse_type: ${value}`);
}

/** The mask; bits above it are ignored (spec/rses.md 2.2). */
function wantedAvailability(value: string | true): number | undefined {
  if (value === true) return 1;
  return /^-?\d+$/.test(value) ? Number(BigInt(value) & 7n) : undefined;
}
