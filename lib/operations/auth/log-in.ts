import { isAccountName } from '../../domain/accounts/find-account.ts';
import { chooseMapping, isOurVo, type Login, mayAct, refuse } from '../../domain/auth/caller.ts';
import { checkFailures, countChecked } from '../../domain/auth/throttle.ts';
import { isPassword } from '../../domain/identities/password.ts';
import { issueToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getIdentityWithMappings } from '../../store/entities/identity.ts';
import { getFailures, getLoginFacts } from '../../store/entities/login.ts';
import { isEncodablePart } from '../../store/keys/key-parts.ts';

/** What a caller shows to be let in; empty texts count as not given. */
export interface Credentials {
  readonly vo: string | undefined;
  readonly account: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

const type = 'USERPASS';

/**
 * Issues a token for a username and a password (spec/access.md 1.2 to 1.4). The password is checked, and the
 * attempt counted, before anything else is told; that takes its time also where there is none.
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
  const isPossible = isHere && isEncodablePart(username) && (!account || isAccountName(account));
  if (!isPossible) {
    await isPassword(password, undefined);
    return account ? refuse(account) : fail('IdentityError', 'Cannot authenticate. The identity does not exist.');
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
  checkFailures(facts.failures, context.now);
  const fits = (await isPassword(password, facts.identity?.password)) && mayAct(facts);
  await countChecked(context, { whose: { account }, fits, known: facts.failures });
  if (!fits) return refuse(account);
  return { account, ...(await issueToken({ account, identity: username }, context.now)) };
}

/** Without the name of an account: the only one of the identity, or the one that is marked as its default. */
async function logInToDefault(context: AnonymousContext, { username, password }: User): Promise<Login> {
  const { table } = context.store;
  const key = { type, identity: username };
  const { identity, mappings } = await getIdentityWithMappings(table, key);
  const chosen = chooseMapping(mappings);
  if (chosen !== undefined) return logInTo(context, chosen.account, { username, password });
  if (identity === undefined) {
    await isPassword(password, undefined);
    fail('IdentityError', 'Cannot authenticate. The identity does not exist.');
  }

  const [first] = mappings;
  const whose = first === undefined ? key : { account: first.account };
  const known = await getFailures(table, whose);
  checkFailures(known, context.now);
  // With an identity that may act for nobody, nobody learns whether the password is the right one.
  const fits = (await isPassword(password, identity.password)) && first !== undefined;
  await countChecked(context, { whose, fits, known });
  if (first === undefined) fail('IdentityNotFound', 'Cannot authenticate. Username/Password pair does not exist.');
  if (!fits) fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
  return { accounts: mappings.map(({ account }) => account) };
}
