import { failRseDisabled } from '../../domain/rses/find-rse.ts';
import { planDisabling, requireEmpty } from '../../domain/rses/plan-disabling.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Plan } from '../../store/items/plan.ts';

/**
 * Disables an empty RSE. Its name stays reserved and its record stays, without the attribute with its name
 * (spec/rses.md 1.5, 2.7). Of a deletion and a concurrent registration of a replica only one succeeds.
 *
 * @throws RSENotFound (404), also for a disabled one; AccessDenied (401); RSEOperationNotSupported (404) when it is not
 *   empty.
 */
export async function deleteRse(context: Context, name: string): Promise<void> {
  let rseIds: readonly string[] = [];
  const plan = async (rse: Rse, latest: Table): Promise<Plan> => {
    if (rse.deletedAt !== undefined) failRseDisabled(rse.id);
    rseIds = [rse.id];
    const writes = await planDisabling(rse, latest, context.now);
    return writes ?? fail('RSEOperationNotSupported', `RSE '${name}' is not empty`);
  };
  await writeRse(context, name, 'del_rse', plan, { confirm: () => requireEmpty(context.store.table, rseIds) });
}
