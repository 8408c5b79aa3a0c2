import type { NamedIdentity } from '../../contract/schemas/identity.ts';
import { isAccountName } from '../../domain/accounts/find-account.ts';
import { requireIdentityText } from '../../domain/identities/identity-key.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { invalidateOrigin } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import {
  deleteIdentity,
  deleteMapping,
  getIdentityWithMappings,
  touchIdentity,
} from '../../store/entities/identity.ts';
import { LostRace } from '../../store/items/plan.ts';

/**
 * Removes the mapping of an identity to an account, and the identity with its password if that was the last one
 * (spec/access.md 2.3). Its tokens for the account end.
 *
 * @throws InvalidObject (400), AccessDenied (401), IdentityError (404).
 */
export async function deleteAccountIdentity(
  context: Context,
  { account, identity: text, authtype: type }: NamedIdentity & { readonly account: string },
): Promise<void> {
  const { store } = context;
  requireIdentityText(text);
  await authorize(context, 'del_account_identity', { account });
  const notFound = () => new RucioError('IdentityError', `Identity ('${text}','IdentityType.${type}') does not exist!`);
  if (!isAccountName(account)) throw notFound();
  const key = { type, identity: text };
  const raced = () => new LostRace('the mappings of the identity were changed concurrently');
  await store.write(async (latest) => {
    const { identity, mappings } = await getIdentityWithMappings(latest, key);
    if (identity === undefined) return deleteMapping({ account, ...key }, notFound);
    if (!mappings.some((mapping) => mapping.account === account)) throw notFound();
    const isLast = mappings.length === 1;
    return [
      ...deleteMapping({ account, ...key }, notFound),
      isLast ? deleteIdentity(identity, raced) : touchIdentity(identity, raced),
    ];
  });
  invalidateOrigin(store, account, key);
}
