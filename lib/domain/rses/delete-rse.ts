import { fail } from '../../errors.ts';
import { confirmOwnUsage } from '../../store/entities/rse-usage.ts';
import { changeRse, holdsContent, patchMembers, type Rse } from '../../store/entities/rse.ts';
import type { Plan } from '../../store/plan.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { failDisabled } from './find-rse.ts';
import { writeRse } from './write-rse.ts';

/**
 * Disables an RSE that holds nothing. Its name stays taken, and all that belongs to it stays but for the attribute that
 * is its name (spec/rses.md 1.5, 2.7).
 *
 * @throws RSENotFound (404), also for a disabled one; AccessDenied (401); RSEOperationNotSupported (404) when it is not
 *   empty.
 */
export async function deleteRse(context: Context, name: string): Promise<void> {
  await writeRse(context, name, 'del_rse', async (rse, latest) => {
    if (rse.deletedAt !== undefined) failDisabled(rse.id);
    const plan = await planDisabling(rse, latest, context.now);
    return plan ?? fail('RSEOperationNotSupported', `RSE '${name}' is not empty`);
  });
}

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
