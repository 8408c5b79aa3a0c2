import { forEachLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { closeRse } from '../../store/entities/closed-rse.ts';
import { hasRseContent } from '../../store/entities/rse-content.ts';
import { confirmOwnUsage } from '../../store/entities/rse-usage.ts';
import { changeRse, patchMembers, type Rse } from '../../store/entities/rse.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';

/** The most RSEs that are looked at in parallel. */
const maxParallelChecks = 16;

/**
 * The writes that disable a live RSE and close it; undefined when it is not empty. The plan must also call
 * `raiseFleetVersion` with `isExact`, and must {@link requireEmpty} once its writes are staged.
 *
 * @param now In milliseconds since 1970.
 */
export async function planDisabling(rse: Rse, latest: Table, now: number): Promise<Plan | undefined> {
  const { id } = rse;
  const table = latest.latest();
  // `used` alone is not enough: clients can overwrite the catalogue's own usage record.
  const [{ used, write: confirm }, hasContent] = await Promise.all([
    confirmOwnUsage(table, id),
    hasRseContent(table, id),
  ]);
  if (hasContent || used !== 0) return undefined;
  const { remove = [] } = patchMembers('attribute', [[rse.rse, undefined]]);
  const write = changeRse(rse, { set: { deletedAt: now, updatedAt: now }, remove });
  return [write, ...closeRse(id), ...(confirm === undefined ? [] : [confirm])];
}

/**
 * Looks again whether RSEs are empty. While their closing is staged no further replica comes, so what this finds remains true.
 *
 * @throws LostRace if one is not: the plan is made again.
 */
export async function requireEmpty(table: Table, rseIds: readonly string[]): Promise<void> {
  await forEachLimited(rseIds, maxParallelChecks, async (rseId) => {
    if (await hasRseContent(table.latest(), rseId)) throw new LostRace(`RSE ${rseId} got a replica concurrently`);
  });
}
