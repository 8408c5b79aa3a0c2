import { createHmac } from 'node:crypto';

import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { type TokenKey, tokenKeys } from '../tokens/token-keys.ts';
import type { AnonymousContext } from '../values/context.ts';
import { isOurVo } from './caller.ts';

/** How long a challenge can be answered, in seconds (spec/access.md 1.4). */
const lifetime = 10;

/**
 * A text for the owner of an account to sign. Nothing of it is stored: its number is an HMAC of account and second, so
 * that every process can say which challenges are open, nobody else can, and none is ever taken for a token.
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
  const second = secondOf(now) + lifetime;
  const { signing } = await tokenKeys();
  return { challenge: challengeOf(signing, account, second), expiresAt: second * 1000 };
}

/** The challenges of an account that can be answered now; one more for a process whose clock is a little late. */
export async function openChallenges(account: string, now: number): Promise<string[]> {
  const { accepted } = await tokenKeys();
  return accepted.flatMap((key) =>
    Array.from({ length: lifetime + 2 }, (_value, index) => challengeOf(key, account, secondOf(now) + index)),
  );
}

/** The text for an account and the second in which it ends; the number is of 63 bits, as in Rucio. */
function challengeOf({ bytes }: TokenKey, account: string, second: number): string {
  const digest = createHmac('sha256', bytes).update(`ssh challenge\n${account}\n${second}`).digest();
  return `challenge-${BigInt.asUintN(63, digest.readBigUInt64BE())}-${account}-${second}`;
}

const secondOf = (ms: number) => Math.floor(ms / 1000);
