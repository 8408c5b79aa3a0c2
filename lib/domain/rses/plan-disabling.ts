import type { Table } from '../../store/batches/table.ts';
import { confirmOwnUsage } from '../../store/entities/rse-usage.ts';
import { changeRse, hasRseContent, patchMembers, type Rse } from '../../store/entities/rse.ts';
import type { Plan } from '../../store/items/plan.ts';

/**
 * The writes that disable a live RSE; undefined when it is not empty. The plan must also call `raiseFleetVersion`.
 *
 * @param now In milliseconds since 1970.
 */
export async function planDisabling(rse: Rse, latest: Table, now: number): Promise<Plan | undefined> {
  const { id } = rse;
  // `used` alone is not enough: clients can overwrite the catalogue's own usage record.
  const [{ used, write: confirm }, hasContent] = await Promise.all([
    confirmOwnUsage(latest, id),
    hasRseContent(latest, id),
  ]);
  if (hasContent || used !== 0) return undefined;
  const { remove = [] } = patchMembers('attribute', [[rse.rse, undefined]]);
  const write = changeRse(rse, { set: { deletedAt: now, updatedAt: now }, remove });
  return confirm === undefined ? [write] : [write, confirm];
}
