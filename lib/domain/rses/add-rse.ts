import { rseName } from '../../contract/schemas/did.ts';
import type { NewRse } from '../../contract/schemas/rse.ts';
import { fail, RucioError } from '../../errors.ts';
import { insertRse, raiseFleetVersion } from '../../store/entities/rse.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';

/** Locations that are attributes as well, so that expressions find them (spec/rses.md 2.3). */
const locationAttributes = ['city', 'region_code', 'country_name', 'continent', 'time_zone', 'ISP', 'ASN'] as const;

const flags = ['availability_read', 'availability_write', 'availability_delete'] as const;

/**
 * Creates an RSE with its implicit and location attributes (spec/rses.md 1.2).
 *
 * @throws InputValidationError (422) when the availability is given twice; InvalidObject (400) for a bad name;
 *   AccessDenied (401); Duplicate (409).
 */
export async function addRse(context: Context, name: string, input: NewRse): Promise<void> {
  const availability = availabilityOf(input);
  const { error } = rseName.safeParse(name);
  if (error !== undefined) fail('InvalidObject', `Problem validating rse: ${error.issues[0]?.message}`);
  await authorize(context, 'add_rse', undefined);

  const location = {
    ...pick(input, locationAttributes),
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
  };
  const attributes = Object.fromEntries(
    locationAttributes.flatMap((key) =>
      typeof location[key] === 'string' && location[key] !== '' ? [[key, location[key]]] : [],
    ),
  );
  const rse = {
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
    createdAt: context.now,
    updatedAt: context.now,
  };
  const taken = () => new RucioError('Duplicate', `RSE '${name}' already exists!`);
  await context.store.write(async (latest) => [...insertRse(rse, taken), await raiseFleetVersion(latest)]);
}

function availabilityOf(input: NewRse) {
  const mask = input.availability;
  if (mask !== undefined && flags.some((flag) => input[flag] !== undefined)) {
    fail(
      'InputValidationError',
      `'availability' can not be specified with 'availability_read', 'availability_write' or 'availability_delete'`,
    );
  }
  return {
    availabilityRead: mask === undefined || mask === null ? (input.availability_read ?? true) : (mask & 4) !== 0,
    availabilityWrite: mask === undefined || mask === null ? (input.availability_write ?? true) : (mask & 2) !== 0,
    availabilityDelete: mask === undefined || mask === null ? (input.availability_delete ?? true) : (mask & 1) !== 0,
  };
}

function pick<K extends keyof NewRse>(input: NewRse, keys: readonly K[]) {
  return Object.fromEntries(keys.map((key) => [key, input[key] ?? null])) as {
    [P in K]: Exclude<NewRse[P], undefined> | null;
  };
}
