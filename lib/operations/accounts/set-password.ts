import { checkPassword } from '../../domain/auth/check-password.ts';
import { changePassword } from '../../domain/identities/reset-password.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { getIdentityWithMappings, type Identity, isIdentityText } from '../../store/entities/identity.ts';
import { getFailures } from '../../store/entities/login.ts';
import { addUserPass } from './add-identity.ts';

const type = 'USERPASS';

/** The headers of a request that creates a username or sets its password; empty texts count as absent. */
export interface UserPass {
  readonly account: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly email: string | undefined;
  /** The present password, of those who set their own. */
  readonly current: string | undefined;
}

/**
 * Creates a username with a password for an account, or sets the password of one that the account has (spec/access.md 2.5).
 * A user who has logged in with the username sets its password with the present one; for others, root and admins set it, root alone
 * that of a username of root. Its tokens end.
 *
 * @throws ValueError, InvalidObject (400), AccessDenied, CannotAuthenticate (401), AccountNotFound (404), Duplicate (409) when
 *   the username exists and does not belong to the account; CannotAuthenticate (429) after too many wrong passwords.
 */
export async function putUserPass(context: Context, given: UserPass): Promise<void> {
  const { account, username, password, email, current } = given;
  const isOwn = context.issuer.type === type && context.issuer.identity === username;
  if (!isOwn) await authorize(context, 'add_account_identity', { account });
  const { identity, mappings } =
    username !== undefined && isIdentityText(username)
      ? await getIdentityWithMappings(context.store.table, { type, identity: username })
      : { identity: undefined, mappings: [] };
  const accounts = mappings.map((mapping) => mapping.account);
  if (identity === undefined || !accounts.includes(account)) {
    if (!username || !password || !email) return fail('ValueError', 'Username, Email and Password must be set.');
    return addUserPass(context, { account, username, password, email });
  }
  if (!password) return fail('ValueError', 'Username and Password must be set.');
  if (email && email !== identity.email) {
    const message = 'already exists with another e-mail address! Leave the e-mail address out.';
    throw new RucioError('Duplicate', `Identity pair '${identity.identity}','IdentityType.${type}' ${message}`);
  }
  await authorize(context, 'set_password', { accounts, isOwn });
  if (isOwn) await requirePresentPassword(context, identity, current);
  await changePassword(context.store, identity, { accounts, password });
}

async function requirePresentPassword(context: Context, identity: Identity, current?: string): Promise<void> {
  if (!current) fail('ValueError', 'The present password must be set, in X-Rucio-Current-Password.');
  const username = identity.identity;
  const failures = await getFailures(context.store.table, [identity]);
  const isRight = await checkPassword(context, { username, password: current, identity, failures, isLogin: false });
  if (!isRight) fail('CannotAuthenticate', 'The present password is wrong.');
}
