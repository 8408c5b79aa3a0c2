import { isAccountName } from '../../domain/accounts/find-account.ts';
import { chooseMapping, isOurVo, type Login, originNow, refuseLogin } from '../../domain/auth/caller.ts';
import { spellingsOf } from '../../domain/identities/distinguished-name.ts';
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
  const keys = spellingsOf(dn)
    .filter((identity) => isHere && isIdentityText(identity))
    .map((identity) => ({ type: 'X509', identity }) as const);
  const [first] = keys;
  if (account) return isAccountName(account) ? logInTo(context, account, keys) : refuseLogin(account);
  return first === undefined ? failUnknown(dn) : logInToDefault(context, [first, ...keys.slice(1)], canChoose);
}

async function logInTo(context: AnonymousContext, account: string, keys: readonly IdentityKey[]): Promise<Login> {
  let status: Parameters<typeof refuseLogin>[1];
  for (const key of keys) {
    const facts = await getLoginFacts(context.store.table, account, key);
    const origin = originNow(facts);
    if (origin !== undefined) {
      return { account, ...(await issueToken({ account, identity: key.identity, origin }, context.now)) };
    }
    if (facts.mapping !== undefined) status ??= facts.account?.status;
  }
  return refuseLogin(account, status);
}

async function logInToDefault(
  context: AnonymousContext,
  keys: readonly [IdentityKey, ...IdentityKey[]],
  canChoose: boolean,
): Promise<Login> {
  for (const key of keys) {
    const { identity, mappings } = await getIdentityWithMappings(context.store.table, key);
    if (identity === undefined || mappings.length === 0) continue;
    const chosen = chooseMapping(mappings);
    if (chosen !== undefined) return logInTo(context, chosen.account, [key]);
    if (!canChoose) fail('CannotAuthenticate', 'Multiple accounts associated with the provided identity');
    return { accounts: mappings.map(({ account }) => account) };
  }
  return failUnknown(keys[0].identity);
}

function failUnknown(identity: string): never {
  return fail(
    'IdentityError',
    `Identity error.\nDetails: Identity '${identity}' of type 'IdentityType.X509' does not exist!`,
  );
}
