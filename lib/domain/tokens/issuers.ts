import { createRemoteJWKSet, decodeJwt, errors, type JWTVerifyGetKey, type JWTVerifyResult, jwtVerify } from 'jose';

import { env } from '../../env.ts';
import { fail, RucioError } from '../../errors.ts';

/** What a valid token of an OpenID issuer says. */
export interface ForeignToken {
  readonly subject: string;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
  readonly audience: string;
  readonly scope: string;
}

/** As long as a token can be in Rucio. */
const longestToken = 3072;

/** What the scope of a token must hold (spec/access.md 1.5). */
const requiredScopes = ['openid', 'profile'];

/** Signatures with keys that the issuer publishes, so none that is made with a shared secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** How long an issuer may take to answer, and for how long one that did not is left alone; in milliseconds. */
const patience = 5000;

const keySets = new Map<string, Promise<JWTVerifyGetKey>>();

/** An OpenID issuer whose tokens are accepted. */
export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
}

/** The configured issuer that a token says it comes from, if any; nothing of the token is checked yet. */
export function findIssuer(token: string): Issuer | undefined {
  const { oidcIssuers } = env;
  if (oidcIssuers.length === 0 || token.length > longestToken) return undefined;
  try {
    const { iss } = decodeJwt(token);
    return oidcIssuers.find(({ issuer }) => issuer === iss);
  } catch {
    return undefined;
  }
}

/**
 * Checks a token of a configured issuer: signature, end, audience and scopes (spec/access.md 1.5). The issuer's keys are
 * fetched once and again when they change; its address comes from the configuration alone.
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the issuer cannot be reached.
 */
export async function verifyForeignToken(token: string, issuer: Issuer): Promise<ForeignToken> {
  const { payload } = await verify(token, issuer);
  const scopes = words(payload['scope']);
  if (!requiredScopes.every((scope) => scopes.includes(scope))) return refuse();
  return {
    subject: String(payload.sub),
    expiresAt: Number(payload.exp) * 1000,
    audience: words(payload.aud).join(' '),
    scope: scopes.join(' '),
  };
}

async function verify(token: string, { issuer, audience }: Issuer): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, await keysOf(issuer), {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
    });
  } catch (error) {
    if (isVerdict(error)) return refuse();
    throw new RucioError('ResourceTemporaryUnavailable', `The issuer of the token, ${issuer}, does not answer.`, {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
}

/** Tells what is wrong with a token from what is wrong with its issuer. */
function isVerdict(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  return error instanceof errors.JOSEError && error.code !== errors.JOSEError.code;
}

/** The keys of an issuer, as it says itself where they are (OpenID Connect Discovery 1.0). */
function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  const known = keySets.get(issuer);
  if (known !== undefined) return known;
  const keys = discover(issuer);
  keySets.set(issuer, keys);
  // A failure holds for a while, so that a flood of tokens does not become one of requests to the issuer.
  keys.catch(() => setTimeout(() => keySets.delete(issuer), patience).unref());
  return keys;
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const url = requireSafe(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const response = await fetch(url, { signal: AbortSignal.timeout(patience), redirect: 'error' });
  if (!response.ok) throw new Error(`${url.href} answers ${response.status}`);
  const found = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (found.issuer !== issuer) throw new Error(`${url.href} describes another issuer: ${String(found.issuer)}`);
  return createRemoteJWKSet(requireSafe(String(found.jwks_uri)), { timeoutDuration: patience });
}

/** Keys that come over an open line prove nothing; only this machine itself is trusted without TLS. */
function requireSafe(text: string): URL {
  const url = new URL(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) throw new Error(`${text} is not https`);
  return url;
}

/** A claim that is a list, or a text with blanks. */
function words(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : [];
  return list.map(String).filter(Boolean);
}

function refuse(): never {
  return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
}
