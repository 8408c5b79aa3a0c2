import { type RseChange, rseProperties } from '../../contract/schemas/rse.ts';
import { applyChange, planChange } from '../../domain/rses/plan-change.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';

/**
 * Changes properties of an RSE, live or disabled. A new name moves nothing: all that belongs to an RSE hangs on its id
 * (spec/rses.md 1.4).
 *
 * @throws RSENotFound (404), AccessDenied (401), InputValidationError (400) for a key that is no property, Duplicate
 *   (409) for a name in use.
 */
export async function updateRse(context: Context, name: string, change: RseChange): Promise<void> {
  await writeRse(context, name, 'update_rse', (rse) => {
    const stranger = Object.keys(change).find((key) => !rseProperties.has(key));
    if (stranger !== undefined)
      fail('InputValidationError', `The key '${stranger}' does not exist for RSE properties.`);
    return planChange(rse, applyChange(rse, change), context.now);
  });
}
