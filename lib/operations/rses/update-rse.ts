import { type RseChange, rseProperties } from '../../contract/schemas/rse.ts';
import { givingName } from '../../domain/rses/name-in-use.ts';
import { applyRseChange, planRseChange } from '../../domain/rses/plan-rse-change.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';

/**
 * Changes properties of an RSE, live or disabled. A new name moves nothing: everything of an RSE is stored under its id
 * (spec/rses.md 1.4).
 *
 * @throws RSENotFound (404), AccessDenied (401), InputValidationError (400) for an unknown key, Duplicate
 *   (409) for a name in use.
 */
export async function updateRse(context: Context, name: string, change: RseChange): Promise<void> {
  await givingName(context.store.table, change.name ?? undefined, () =>
    writeRse(context, name, 'update_rse', (rse) => {
      const unknownKey = Object.keys(change).find((key) => !rseProperties.has(key));
      if (unknownKey !== undefined)
        fail('InputValidationError', `The key '${unknownKey}' does not exist for RSE properties.`);
      return planRseChange(rse, applyRseChange(rse, change), context.now);
    }),
  );
}
