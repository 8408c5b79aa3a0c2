import { isAccountName } from '../../domain/accounts/find-account.ts';
import { chooseMapping, isOurVo, type Login, originNow, refuseLogin } from '../../domain/auth/caller.ts';
import { withoutProxies } from '../../domain/identities/distinguished-name.ts';
import { issueToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getIdentityWithMappings, type IdentityKey, isIdentityText } from '../../store/entities/identity.ts';
import { getLoginFacts } from '../../store/entities/login.ts';

/** A log-in with a certificate; empty texts count as absent. */
export interface CertificateLogin {
  readonly vo: string | undefined;
  readonly account: string | undefined;
  /** Subject of the certificate that the gateway's mutual TLS has verified; never from a header. */
  readonly dn: string | undefined;
  /** Whether the caller can choose one of several accounts. */
  readonly canChoose: boolean;
}

/**
 * Issues a token for the client's certificate (spec/access.md 1.3, 1.4).
 *
 * @throws RucioException (400) for a malformed VO; CannotAuthenticate, IdentityError (401).
 */
export async function logInWithX509(
  context: AnonymousContext,
  { vo, account, dn, canChoose }: CertificateLogin,
): Promise<Login> {
  const isHere = isOurVo(vo);
  if (!dn) return fail('CannotAuthenticate', 'Cannot get DN');
  const key = { type: 'X509', identity: withoutProxies(dn) };
  const isPossible = isHere && isIdentityText(key.identity);
  if (account) return isPossible && isAccountName(account) ? logInTo(context, account, key) : refuseLogin(account);
  return isPossible ? logInToDefault(context, key, canChoose) : failUnknown(key);
}

async function logInTo(context: AnonymousContext, account: string, key: IdentityKey): Promise<Login> {
  const facts = await getLoginFacts(context.store.table, account, key);
  const origin = originNow(facts);
  if (origin === undefined) return refuseLogin(account, facts.mapping && facts.account?.status);
  return { account, ...(await issueToken({ account, identity: key.identity, origin }, context.now)) };
}

async function logInToDefault(context: AnonymousContext, key: IdentityKey, canChoose: boolean): Promise<Login> {
  const { identity, mappings } = await getIdentityWithMappings(context.store.table, key);
  if (identity === undefined || mappings.length === 0) return failUnknown(key);
  const chosen = chooseMapping(mappings);
  if (chosen !== undefined) return logInTo(context, chosen.account, key);
  if (!canChoose) fail('CannotAuthenticate', 'Multiple accounts associated with the provided identity');
  return { accounts: mappings.map(({ account }) => account) };
}

function failUnknown({ identity }: IdentityKey): never {
  return fail(
    'IdentityError',
    `Identity error.\nDetails: Identity '${identity}' of type 'IdentityType.X509' does not exist!`,
  );
}
