import { isAccountName } from '../../domain/accounts/find-account.ts';
import { chooseMapping, isOurVo, type Login, originNow, refuseLogin } from '../../domain/auth/caller.ts';
import { checkPassword, pretendToCheck } from '../../domain/auth/check-password.ts';
import { renewPassword } from '../../domain/identities/renew-password.ts';
import { issueToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getIdentityWithMappings, isIdentityText } from '../../store/entities/identity.ts';
import { getFailures, getLoginFacts } from '../../store/entities/login.ts';

/** A log-in with a password; empty texts count as absent. */
export interface Credentials {
  readonly vo: string | undefined;
  readonly account: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

const type = 'USERPASS';

/**
 * Issues a token for a username and a password (spec/access.md 1.2 to 1.4). Checks the password and counts the attempt, at the
 * username and at the account, before any other answer. All refusals take the same time. A hash that came from a Rucio server
 * is replaced by one of ours.
 *
 * @throws RucioException (400) for a malformed VO; CannotAuthenticate, IdentityError (401); CannotAuthenticate (429) after too
 *   many wrong passwords; DatabaseException (503) while too many passwords are checked.
 */
export async function logIn(context: AnonymousContext, credentials: Credentials): Promise<Login> {
  const { vo, account, username, password } = credentials;
  const isHere = isOurVo(vo);
  if (!username || !password) {
    return fail('CannotAuthenticate', 'Cannot authenticate without passing all required arguments');
  }
  const isPossible = isHere && isIdentityText(username) && (!account || isAccountName(account));
  if (!isPossible) {
    await pretendToCheck(username, password);
    return account ? refuseLogin(account) : failUnknown();
  }
  const user = { username, password };
  return account ? logInTo(context, account, user) : logInToDefault(context, user);
}

interface User {
  readonly username: string;
  readonly password: string;
}

async function logInTo(context: AnonymousContext, account: string, user: User): Promise<Login> {
  const facts = await getLoginFacts(context.store.table, account, { type, identity: user.username });
  const { failures, mapping } = facts;
  const origin = originNow(facts);
  const identity = mapping === undefined ? undefined : facts.identity;
  const isRight = await checkPassword(context, { ...user, identity, failures, isLogin: origin !== undefined });
  if (!isRight) return refuseLogin(account);
  if (origin === undefined || identity === undefined) return refuseLogin(account, facts.account?.status);
  await renewPassword(context.store, identity, user.password);
  return { account, ...(await issueToken({ account, identity: user.username, origin }, context.now)) };
}

/** Logs in to the only account of an identity, or to its default account. */
async function logInToDefault(context: AnonymousContext, user: User): Promise<Login> {
  const { table } = context.store;
  const key = { type, identity: user.username };
  const { identity, mappings } = await getIdentityWithMappings(table, key);
  const chosen = chooseMapping(mappings);
  if (chosen !== undefined) return logInTo(context, chosen.account, user);
  const failures = await getFailures(table, [key]);
  const known = mappings.length === 0 ? undefined : identity;
  const isRight = await checkPassword(context, { ...user, identity: known, failures, isLogin: false });
  if (known === undefined) return failUnknown();
  if (!isRight) fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
  return { accounts: mappings.map(({ account }) => account) };
}

function failUnknown(): never {
  return fail('IdentityError', 'Cannot authenticate. The identity does not exist.');
}
