import { createHmac } from 'node:crypto';

import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { type TokenKey, getTokenKeys } from '../tokens/token-keys.ts';
import type { AnonymousContext } from '../values/context.ts';
import { isOurVo } from './caller.ts';

/** How long a challenge stays open (spec/access.md 1.4). */
const lifetimeSeconds = 10;

/**
 * A text for the owner of an account to sign. It is not stored: its number is an HMAC of the account and the second, so
 * every process can compute the open challenges and nobody else can. A challenge is never a valid token.
 *
 * @throws RucioException, ValueError (400); CannotAuthenticate (401) when there is no such active account.
 */
export async function issueChallenge(
  { store, now }: AnonymousContext,
  { vo, account }: { readonly vo: string | undefined; readonly account: string | undefined },
): Promise<{ readonly challenge: string; readonly expiresAt: number }> {
  const isHere = isOurVo(vo);
  if (!account) return fail('ValueError', 'Account must be set.');
  const found = isHere ? await getAccount(store.table, account) : undefined;
  if (found?.status !== 'ACTIVE') fail('CannotAuthenticate', `Cannot generate challenge for account ${account}`);
  const second = secondOf(now) + lifetimeSeconds;
  const { signing } = await getTokenKeys();
  return { challenge: challengeOf(signing, account, second), expiresAt: second * 1000 };
}

/** The open challenges of an account, with one more second for clock skew between processes. */
export async function openChallenges(account: string, now: number): Promise<string[]> {
  const { accepted } = await getTokenKeys();
  return accepted.flatMap((key) =>
    Array.from({ length: lifetimeSeconds + 2 }, (_value, index) => challengeOf(key, account, secondOf(now) + index)),
  );
}

/** The text for an account and the second of its expiry; the number has 63 bits, as in Rucio. */
function challengeOf({ bytes }: TokenKey, account: string, second: number): string {
  const digest = createHmac('sha256', bytes).update(`ssh challenge\n${account}\n${second}`).digest();
  return `challenge-${BigInt.asUintN(63, digest.readBigUInt64BE())}-${account}-${second}`;
}

const secondOf = (ms: number) => Math.floor(ms / 1000);
