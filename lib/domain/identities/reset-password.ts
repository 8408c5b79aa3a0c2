import { fail, RucioError } from '../../errors.ts';
import { getIdentityWithMappings, type Identity, setPassword } from '../../store/entities/identity.ts';
import type { Store } from '../../store/open-store.ts';
import { invalidateOrigin } from '../permission/facts.ts';
import { hashPassword } from './password.ts';

/** Sets the password of an identity that was read; its tokens for these accounts end. */
export async function changePassword(
  store: Store,
  identity: Identity,
  { accounts, password }: { readonly accounts: readonly string[]; readonly password: string },
): Promise<void> {
  const hash = await hashPassword(password);
  const raced = () => new RucioError('CannotAuthenticate', 'The password was changed by another request.');
  await store.write(async () => [setPassword(identity, { password: hash }, raced)]);
  for (const account of accounts) invalidateOrigin(store, account, identity);
}

/**
 * Sets the password of a username, for operators who have access to the table.
 *
 * @returns The accounts of the username.
 * @throws IdentityError when there is no such username.
 */
export async function resetPassword(store: Store, username: string, password: string): Promise<readonly string[]> {
  const { identity, mappings } = await getIdentityWithMappings(store.table, { type: 'USERPASS', identity: username });
  if (identity === undefined || mappings.length === 0)
    return fail('IdentityError', `There is no username ${username}.`);
  const accounts = mappings.map(({ account }) => account);
  await changePassword(store, identity, { accounts, password });
  return accounts;
}
