import { fail } from '../../errors.ts';
import { parsePythonFloat } from '../../python/float.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { toAvailabilityMask } from '../values/availability.ts';

/** A column of the RSE record. In `=` and as a tag it hides an attribute of the same name (spec/rses.md 5.3). */
interface Column {
  /** The value of an RSE in this column. */
  readonly of: (rse: Rse) => unknown;
  /**
   * The column value that the value of an expression stands for; undefined when no RSE has it.
   *
   * @throws InvalidObject (400) when the value is not valid for the column.
   */
  readonly wanted: (value: string | true) => unknown;
}

const flag = (of: Column['of']): Column => ({ of, wanted: wantedFlag });
const text = (of: Column['of']): Column => ({ of, wanted: (value) => value });
const textOfLocation = (name: string): [string, Column] => [name, text(({ location }) => location[name])];
const numberOfLocation = (name: string): [string, Column] => [
  name,
  { of: ({ location }) => location[name], wanted: (value) => (value === true ? undefined : parsePythonFloat(value)) },
];
/** Dates are columns that match nothing. */
const unmatchable: Column = { of: () => null, wanted: () => undefined };

/** All columns by their name in expressions. */
export const rseColumns: ReadonlyMap<string, Column> = new Map([
  ['deterministic', flag((rse) => rse.deterministic)],
  ['volatile', flag((rse) => rse.volatile)],
  ['staging_area', flag((rse) => rse.stagingArea)],
  ['availability_read', flag((rse) => rse.availabilityRead)],
  ['availability_write', flag((rse) => rse.availabilityWrite)],
  ['availability_delete', flag((rse) => rse.availabilityDelete)],
  ['availability', { of: toAvailabilityMask, wanted: wantedAvailability }],
  ['rse_type', { of: (rse) => rse.rseType, wanted: wantedType }],
  ['id', text((rse) => rse.id)],
  ['rse', text((rse) => rse.rse)],
  ['vo', text(() => 'def')],
  ['qos_class', text((rse) => rse.qosClass)],
  ...['city', 'region_code', 'country_name', 'continent', 'time_zone', 'ISP', 'ASN'].map(textOfLocation),
  ...['latitude', 'longitude'].map(numberOfLocation),
  ...['deleted', 'deleted_at', 'created_at', 'updated_at'].map((name): [string, Column] => [name, unmatchable]),
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

/**
 * The bit mask of read, write and delete (spec/rses.md 2.2). Rucio ignores higher bits. Undefined for a text that is no integer.
 * The last three digits of an integer decide, since 1,000 is a multiple of 8.
 */
function wantedAvailability(value: string | true): number | undefined {
  if (value === true) return 1;
  const [, sign, digits] = /^(-?)(\d+)$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const last = Number(digits.slice(-3));
  return (sign === '-' ? -last : last) & 7;
}
