import type { NewIdentity } from '../../contract/schemas/identity.ts';
import { requireActiveAccount } from '../../domain/accounts/find-account.ts';
import { checkPassword } from '../../domain/auth/check-password.ts';
import { withoutProxies } from '../../domain/identities/distinguished-name.ts';
import { requireSoundIdentity } from '../../domain/identities/identity-key.ts';
import { hashPassword } from '../../domain/identities/password.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { requireStillActive } from '../../store/entities/account.ts';
import {
  getIdentityWithMappings,
  hasPassword,
  type Identity,
  insertIdentity,
  insertMapping,
  renewIdentity,
  touchIdentity,
} from '../../store/entities/identity.ts';
import { getFailures } from '../../store/entities/login.ts';
import { LostRace } from '../../store/items/plan.ts';

/** An identity to map to an account; with the password in clear text. */
interface Addition extends Identity {
  readonly account: string;
  readonly isDefault: boolean;
}

/**
 * Maps an identity to an account. One that other accounts use keeps its e-mail address, as in Rucio, and its password: another
 * one is refused (spec/access.md 2.3).
 *
 * @throws InvalidObject, IdentityError (400), AccessDenied (401), AccountNotFound (404), Duplicate (409).
 */
export async function addAccountIdentity(
  context: Context,
  { account, identity, authtype, email, password, default: isDefault }: NewIdentity & { readonly account: string },
): Promise<void> {
  const secret = hasPassword({ type: authtype }) && password ? { password } : {};
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
  user: { readonly account: string; readonly username: string; readonly password: string; readonly email: string },
): Promise<void> {
  const { account, username, password, email } = user;
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

/** The length of Rucio's column. */
const maxEmailLength = 255;

async function addIdentity(context: Context, addition: Addition, { mustBeNew }: { mustBeNew: boolean }): Promise<void> {
  const { store, now } = context;
  const { account, type, identity: text, email, password } = addition;
  requireSoundIdentity({ type, identity: text });
  if (email.length > maxEmailLength)
    fail('InvalidObject', `The e-mail address is longer than ${maxEmailLength} characters`);
  await authorize(context, 'add_account_identity', { account });
  const duplicate = () => new RucioError('Duplicate', `Identity pair '${text}','IdentityType.${type}' already exists!`);
  const raced = () => new LostRace('the identity was changed concurrently');
  let hash: string | undefined;
  // A plan may be made again: the password is compared once with the same one, which counts as one log-in.
  let compared: { readonly to: Identity['password']; readonly outcome: Promise<void> } | undefined;

  await store.write(async (latest) => {
    await requireActiveAccount(latest, account, `Account '${account}' does not exist.`);
    const { identity: known, mappings } = await getIdentityWithMappings(latest, { type, identity: text });
    if (known !== undefined && mappings.length > 0) {
      if (mustBeNew || mappings.some((mapping) => mapping.account === account)) throw duplicate();
      if (password !== undefined) {
        if (compared?.to !== known.password)
          compared = { to: known.password, outcome: requireSamePassword(context, known, password) };
        await compared?.outcome;
      }
      return [
        ...insertMapping({ ...addition, email: known.email }, now, duplicate),
        touchIdentity(known, raced),
        requireStillActive(account),
      ];
    }
    if (hasPassword({ type }) && password === undefined) fail('IdentityError', 'You must provide a password!');
    if (password !== undefined) hash ??= await hashPassword(password);
    const content = { email, ...(hash === undefined ? {} : { password: hash }) };
    return [
      // Former versions left identities without an account behind: such a one is as good as new.
      known === undefined
        ? insertIdentity({ type, identity: text, ...content }, now, raced)
        : renewIdentity(known, content, raced),
      ...insertMapping(addition, now, duplicate),
      requireStillActive(account),
    ];
  });
}

/**
 * An identity that several accounts use has one password: a different one is refused rather than ignored. The check counts as
 * a log-in, so that it cannot be used to guess.
 */
async function requireSamePassword(context: Context, identity: Identity, password: string): Promise<void> {
  const failures = await getFailures(context.store.table, [identity]);
  const username = identity.identity;
  if (await checkPassword(context, { username, password, identity, failures, isLogin: false })) return;
  const message =
    `Identity pair '${username}','IdentityType.${identity.type}' already exists with another password! ` +
    'Leave the password out, or set it by PUT /identities/{account}/userpass.';
  throw new RucioError('Duplicate', message);
}
