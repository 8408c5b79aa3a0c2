import type { KeyObject } from 'node:crypto';

import { isAccountName } from '../../domain/accounts/find-account.ts';
import { isOurVo, refuseLogin } from '../../domain/auth/caller.ts';
import { findOpenChallenge, type OpenChallenge } from '../../domain/auth/ssh-challenge.ts';
import {
  isSignedBy,
  readPublicKey,
  readSignature,
  readSignedDigest,
  type SshSignature,
} from '../../domain/identities/ssh-key.ts';
import { issueToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { listIdentitiesOf, originOf } from '../../store/entities/identity.ts';
import { useChallenge } from '../../store/entities/used-challenge.ts';

/** The identity in every token of an SSH log-in, as in Rucio. */
const identity = 'ssh:pubkey';

/**
 * Issues a token for a challenge that one of the account's keys has signed, once. The request does not name the challenge, so
 * the signature is tried with each key, and the open challenges with what it says (spec/access.md 1.4).
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
  const [found, identities] = await Promise.all([
    getAccount(store.table, account),
    Array.fromAsync(listIdentitiesOf(store.table, account)),
  ]);
  for (const mapping of identities) {
    const key = mapping.type === 'SSH' ? readPublicKey(mapping.identity) : undefined;
    const signed = key && (await findSigned(key, signature, { account, now }));
    if (signed === undefined) continue;
    if (found?.status !== 'ACTIVE') return refuseLogin(account, found?.status);
    const onUsed = () => new RucioError('CannotAuthenticate', 'The challenge was used already: sign a new one.');
    await store.write(async () => [useChallenge(account, signed.challenge, signed.expiresAt, onUsed)]);
    return issueToken({ account, identity, origin: originOf(undefined, mapping) }, now);
  }
  return refuseLogin(account);
}

/** The open challenge that the owner of a key has signed. */
async function findSigned(
  key: KeyObject,
  signature: SshSignature,
  { account, now }: { readonly account: string; readonly now: number },
): Promise<OpenChallenge | undefined> {
  const mayBeOf = readSignedDigest(key, signature);
  if (mayBeOf === undefined) return undefined;
  return findOpenChallenge(account, now, (text) => mayBeOf(text) && isSignedBy(key, text, signature));
}
