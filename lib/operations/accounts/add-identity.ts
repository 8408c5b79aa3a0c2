import type { NewIdentity } from '../../contract/schemas/identity.ts';
import { requireActiveAccount } from '../../domain/accounts/find-account.ts';
import { withoutProxies } from '../../domain/identities/distinguished-name.ts';
import { checkIdentityText } from '../../domain/identities/identity-key.ts';
import { hashPassword } from '../../domain/identities/password.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { getIdentity, type Identity, insertIdentity, insertMapping } from '../../store/entities/identity.ts';
import { LostRace } from '../../store/items/plan.ts';

/** An identity and the account that it is to act for; the password in clear text. */
interface Addition extends Identity {
  readonly account: string;
  readonly isDefault: boolean;
}

/**
 * Lets an identity act for an account. An identity that exists keeps its password and e-mail address, as in Rucio
 * (spec/access.md 2.3).
 *
 * @throws InvalidObject, IdentityError (400), AccessDenied (401), AccountNotFound (404), Duplicate (409).
 */
export async function addAccountIdentity(
  context: Context,
  { account, identity, authtype, email, password, default: isDefault }: NewIdentity & { readonly account: string },
): Promise<void> {
  const secret = authtype === 'USERPASS' && password ? { password } : {};
  await add(context, { account, type: authtype, identity, email, isDefault, ...secret }, { mustBeNew: false });
}

/**
 * Creates a username with a password and lets it act for an account (spec/access.md 2.5).
 *
 * @throws ValueError, InvalidObject (400), AccessDenied (401), AccountNotFound (404), Duplicate (409) when somebody has
 *   this username.
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
  await add(context, addition, { mustBeNew: true });
}

/**
 * Lets the caller's own certificate act for an account, by its subject without what proxies add (spec/access.md 2.5).
 *
 * @param dn From mutual TLS; undefined without a certificate.
 * @throws ValueError, InvalidObject (400), AccessDenied (401), AccountNotFound (404), Duplicate (409) when the subject is
 *   an identity already.
 */
export async function addX509(
  context: Context,
  given: { readonly account: string; readonly dn: string | undefined; readonly email: string | undefined },
): Promise<void> {
  const { account, dn, email } = given;
  if (!dn || !email) return fail('ValueError', 'SSL_CLIENT_S_DN and email must be set.');
  const addition = { account, type: 'X509', identity: withoutProxies(dn), email, isDefault: false };
  await add(context, addition, { mustBeNew: true });
}

async function add(context: Context, addition: Addition, { mustBeNew }: { mustBeNew: boolean }): Promise<void> {
  const { store, now } = context;
  const { account, type, identity, email, password } = addition;
  checkIdentityText(identity);
  await authorize(context, 'add_account_identity', {});
  const duplicate = () =>
    new RucioError('Duplicate', `Identity pair '${identity}','IdentityType.${type}' already exists!`);
  // Somebody else has made the identity in between: the plan is made anew.
  const retry = () => new LostRace();
  let hash: string | undefined;

  await store.write(async (latest) => {
    await requireActiveAccount(latest, account, `Account '${account}' does not exist.`);
    const known = await getIdentity(latest, { type, identity });
    if (known !== undefined) {
      if (mustBeNew) throw duplicate();
      return insertMapping({ ...addition, email: known.email }, now, duplicate);
    }
    if (type === 'USERPASS' && password === undefined) fail('IdentityError', 'You must provide a password!');
    if (password !== undefined) hash ??= await hashPassword(password);
    const made = { type, identity, email, ...(hash === undefined ? {} : { password: hash }) };
    return [insertIdentity(made, now, retry), ...insertMapping(addition, now, duplicate)];
  });
}
