import { rseName } from '../../contract/schemas/names.ts';
import type { NewRse } from '../../contract/schemas/rse.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { draftRse, insertRseDraft } from '../../domain/rses/draft-rse.ts';
import { givingName, nameInUseError } from '../../domain/rses/name-in-use.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { raiseFleetVersion } from '../../store/entities/fleet-version.ts';

/**
 * Creates an RSE with its implicit and location attributes and its usage record (spec/rses.md 1.2).
 *
 * @throws InputValidationError (422) when the availability is given in both forms; InvalidObject (400) for a bad name;
 *   AccessDenied (401); Duplicate (409).
 */
export async function addRse(context: Context, name: string, input: NewRse): Promise<void> {
  const rse = draftRse(name, input, context.now);
  const { error } = rseName.safeParse(name);
  if (error !== undefined) fail('InvalidObject', `Problem validating rse: ${error.issues[0]?.message}`);
  await authorize(context, 'add_rse', undefined);
  await givingName(context.store.table, name, () =>
    context.store.write(async (latest) => [
      ...insertRseDraft(rse, () => nameInUseError(name)),
      await raiseFleetVersion(latest),
    ]),
  );
}
