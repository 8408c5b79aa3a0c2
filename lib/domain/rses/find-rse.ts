import { fail } from '../../errors.ts';
import { getRse, getRseId, type Rse } from '../../store/entities/rse.ts';
import type { Table } from '../../store/table.ts';

/**
 * The RSE of a name, disabled or not.
 *
 * @throws RSENotFound (404) when there is none of that name (spec/rses.md 0.2, N).
 */
export async function requireRse(table: Table, name: string): Promise<Rse> {
  return (await getRse(table, name)) ?? notFound(name);
}

/**
 * The id of the RSE of a name, disabled or not.
 *
 * @throws RSENotFound (404) when there is none of that name (spec/rses.md 0.2, N).
 */
export async function requireRseId(table: Table, name: string): Promise<string> {
  return (await getRseId(table, name)) ?? notFound(name);
}

const notFound = (name: string) => fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);

/**
 * The RSE of a name, which must not be disabled.
 *
 * @param disabled What a disabled one is answered with, given its id; the usual text where absent.
 * @throws RSENotFound (404) when there is none of that name, or it is disabled (spec/rses.md 0.2, N and D).
 */
export async function requireLiveRse(
  table: Table,
  name: string,
  disabled = (id: string) => `RSE with id '${id}' cannot be found`,
): Promise<Rse> {
  const rse = await requireRse(table, name);
  return rse.deletedAt === undefined ? rse : fail('RSENotFound', disabled(rse.id));
}
