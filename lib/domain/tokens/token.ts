import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';

import { fail } from '../../errors.ts';
import type { Issuer } from '../values/context.ts';
import { keysNamed, type TokenKey, tokenKeys } from './token-keys.ts';

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
  const { signing } = await tokenKeys();
  const token = await new SignJWT({ idn: issuer.identity })
    .setProtectedHeader({ alg: algorithm, kid: signing.id })
    .setSubject(issuer.account)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + tokenLifetime)
    .sign(signing.bytes);
  return { token, expiresAt: (issuedAt + tokenLifetime) * 1000 };
}

/**
 * Reads a token and checks its signature and its end; costs no look-up.
 *
 * @throws CannotAuthenticate (401) for whatever is not a valid token of ours.
 */
export async function verifyToken(token: string): Promise<TokenContent> {
  try {
    const { sub, idn, exp } = await verifyWithAny(await keysNamed(keyIdOf(token)), token);
    return { account: String(sub), identity: String(idn), expiresAt: Number(exp) * 1000 };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
  }
}

/** The key that a token says it is signed with; undefined where it names none, or is no token at all. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** The content of a token that one of the keys has signed. */
async function verifyWithAny([key, ...others]: readonly TokenKey[], token: string): Promise<JWTPayload> {
  if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
  try {
    const { payload } = await jwtVerify(token, key.bytes, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['sub', 'exp'],
    });
    return payload;
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyWithAny(others, token);
  }
}
