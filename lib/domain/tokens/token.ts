import { randomUUID } from 'node:crypto';

import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';

import { Cache } from '../../cache.ts';
import { clock } from '../../clock.ts';
import { fail } from '../../errors.ts';
import type { Origin } from '../../store/entities/identity.ts';
import type { Issuer } from '../values/context.ts';
import { getNamedKeys, type TokenKey, getTokenKeys } from './token-keys.ts';

/** One hour as in Rucio, without renewal (spec/access.md 1.5). */
export const tokenLifetimeSeconds = 3600;

const algorithm = 'HS256';
const audience = 'rucio';

/** Whom a token is for, and what it stands on: it ends with that. */
export interface TokenOwner extends Issuer {
  readonly origin: Origin;
}

/** The content of a valid token. */
export interface TokenContent extends Issuer {
  /** Basis of the token; absent in tokens of OpenID issuers. */
  readonly origin?: Origin;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Only in tokens of OpenID issuers. */
  readonly audience?: string;
  readonly scope?: string;
}

/**
 * Issues a signed, self-contained token.
 *
 * @param now Time of issue in milliseconds since 1970.
 * @param limits `until`: the latest end, in milliseconds since 1970; `isUnique`: no other token has the same text, also of
 *   the same second.
 * @returns The token's text, without blanks, and when it ends.
 */
export async function issueToken(
  { account, identity, origin }: TokenOwner,
  now: number,
  { until = Number.POSITIVE_INFINITY, isUnique = false }: { readonly until?: number; readonly isUnique?: boolean } = {},
): Promise<{ token: string; expiresAt: number }> {
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = Math.min(issuedAt + tokenLifetimeSeconds, Math.floor(until / 1000));
  const { signing } = await getTokenKeys();
  const claims = { idn: identity, ...writeOrigin(identity, origin), ...(isUnique ? { jti: randomUUID() } : {}) };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: signing.id })
    .setSubject(account)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signing.bytes);
  return { token, expiresAt: expiresAt * 1000 };
}

/** The claims that say what a token stands on. `key`: the identity of the mapping, where the token names it otherwise. */
function writeOrigin(named: string, { type, identity, mappedAt, generation }: Origin) {
  return { typ: type, map: mappedAt, gen: generation, ...(identity === named ? {} : { key: identity }) };
}

function readOrigin({ idn, typ, map, gen, key = idn }: Readonly<Record<string, unknown>>): Origin {
  return { type: String(typ), identity: String(key), mappedAt: Number(map), generation: Number(gen) };
}

/** A token whose signature this process has checked. */
interface VerifiedToken extends TokenContent {
  readonly origin: Origin;
  /** The key that signed it. */
  readonly keyId: string;
}

/** Verified tokens by their text, until they expire. */
const verifiedTokens = new Cache<VerifiedToken>({
  ttlMs: ({ expiresAt }) => expiresAt - clock.now(),
  maxEntries: 10_000,
});

/**
 * Checks the signature and the expiry of a token; costs no read. A process checks the signature of a token once, as long as
 * the key that signed it is accepted.
 *
 * @throws CannotAuthenticate (401) for anything but a valid token of ours.
 */
export async function verifyToken(token: string): Promise<TokenContent & TokenOwner> {
  const known = verifiedTokens.get(token);
  if (known !== undefined && (await getTokenKeys()).accepted.some(({ id }) => id === known.keyId)) return known;
  try {
    const verified = await verifyWithAny(await getNamedKeys(keyIdOf(token)), token);
    verifiedTokens.set(token, verified);
    return verified;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
  }
}

/** The key id in the header of a token; undefined when absent, or when the token is malformed. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** The content of a token with a signature of one of the keys. */
async function verifyWithAny([key, ...others]: readonly TokenKey[], token: string): Promise<VerifiedToken> {
  if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
  try {
    const { payload } = await jwtVerify(token, key.bytes, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['sub', 'exp', 'typ', 'map', 'gen'],
      currentDate: new Date(clock.now()),
    });
    const { sub, idn, exp } = payload;
    const origin = readOrigin(payload);
    const owner = { account: String(sub), identity: String(idn), type: origin.type, origin };
    return { ...owner, expiresAt: Number(exp) * 1000, keyId: key.id };
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyWithAny(others, token);
  }
}
