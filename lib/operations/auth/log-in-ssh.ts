import { isAccountName } from '../../domain/accounts/find-account.ts';
import { isOurVo, refuseLogin } from '../../domain/auth/caller.ts';
import { openChallenges } from '../../domain/auth/ssh-challenge.ts';
import { isSignedBy, readPublicKey, readSignature } from '../../domain/auth/ssh-key.ts';
import { issueToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { listIdentitiesOf, originOf } from '../../store/entities/identity.ts';

/** The identity in every token of an SSH log-in, as in Rucio. */
const identity = 'ssh:pubkey';

/**
 * Issues a token for a challenge that one of the account's keys has signed. The request does not name the challenge, so
 * each open one is tried with each key (spec/access.md 1.4).
 *
 * @throws RucioException, ValueError (400); CannotAuthenticate (401).
 */
export async function logInWithSsh(
  { store, now }: AnonymousContext,
  given: {
    readonly vo: string | undefined;
    readonly account: string | undefined;
    readonly signature: string | undefined;
  },
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const isHere = isOurVo(given.vo);
  const { account } = given;
  if (!account || !given.signature) return fail('ValueError', 'Account and SSH signature must be set.');
  const signature = readSignature(given.signature);
  if (!isHere || !isAccountName(account) || signature === undefined) return refuseLogin(account);
  const [found, identities, challenges] = await Promise.all([
    getAccount(store.table, account),
    Array.fromAsync(listIdentitiesOf(store.table, account)),
    openChallenges(account, now),
  ]);
  const signer = identities.find((mapping) => {
    const key = mapping.type === 'SSH' ? readPublicKey(mapping.identity) : undefined;
    return key !== undefined && challenges.some((challenge) => isSignedBy(key, challenge, signature));
  });
  if (signer === undefined || found?.status !== 'ACTIVE') return refuseLogin(account, signer && found?.status);
  return issueToken({ account, identity, origin: originOf(undefined, signer) }, now);
}
