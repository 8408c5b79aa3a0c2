import { createHmac, createSecretKey, type KeyObject, randomInt } from 'node:crypto';

import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { getTokenKeys } from '../tokens/token-keys.ts';
import type { AnonymousContext } from '../values/context.ts';
import { isOurVo } from './caller.ts';

/** How long a challenge stays open (spec/access.md 1.4). */
const lifetimeSeconds = 10;

/** How many different challenges an account can have that end in the same second. */
const challengesPerSecond = 1_024;

/** The place of the last challenge of this process among those of a second; others begin elsewhere. */
let lastPlace = randomInt(challengesPerSecond);

/**
 * A text for the owner of an account to sign; challenges at the same time differ. It is not stored: its number is an HMAC of the
 * account, the second and a place among those of the second, so every process can compute the open challenges and nobody else
 * can. A challenge is never a valid token.
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
  lastPlace = (lastPlace + 1) % challengesPerSecond;
  return {
    challenge: challengeOf(createSecretKey(signing.bytes), { account, second, place: lastPlace }),
    expiresAt: second * 1000,
  };
}

/** An open challenge; `expiresAt` in milliseconds since 1970. */
export interface OpenChallenge {
  readonly challenge: string;
  readonly expiresAt: number;
}

/** Finds the open challenge of an account that fulfils a test, with one more second for clock skew between processes. */
export async function findOpenChallenge(
  account: string,
  now: number,
  test: (challenge: string) => boolean,
): Promise<OpenChallenge | undefined> {
  for (const { bytes } of (await getTokenKeys()).accepted) {
    // Made once for the thousands of challenges: each HMAC would make it anew, which takes as long as the HMAC.
    const key = createSecretKey(bytes);
    // The newest first: most are answered in the second in which they were issued.
    for (let second = secondOf(now) + lifetimeSeconds + 1; second >= secondOf(now); second -= 1) {
      for (let place = 0; place < challengesPerSecond; place += 1) {
        const challenge = challengeOf(key, { account, second, place });
        if (test(challenge)) return { challenge, expiresAt: second * 1000 };
      }
    }
  }
  return undefined;
}

/** Input of a challenge; `second`: that of its expiry. */
interface Parts {
  readonly account: string;
  readonly second: number;
  readonly place: number;
}

/** The text of a challenge; the number has 63 bits, as in Rucio. */
function challengeOf(key: KeyObject, { account, second, place }: Parts): string {
  const digest = createHmac('sha256', key).update(`ssh challenge\n${account}\n${second}\n${place}`).digest();
  return `challenge-${BigInt.asUintN(63, digest.readBigUInt64BE())}-${account}-${second}`;
}

const secondOf = (ms: number) => Math.floor(ms / 1000);
