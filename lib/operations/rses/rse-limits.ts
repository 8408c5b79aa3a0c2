import type { NewRseLimit, RseLimits } from '../../contract/schemas/rse-limit.ts';
import { requireRse } from '../../domain/rses/find-rse.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { changeRse, patchMembers } from '../../store/entities/rse.ts';

/**
 * The limits of an RSE, live or disabled, in bytes by name (spec/rses.md 1.13).
 *
 * @throws RSENotFound (404).
 */
export async function listRseLimits({ store }: Context, name: string): Promise<RseLimits> {
  return (await requireRse(store.table, name)).limits;
}

/**
 * Adds or changes a limit of an RSE (spec/rses.md 1.14).
 *
 * @throws RSENotFound (404), AccessDenied (401).
 */
export async function setRseLimit(context: Context, name: string, { name: limit, value }: NewRseLimit): Promise<void> {
  await writeRse(context, name, 'set_rse_limits', (rse) =>
    Object.hasOwn(rse.limits, limit) && rse.limits[limit] === value
      ? []
      : [changeRse(rse, patchMembers('limit', [[limit, value]]))],
  );
}

/**
 * Deletes a limit of an RSE, if there is one, or all limits (spec/rses.md 1.15).
 *
 * @param limit The name of the limit; null: all.
 * @throws RSENotFound (404), AccessDenied (401).
 */
export async function deleteRseLimit(context: Context, name: string, limit: string | null): Promise<void> {
  await writeRse(context, name, 'delete_rse_limits', (rse) => {
    const deleted = Object.keys(rse.limits).filter((present) => limit === null || present === limit);
    if (deleted.length === 0) return [];
    return [
      changeRse(
        rse,
        patchMembers(
          'limit',
          deleted.map((present) => [present, undefined] as const),
        ),
      ),
    ];
  });
}
