import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { getRse, getRseId, type Rse } from '../../store/entities/rse.ts';

/**
 * The RSE of a name, disabled or not.
 *
 * @throws RSENotFound (404) when there is none of that name (spec/rses.md 0.2, N).
 */
export async function requireRse(table: Table, name: string): Promise<Rse> {
  return (await getRse(table, name)) ?? failWithoutRse(name);
}

/**
 * The id of the RSE of a name, disabled or not.
 *
 * @throws RSENotFound (404) when there is none of that name (spec/rses.md 0.2, N).
 */
export async function requireRseId(table: Table, name: string): Promise<string> {
  return (await getRseId(table, name)) ?? failWithoutRse(name);
}

/**
 * Says that there is no RSE of a name.
 *
 * @throws RSENotFound (404), always (spec/rses.md 0.2, N).
 */
export function failWithoutRse(name: string): never {
  return fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);
}

/**
 * Says that an RSE is disabled.
 *
 * @throws RSENotFound (404), always (spec/rses.md 0.2, D).
 */
export function failDisabled(id: string): never {
  return fail('RSENotFound', `RSE with id '${id}' cannot be found`);
}

/**
 * The RSE of a name, which must not be disabled.
 *
 * @param disabled What a disabled one is answered with, given its id; the usual text where absent.
 * @throws RSENotFound (404) when there is none of that name, or it is disabled (spec/rses.md 0.2, N and D).
 */
export async function requireLiveRse(table: Table, name: string, disabled?: (id: string) => string): Promise<Rse> {
  const rse = await requireRse(table, name);
  if (rse.deletedAt === undefined) return rse;
  return disabled === undefined ? failDisabled(rse.id) : fail('RSENotFound', disabled(rse.id));
}

/**
 * The RSE of a name, disabled or not, as the process remembers the fleet: one read of its version when it is warm.
 *
 * @throws RSENotFound (404) when there is none of that name (spec/rses.md 0.2, N).
 */
export async function recallRse(table: Table, name: string): Promise<Rse> {
  return (await getFleet(table)).byName.get(name) ?? failWithoutRse(name);
}

/**
 * The same, which must not be disabled.
 *
 * @throws RSENotFound (404) when there is none of that name, or it is disabled: both as if there were none.
 */
export async function recallLiveRse(table: Table, name: string): Promise<Rse> {
  const rse = await recallRse(table, name);
  return rse.deletedAt === undefined ? rse : failWithoutRse(name);
}
