import { failRseDisabled } from '../../domain/rses/find-rse.ts';
import { planDisabling } from '../../domain/rses/plan-disabling.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';

/**
 * Disables an empty RSE. Its name stays reserved and its record stays, without the attribute with its name
 * (spec/rses.md 1.5, 2.7).
 *
 * @throws RSENotFound (404), also for a disabled one; AccessDenied (401); RSEOperationNotSupported (404) when it is not
 *   empty.
 */
export async function deleteRse(context: Context, name: string): Promise<void> {
  await writeRse(context, name, 'del_rse', async (rse, latest) => {
    if (rse.deletedAt !== undefined) failRseDisabled(rse.id);
    const plan = await planDisabling(rse, latest, context.now);
    return plan ?? fail('RSEOperationNotSupported', `RSE '${name}' is not empty`);
  });
}
