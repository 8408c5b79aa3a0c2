import type { Table } from './batches/table.ts';
import { tellFleetChange } from './entities/fleet-version.ts';
import { keyOf, type Plan } from './items/plan.ts';
import { rseIdOf } from './keys/rse-keys.ts';

/**
 * Adds to a plan that inserts or changes RSEs the writes that tell all processes of it. Every plan passes through here, so no
 * writer of RSEs has to care for the copies of the version.
 */
export async function withToldFleet(latest: Table, plan: Plan): Promise<Plan> {
  const rseIds = plan.flatMap((write) => {
    if (write.kind === 'absence' || (write.kind === 'change' && write.isCheck === true)) return [];
    return rseIdOf(keyOf(write)) ?? [];
  });
  return rseIds.length === 0 ? plan : [...plan, ...(await tellFleetChange(latest, rseIds))];
}
