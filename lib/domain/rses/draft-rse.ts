import type { NewRse } from '../../contract/schemas/rse.ts';
import { fail } from '../../errors.ts';
import { insertRseUsage, ownSource } from '../../store/entities/rse-usage.ts';
import { insertRse, type NewRse as RseDraft } from '../../store/entities/rse.ts';
import type { Plan } from '../../store/items/plan.ts';
import { type Availability, readAvailabilityMask } from '../values/availability.ts';
import { newId } from '../values/ids.ts';
import { toRseAttribute } from './attribute-value.ts';

/** Location properties that are also attributes, so that expressions find them (spec/rses.md 2.3). */
const locationAttributes = ['city', 'region_code', 'country_name', 'continent', 'time_zone', 'ISP', 'ASN'] as const;

const flags = ['availability_read', 'availability_write', 'availability_delete'] as const;

/**
 * A new RSE with a new id. Pure: writes nothing.
 *
 * @param now In milliseconds since 1970.
 * @throws InputValidationError (422) when the availability is given in both forms.
 */
export function draftRse(name: string, input: NewRse, now: number): RseDraft {
  const availability = availabilityOf(input);
  const location = {
    ...pick(input, locationAttributes),
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
  };
  const attributes = Object.fromEntries(
    locationAttributes.filter((key) => location[key]).map((key) => [key, toRseAttribute(key, location[key])]),
  );
  return {
    id: newId(),
    rse: name,
    rseType: input.rse_type ?? 'DISK',
    deterministic: input.deterministic ?? true,
    volatile: input.volatile ?? false,
    stagingArea: input.staging_area ?? false,
    ...availability,
    location,
    attributes: { [name]: true, ...attributes },
    protocols: [],
    limits: {},
    qosPolicies: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** The writes that create an RSE with its usage record. The plan must also call {@link raiseFleetVersion}. */
export function insertRseDraft(rse: RseDraft, onExists: () => Error): Plan {
  const usage = { source: ownSource, used: 0, free: null, files: 0, updatedAt: rse.createdAt };
  return [...insertRse(rse, onExists), insertRseUsage(rse.id, usage)];
}

function availabilityOf(input: NewRse): Availability {
  const mask = input.availability;
  if (mask !== undefined && flags.some((flag) => input[flag] !== undefined)) {
    fail(
      'InputValidationError',
      `'availability' can not be specified with 'availability_read', 'availability_write' or 'availability_delete'`,
    );
  }
  if (mask !== undefined && mask !== null) return readAvailabilityMask(mask);
  return {
    availabilityRead: input.availability_read ?? true,
    availabilityWrite: input.availability_write ?? true,
    availabilityDelete: input.availability_delete ?? true,
  };
}

function pick<K extends keyof NewRse>(input: NewRse, keys: readonly K[]) {
  return Object.fromEntries(keys.map((key) => [key, input[key] ?? null])) as {
    [P in K]: Exclude<NewRse[P], undefined> | null;
  };
}
