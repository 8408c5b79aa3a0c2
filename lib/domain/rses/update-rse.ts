import { type RseChange, rseProperties } from '../../contract/schemas/rse.ts';
import { fail, RucioError } from '../../errors.ts';
import { changeRse, moveName, patchMembers, type Rse, type RseAttribute } from '../../store/entities/rse.ts';
import type { Plan } from '../../store/plan.ts';
import type { Context } from '../context.ts';
import { defined } from '../dids/names.ts';
import { fromMask } from './availability.ts';
import { toAttribute } from './set-attribute.ts';
import { writeRse } from './write-rse.ts';

/**
 * Changes properties of an RSE, live or disabled. A new name moves nothing: all that belongs to an RSE hangs on its id
 * (spec/rses.md 1.4).
 *
 * @throws RSENotFound (404), AccessDenied (401), InputValidationError (400) for a key that is no property, Duplicate
 *   (409) for a name in use.
 */
export async function updateRse(context: Context, name: string, change: RseChange): Promise<void> {
  await writeRse(context, name, 'update_rse', (rse) => {
    const stranger = Object.keys(change).find((key) => !rseProperties.has(key));
    if (stranger !== undefined)
      fail('InputValidationError', `The key '${stranger}' does not exist for RSE properties.`);
    return planUpdate(rse, change, context.now);
  });
}

/** None when all is so already. */
function planUpdate(rse: Rse, change: RseChange, now: number): Plan {
  const columns = changedColumns(rse, change);
  const { set, remove = [] } = patchMembers('attribute', changedAttributes(rse, change));
  if (Object.keys({ ...columns, ...set }).length + remove.length === 0) return [];
  const updatedAt = Object.keys(columns).length === 0 ? rse.updatedAt : now;
  const write = changeRse(rse, { set: { ...set, ...columns, updatedAt }, remove });
  const { rse: name } = columns;
  if (name === undefined) return [write];
  return [write, ...moveName(rse, name, () => new RucioError('Duplicate', `RSE '${name}' already exists!`))];
}

/** What differs from what the RSE is, attributes apart. */
function changedColumns(rse: Rse, change: RseChange): Partial<Rse> {
  const { city, continent, country_name, region_code, time_zone, latitude, longitude } = change;
  const location = {
    ...rse.location,
    ...defined({ city, continent, country_name, region_code, time_zone, latitude, longitude }),
  };
  const columns = {
    ...(change.availability === undefined ? {} : fromMask(change.availability)),
    ...defined({
      rse: change.name,
      rseType: change.rse_type,
      deterministic: change.deterministic,
      volatile: change.volatile,
      stagingArea: change.staging_area,
      availabilityRead: change.availability_read,
      availabilityWrite: change.availability_write,
      availabilityDelete: change.availability_delete,
      qosClass: isNone(change.qos_class) ? null : change.qos_class,
    }),
  };
  const moved = Object.entries(location).some(([key, value]) => (rse.location[key] ?? null) !== value);
  const differs = ([key, value]: [string, unknown]) => (rse[key as keyof Rse] ?? null) !== value;
  return { ...Object.fromEntries(Object.entries(columns).filter(differs)), ...(moved ? { location } : {}) };
}

const isNone = (qosClass: string | null | undefined) => /^(none|null)$/i.test(qosClass ?? '');

/** Most of a location are attributes as well, and so is the name; undefined: it goes. */
function changedAttributes(rse: Rse, change: RseChange): Map<string, RseAttribute | undefined> {
  const { city, continent, country_name, region_code, time_zone, name = rse.rse } = change;
  const places = Object.entries(defined({ city, continent, country_name, region_code, time_zone }));
  const attributes = new Map<string, RseAttribute | undefined>(places.map(([key, value]) => [key, toAttribute(value)]));
  if (name !== rse.rse) attributes.set(name, true).set(rse.rse, undefined);
  const present = (key: string) => (Object.hasOwn(rse.attributes, key) ? rse.attributes[key] : undefined);
  return new Map([...attributes].filter(([key, value]) => present(key) !== value));
}
