import { rseName } from '../../contract/schemas/did.ts';
import type { NewRse } from '../../contract/schemas/rse.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { draftRse, insertDraft } from '../../domain/rses/draft-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { raiseFleetVersion } from '../../store/entities/rse.ts';

/**
 * Creates an RSE with its implicit and location attributes and the record of what it holds (spec/rses.md 1.2).
 *
 * @throws InputValidationError (422) when the availability is given twice; InvalidObject (400) for a bad name;
 *   AccessDenied (401); Duplicate (409).
 */
export async function addRse(context: Context, name: string, input: NewRse): Promise<void> {
  const rse = draftRse(name, input, context.now);
  const { error } = rseName.safeParse(name);
  if (error !== undefined) fail('InvalidObject', `Problem validating rse: ${error.issues[0]?.message}`);
  await authorize(context, 'add_rse', undefined);
  const taken = () => new RucioError('Duplicate', `RSE '${name}' already exists!`);
  await context.store.write(async (latest) => [...insertDraft(rse, taken), await raiseFleetVersion(latest)]);
}
