import { errors, jwtVerify, SignJWT } from 'jose';

import { fail } from '../../errors.ts';
import type { Issuer } from '../context.ts';
import { signingKey } from './signing-key.ts';

/** How long a token lives, in seconds: Rucio's hour, without renewal (spec/access.md 1.5). */
export const tokenLifetime = 3600;

const algorithm = 'HS256';
const audience = 'rucio';

/** What a valid token says. */
export interface TokenContent extends Issuer {
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Whom a token of an OpenID issuer is meant for, and what for; ours say nothing of it. */
  readonly audience?: string;
  readonly scope?: string;
}

/**
 * Issues a signed, self-contained token.
 *
 * @param now Time of issue in milliseconds since 1970.
 * @returns The token's text, without blanks, and when it ends.
 */
export async function issueToken(issuer: Issuer, now: number): Promise<{ token: string; expiresAt: number }> {
  const issuedAt = Math.floor(now / 1000);
  const token = await new SignJWT({ idn: issuer.identity })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(issuer.account)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + tokenLifetime)
    .sign(await signingKey());
  return { token, expiresAt: (issuedAt + tokenLifetime) * 1000 };
}

/**
 * Reads a token and checks its signature and its end; costs no look-up.
 *
 * @throws CannotAuthenticate (401) for whatever is not a valid token of ours.
 */
export async function verifyToken(token: string): Promise<TokenContent> {
  try {
    const { payload } = await jwtVerify<{ idn?: unknown }>(token, await signingKey(), {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['sub', 'exp'],
    });
    return { account: String(payload.sub), identity: String(payload.idn), expiresAt: Number(payload.exp) * 1000 };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
  }
}
