import type { Table } from './batches/table.ts';
import { requireOpenRse } from './entities/closed-rse.ts';
import { raiseFleetVersion } from './entities/fleet-version.ts';
import { getFleet } from './entities/rse-fleet.ts';
import { LostRace, type Plan } from './items/plan.ts';
import { rseOfContent } from './keys/replica-keys.ts';

/** The most RSEs that a plan checks one by one: the commit makes the checks, in a transaction of 100 items. */
const maxChecks = 50;
const maxExact = 98;

/**
 * Adds to a plan the condition that the RSEs to which it adds replicas are not deleted when it takes effect. Every plan passes
 * through here, so no writer of replicas has to care for it. Costs two write units for each of these RSEs, no read, and
 * nothing for other plans.
 *
 * A plan for very many RSEs raises the version of the fleet instead. The deletion of an RSE raises it too, so the two conflict, and
 * one of them is retried.
 */
export async function withOpenRses(latest: Table, plan: Plan): Promise<Plan> {
  const rseIds = new Set<string>();
  for (const write of plan) {
    const rseId = write.kind === 'insert' ? rseOfContent(write.item) : undefined;
    if (rseId !== undefined) rseIds.add(rseId);
  }
  if (rseIds.size === 0) return plan;
  const exact = plan.filter((write) => write.kind === 'change' && write.isExact === true).length;
  if (rseIds.size <= maxChecks && rseIds.size + exact <= maxExact) {
    return [...plan, ...Array.from(rseIds, requireOpenRse)];
  }
  const version = await raiseFleetVersion(latest.latest(), { isExact: true });
  // Read after the version: an RSE that is deleted later has raised it.
  const { byId } = await getFleet(latest.latest());
  for (const rseId of rseIds) {
    if (byId.get(rseId)?.deletedAt !== undefined) throw new LostRace(`RSE ${rseId} was deleted concurrently`);
  }
  return [...plan, version];
}
