import type { NewIdentity } from '../../contract/schemas/identity.ts';
import { requireActiveAccount } from '../../domain/accounts/find-account.ts';
import { withoutProxies } from '../../domain/identities/distinguished-name.ts';
import { requireIdentityText } from '../../domain/identities/identity-key.ts';
import { hashPassword } from '../../domain/identities/password.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { requireStillActive } from '../../store/entities/account.ts';
import { getIdentity, type Identity, insertIdentity, insertMapping } from '../../store/entities/identity.ts';
import { LostRace } from '../../store/items/plan.ts';

/** An identity to map to an account; with the password in clear text. */
interface Addition extends Identity {
  readonly account: string;
  readonly isDefault: boolean;
}

/**
 * Maps an identity to an account. An existing identity keeps its password and e-mail address, as in Rucio
 * (spec/access.md 2.3).
 *
 * @throws InvalidObject, IdentityError (400), AccessDenied (401), AccountNotFound (404), Duplicate (409).
 */
export async function addAccountIdentity(
  context: Context,
  { account, identity, authtype, email, password, default: isDefault }: NewIdentity & { readonly account: string },
): Promise<void> {
  const secret = authtype === 'USERPASS' && password ? { password } : {};
  await addIdentity(context, { account, type: authtype, identity, email, isDefault, ...secret }, { mustBeNew: false });
}

/**
 * Creates an identity with a password and maps it to an account (spec/access.md 2.5).
 *
 * @throws ValueError, InvalidObject (400), AccessDenied (401), AccountNotFound (404), Duplicate (409) when the username
 *   exists.
 */
export async function addUserPass(
  context: Context,
  given: {
    readonly account: string;
    readonly username: string | undefined;
    readonly password: string | undefined;
    readonly email: string | undefined;
  },
): Promise<void> {
  const { account, username, password, email } = given;
  if (!username || !password || !email) return fail('ValueError', 'Username, Email and Password must be set.');
  const addition = { account, type: 'USERPASS', identity: username, email, password, isDefault: false };
  await addIdentity(context, addition, { mustBeNew: true });
}

/**
 * Maps the subject of the caller's certificate, without proxy components, to an account (spec/access.md 2.5).
 *
 * @param dn From mutual TLS; undefined without a certificate.
 * @throws ValueError, InvalidObject (400), AccessDenied (401), AccountNotFound (404), Duplicate (409) when the identity
 *   exists.
 */
export async function addX509(
  context: Context,
  given: { readonly account: string; readonly dn: string | undefined; readonly email: string | undefined },
): Promise<void> {
  const { account, dn, email } = given;
  if (!dn || !email) return fail('ValueError', 'SSL_CLIENT_S_DN and email must be set.');
  const addition = { account, type: 'X509', identity: withoutProxies(dn), email, isDefault: false };
  await addIdentity(context, addition, { mustBeNew: true });
}

async function addIdentity(context: Context, addition: Addition, { mustBeNew }: { mustBeNew: boolean }): Promise<void> {
  const { store, now } = context;
  const { account, type, identity, email, password } = addition;
  requireIdentityText(identity);
  await authorize(context, 'add_account_identity', { account });
  const duplicate = () =>
    new RucioError('Duplicate', `Identity pair '${identity}','IdentityType.${type}' already exists!`);
  // The identity was created concurrently: retry the plan.
  const retry = () => new LostRace();
  let hash: string | undefined;

  await store.write(async (latest) => {
    await requireActiveAccount(latest, account, `Account '${account}' does not exist.`);
    const known = await getIdentity(latest, { type, identity });
    if (known !== undefined) {
      if (mustBeNew) throw duplicate();
      return [...insertMapping({ ...addition, email: known.email }, now, duplicate), requireStillActive(account)];
    }
    if (type === 'USERPASS' && password === undefined) fail('IdentityError', 'You must provide a password!');
    if (password !== undefined) hash ??= await hashPassword(password);
    const created = { type, identity, email, ...(hash === undefined ? {} : { password: hash }) };
    return [
      insertIdentity(created, now, retry),
      ...insertMapping(addition, now, duplicate),
      requireStillActive(account),
    ];
  });
}
