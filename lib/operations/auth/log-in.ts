import { isAccountName } from '../../domain/accounts/find-account.ts';
import { chooseMapping, isOurVo, type Login, mayActForAccount, refuseLogin } from '../../domain/auth/caller.ts';
import { requireNotThrottled, countPasswordCheck } from '../../domain/auth/throttle.ts';
import { isCorrectPassword } from '../../domain/identities/password.ts';
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
 * Issues a token for a username and a password (spec/access.md 1.2 to 1.4). Checks the password and counts the attempt
 * before any other answer. The check takes the same time for an unknown user. A hash that came from a Rucio server is
 * replaced by one of ours.
 *
 * @throws RucioException (400) for a malformed VO; CannotAuthenticate, IdentityError, IdentityNotFound (401);
 *   CannotAuthenticate (429) after too many wrong passwords.
 */
export async function logIn(context: AnonymousContext, credentials: Credentials): Promise<Login> {
  const { vo, account, username, password } = credentials;
  const isHere = isOurVo(vo);
  if (!username || !password) {
    return fail('CannotAuthenticate', 'Cannot authenticate without passing all required arguments');
  }
  const isPossible = isHere && isIdentityText(username) && (!account || isAccountName(account));
  if (!isPossible) {
    await isCorrectPassword(password, undefined);
    return account ? refuseLogin(account) : fail('IdentityError', 'Cannot authenticate. The identity does not exist.');
  }
  const user = { username, password };
  return account ? logInTo(context, account, user) : logInToDefault(context, user);
}

interface User {
  readonly username: string;
  readonly password: string;
}

async function logInTo(context: AnonymousContext, account: string, { username, password }: User): Promise<Login> {
  const facts = await getLoginFacts(context.store.table, account, { type, identity: username });
  requireNotThrottled(facts.failures, context.now);
  const fits = (await isCorrectPassword(password, facts.identity?.password)) && mayActForAccount(facts);
  await countPasswordCheck(context, { whose: { account }, fits, known: facts.failures });
  if (!fits) return refuseLogin(account);
  if (facts.identity !== undefined) await renewPassword(context.store, facts.identity, password);
  return { account, ...(await issueToken({ account, identity: username }, context.now)) };
}

/** Logs in to the only account of an identity, or to its default account. */
async function logInToDefault(context: AnonymousContext, { username, password }: User): Promise<Login> {
  const { table } = context.store;
  const key = { type, identity: username };
  const { identity, mappings } = await getIdentityWithMappings(table, key);
  const chosen = chooseMapping(mappings);
  if (chosen !== undefined) return logInTo(context, chosen.account, { username, password });
  if (identity === undefined) {
    await isCorrectPassword(password, undefined);
    fail('IdentityError', 'Cannot authenticate. The identity does not exist.');
  }

  const [first] = mappings;
  const whose = first === undefined ? key : { account: first.account };
  const known = await getFailures(table, whose);
  requireNotThrottled(known, context.now);
  // An identity without accounts must not reveal whether the password is correct.
  const fits = (await isCorrectPassword(password, identity.password)) && first !== undefined;
  await countPasswordCheck(context, { whose, fits, known });
  if (first === undefined) fail('IdentityNotFound', 'Cannot authenticate. Username/Password pair does not exist.');
  if (!fits) fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
  return { accounts: mappings.map(({ account }) => account) };
}
