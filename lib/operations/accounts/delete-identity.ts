import type { NamedIdentity } from '../../contract/schemas/identity.ts';
import { isAccountName } from '../../domain/accounts/find-account.ts';
import { requireIdentityText } from '../../domain/identities/identity-key.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import { deleteMapping } from '../../store/entities/identity.ts';

/**
 * Removes the mapping of an identity to an account; the identity stays, with its password (spec/access.md 2.3).
 *
 * @throws InvalidObject (400), AccessDenied (401), IdentityError (404).
 */
export async function deleteAccountIdentity(
  context: Context,
  { account, identity, authtype: type }: NamedIdentity & { readonly account: string },
): Promise<void> {
  requireIdentityText(identity);
  await authorize(context, 'del_account_identity', { account });
  const notFound = () =>
    new RucioError('IdentityError', `Identity ('${identity}','IdentityType.${type}') does not exist!`);
  if (!isAccountName(account)) throw notFound();
  await context.store.write(async () => deleteMapping({ account, type, identity }, notFound));
}
