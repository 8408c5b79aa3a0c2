import type { Table } from '../../store/batches/table.ts';
import { confirmOwnUsage } from '../../store/entities/rse-usage.ts';
import { changeRse, holdsContent, patchMembers, type Rse } from '../../store/entities/rse.ts';
import type { Plan } from '../../store/items/plan.ts';

/**
 * The writes that disable a live RSE; undefined when it is not empty. They need `raiseFleetVersion`.
 *
 * @param now In milliseconds since 1970.
 */
export async function planDisabling(rse: Rse, latest: Table, now: number): Promise<Plan | undefined> {
  const { id } = rse;
  // What the catalogue says of itself can be overwritten.
  const [{ used, write: confirm }, holds] = await Promise.all([confirmOwnUsage(latest, id), holdsContent(latest, id)]);
  if (holds || used !== 0) return undefined;
  const { remove = [] } = patchMembers('attribute', [[rse.rse, undefined]]);
  const write = changeRse(rse, { set: { deletedAt: now, updatedAt: now }, remove });
  return confirm === undefined ? [write] : [write, confirm];
}
