import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWTVerifyGetKey,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';

import { Cache } from '../../cache.ts';
import { clock } from '../../clock.ts';
import { env } from '../../env.ts';
import { fail, RucioError } from '../../errors.ts';
import { fetchDocument } from '../../fetch-document.ts';

/** The content of a valid token of an OpenID issuer. */
export interface ForeignToken {
  readonly subject: string;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
  readonly audience: string;
  readonly scope: string;
}

/** The length of a token in Rucio. */
const maxTokenLength = 3072;

/** Scopes that a token must have (spec/access.md 1.5). */
const requiredScopes = ['openid', 'profile'];

/** Signatures with published keys; none with a shared secret. */
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

const answerTimeoutMs = 5_000;

/** The key set of each issuer. jose fetches the keys again when they change. */
const keySets = new Cache<JWTVerifyGetKey>({ ttlMs: Number.POSITIVE_INFINITY });

/** The failure of a request to an issuer: limits the rate of requests to it under a flood of tokens. */
const failures = new Cache<Error>({ ttlMs: 5_000 });

/** How long the signature of a token counts as checked; after that a key that the issuer has withdrawn is noticed. */
const verifiedTtlMs = 5 * 60_000;

/** Verified tokens by issuer, audience and text. */
const verifiedTokens = new Cache<ForeignToken>({
  ttlMs: ({ expiresAt }) => Math.min(expiresAt - clock.wallTime(), verifiedTtlMs),
  maxEntries: 10_000,
});

/** An OpenID issuer whose tokens are accepted. */
export interface OpenIdIssuer {
  readonly issuer: string;
  readonly audience: string;
}

/** The configured issuer that a token names, if any. Checks nothing else of the token. */
export function findIssuer(token: string): OpenIdIssuer | undefined {
  const { oidcIssuers } = env;
  if (oidcIssuers.length === 0 || token.length > maxTokenLength) return undefined;
  try {
    const { iss } = decodeJwt(token);
    return oidcIssuers.find(({ issuer }) => issuer === iss);
  } catch {
    return undefined;
  }
}

/**
 * Checks a token of a configured issuer: signature, expiry, audience and scopes (spec/access.md 1.5). Fetches the issuer's
 * keys once, and again when they change; checks a signature once in five minutes. The issuer's address comes from the
 * configuration only.
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the issuer cannot be reached.
 */
export async function verifyForeignToken(token: string, issuer: OpenIdIssuer): Promise<ForeignToken> {
  const key = JSON.stringify([issuer.issuer, issuer.audience, token]);
  const known = verifiedTokens.get(key);
  if (known !== undefined) return known;
  const verified = await readToken(token, issuer);
  verifiedTokens.set(key, verified);
  return verified;
}

async function readToken(token: string, issuer: OpenIdIssuer): Promise<ForeignToken> {
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

async function verify(token: string, { issuer, audience }: OpenIdIssuer): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, await keysOf(issuer), {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.wallTime()),
    });
  } catch (error) {
    if (isTokenError(error)) return refuse();
    throw new RucioError('ResourceTemporaryUnavailable', `The issuer of the token, ${issuer}, does not answer.`, {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
}

/** Whether an error is about the token, not about the issuer. */
function isTokenError(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  return error instanceof errors.JOSEError && error.code !== errors.JOSEError.code;
}

/** The keys of an issuer, from the address in its metadata (OpenID Connect Discovery 1.0). */
async function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  const failure = failures.get(issuer);
  if (failure !== undefined) throw failure;
  return keySets.getOrLoad(issuer, async () => {
    try {
      return await discover(issuer);
    } catch (error) {
      failures.set(issuer, error as Error);
      throw error;
    }
  });
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const url = requireTlsUrl(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const response = await fetchDocument(url, { signal: AbortSignal.timeout(answerTimeoutMs), redirect: 'error' });
  if (!response.ok) throw new Error(`${url.href} answers ${response.status}`);
  const found = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (found.issuer !== issuer) throw new Error(`${url.href} describes another issuer: ${String(found.issuer)}`);
  return createRemoteJWKSet(requireTlsUrl(String(found.jwks_uri)), {
    timeoutDuration: answerTimeoutMs,
    [customFetch]: fetchDocument,
  });
}

/** Requires TLS, except for the local machine: without it, keys prove nothing. */
function requireTlsUrl(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(isLocalHost(url) && url.protocol === 'http:')) {
    throw new Error(`${text} is not https`);
  }
  return url;
}

/** Whether a URL is one of the local machine. */
export function isLocalHost({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The words of a claim that is a list, or a text with blanks. */
function words(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : [];
  return list.map(String).filter(Boolean);
}

function refuse(): never {
  return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
}
