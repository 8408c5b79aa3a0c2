import type { WriteOptions } from '../../store/batches/commit.ts';
import type { Table } from '../../store/batches/table.ts';
import { raiseFleetVersion } from '../../store/entities/fleet-version.ts';
import { type Rse } from '../../store/entities/rse.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';
import { authorize } from '../permission/authorize.ts';
import type { RseAction } from '../permission/permission-targets.ts';
import type { Context } from '../values/context.ts';
import { requireRse } from './find-rse.ts';

/**
 * Writes a change of an RSE, live or disabled, and raises the version of the fleet. Checks in Rucio's order: the RSE, the
 * permission, the rest (spec/rses.md 0.5).
 *
 * @param plan Decides on the writes from the latest state; none without a change. Called again after a conflict.
 * @param options `confirm`: looks again when the writes are staged ({@link WriteOptions}).
 * @throws RSENotFound (404), AccessDenied (401), what `plan` throws; PayloadTooLarge (413) when the item of the RSE is
 *   full.
 */
export async function writeRse(
  context: Context,
  name: string,
  action: RseAction,
  plan: (rse: Rse, latest: Table) => Plan | Promise<Plan>,
  options: Pick<WriteOptions, 'confirm'> = {},
): Promise<void> {
  const isExact = options.confirm !== undefined;
  await context.store.write(async (latest) => {
    const [rse, version] = await Promise.all([requireRse(latest, name), raiseFleetVersion(latest, { isExact })]);
    if (rse.rse !== name) throw new LostRace(`RSE ${name} was renamed while it was read`);
    await authorize(context, action, { rse: name, rses: () => Promise.resolve([rse]) });
    const writes = await plan(rse, latest);
    return writes.length === 0 ? [] : [...writes, version];
  }, options);
}
