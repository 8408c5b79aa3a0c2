import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { getRse, getRseId, type Rse } from '../../store/entities/rse.ts';

/**
 * The RSE with a name, disabled or not.
 *
 * @throws RSENotFound (404) when there is none with that name (spec/rses.md 0.2, N).
 */
export async function requireRse(table: Table, name: string): Promise<Rse> {
  return (await getRse(table, name)) ?? failRseNotFound(name);
}

/**
 * The id of the RSE with a name, disabled or not.
 *
 * @throws RSENotFound (404) when there is none with that name (spec/rses.md 0.2, N).
 */
export async function requireRseId(table: Table, name: string): Promise<string> {
  return (await getRseId(table, name)) ?? failRseNotFound(name);
}

/**
 * Fails because no RSE has a name.
 *
 * @throws RSENotFound (404), always (spec/rses.md 0.2, N).
 */
export function failRseNotFound(name: string): never {
  return fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);
}

/**
 * Fails because an RSE is disabled.
 *
 * @throws RSENotFound (404), always (spec/rses.md 0.2, D).
 */
export function failRseDisabled(id: string): never {
  return fail('RSENotFound', `RSE with id '${id}' cannot be found`);
}

/**
 * The RSE with a name if it is not disabled.
 *
 * @param disabled The message for a disabled RSE, given its id; absent: the usual one.
 * @throws RSENotFound (404) when there is none with that name, or it is disabled (spec/rses.md 0.2, N and D).
 */
export async function requireLiveRse(table: Table, name: string, disabled?: (id: string) => string): Promise<Rse> {
  const rse = await requireRse(table, name);
  if (rse.deletedAt === undefined) return rse;
  return disabled === undefined ? failRseDisabled(rse.id) : fail('RSENotFound', disabled(rse.id));
}

/**
 * The RSE with a name, disabled or not, from the cached fleet: costs one read of one unit while it is current.
 *
 * @throws RSENotFound (404) when there is none of that name (spec/rses.md 0.2, N).
 */
export async function requireCachedRse(table: Table, name: string): Promise<Rse> {
  return (await getFleet(table)).byName.get(name) ?? failRseNotFound(name);
}

/**
 * The same if it is not disabled.
 *
 * @throws RSENotFound (404) when there is none with that name, or it is disabled: both with the same message.
 */
export async function requireCachedLiveRse(table: Table, name: string): Promise<Rse> {
  const rse = await requireCachedRse(table, name);
  return rse.deletedAt === undefined ? rse : failRseNotFound(name);
}
