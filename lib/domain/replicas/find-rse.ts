import { fail } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Table } from '../../store/table.ts';

/**
 * The live RSE of a name, from the fleet that a process remembers.
 *
 * @throws RSENotFound (404).
 */
export async function findLiveRse(table: Table, name: string): Promise<Rse> {
  const { byName } = await getFleet(table);
  const rse = byName.get(name);
  if (rse === undefined || rse.deletedAt !== undefined) {
    fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);
  }
  return rse;
}
