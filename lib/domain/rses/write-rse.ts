import type { Table } from '../../store/batches/table.ts';
import { type Rse, raiseFleetVersion } from '../../store/entities/rse.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';
import { authorize } from '../permission/authorize.ts';
import type { RseAction } from '../permission/permission-targets.ts';
import type { Context } from '../values/context.ts';
import { requireRse } from './find-rse.ts';

/**
 * Carries out what an action does to an RSE, live or disabled, and tells all processes that the fleet has changed. The
 * order of checks is Rucio's: the RSE, the permission, the rest (spec/rses.md 0.5).
 *
 * @param plan Decides on the writes, from the latest state; none when nothing changes. Called again when another writer
 *   got in between.
 * @throws RSENotFound (404), AccessDenied (401), what `plan` throws; PayloadTooLarge (413) when the RSE can hold no more.
 */
export async function writeRse(
  context: Context,
  name: string,
  action: RseAction,
  plan: (rse: Rse, latest: Table) => Plan | Promise<Plan>,
): Promise<void> {
  await context.store.write(async (latest) => {
    const [rse, version] = await Promise.all([requireRse(latest, name), raiseFleetVersion(latest)]);
    if (rse.rse !== name) throw new LostRace(`RSE ${name} was renamed while it was read`);
    await authorize(context, action, { rse: name });
    const writes = await plan(rse, latest);
    return writes.length === 0 ? [] : [...writes, version];
  });
}
