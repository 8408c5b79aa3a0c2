import * as openid from 'openid-client';

import { Cache } from '../../cache.ts';
import { clock } from '../../clock.ts';
import { RucioError } from '../../errors.ts';
import { fetchDocument } from '../../fetch-document.ts';
import { log } from '../../log.ts';
import { isLocalHost } from '../tokens/issuers.ts';
import type { OidcClient } from './oidc-clients.ts';

/** The tokens of a provider, as far as Dapple uses them. */
export interface ProviderTokens {
  readonly subject: string | undefined;
  readonly issuer: string | undefined;
  /** When the access token ends, in milliseconds since 1970; undefined: unknown. */
  readonly accessUntil: number | undefined;
  readonly refreshToken: string | undefined;
}

/** The provider refuses, or its answer is not valid. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

/** Below the time limit of a function, with room for several requests. */
const answerTimeoutSeconds = 5;

/** The metadata of each provider, by registration. */
const configurations = new Cache<openid.Configuration>({ ttlMs: 3_600_000 });

/** The failure of a provider: limits the rate of requests to one that is down. */
const failures = new Cache<Error>({ ttlMs: 5_000 });

/** Request that the browser takes to the provider. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly scope: string;
  readonly audience: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * The URL at which the user logs in.
 *
 * @throws ResourceTemporaryUnavailable (503) when the provider does not answer.
 */
export async function authorizationUrl(client: OidcClient, request: AuthorizationRequest): Promise<string> {
  const configuration = await configure(client);
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: request.redirectUri,
    scope: request.scope,
    audience: request.audience,
    state: request.state,
    nonce: request.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
    // Without it a provider may leave out the refresh token (OpenID Connect Core 11).
    ...(request.scope.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
  });
  return url.href;
}

/**
 * Redeems the provider's answer to an authorization request. Checks state and issuer of the answer, and signature, issuer,
 * audience, age and nonce of the ID token.
 *
 * @param answer The redirect URI with the query that the browser has brought.
 * @throws ProviderRefusal; ResourceTemporaryUnavailable (503) when the provider does not answer.
 */
export async function redeemCode(
  client: OidcClient,
  answer: URL,
  { state, nonce, verifier }: Pick<AuthorizationRequest, 'state' | 'nonce' | 'verifier'>,
): Promise<ProviderTokens> {
  const configuration = await configure(client);
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  return ask(client, () => openid.authorizationCodeGrant(configuration, answer, checks));
}

/**
 * Uses a refresh token.
 *
 * @throws ProviderRefusal; ResourceTemporaryUnavailable (503) when the provider does not answer.
 */
export async function redeemRefreshToken(client: OidcClient, refreshToken: string): Promise<ProviderTokens> {
  const configuration = await configure(client);
  return ask(client, () => openid.refreshTokenGrant(configuration, refreshToken));
}

type Response = Awaited<ReturnType<typeof openid.refreshTokenGrant>>;

async function ask(client: OidcClient, request: () => Promise<Response>): Promise<ProviderTokens> {
  try {
    const response = await request();
    const [claims, seconds] = [response.claims(), response.expiresIn()];
    return {
      subject: claims?.sub,
      issuer: claims?.iss,
      accessUntil: seconds === undefined ? undefined : clock.now() + seconds * 1_000,
      refreshToken: response.refresh_token,
    };
  } catch (error) {
    // Details of the library's errors hold answers of the provider, and so tokens.
    const reason = reasonOf(error);
    log.warn('an OpenID provider has not granted a log-in', { provider: client.id, reason });
    if (isRefusal(error)) throw new ProviderRefusal(reason);
    throw unavailable(client, new Error(reason));
  }
}

async function configure(client: OidcClient): Promise<openid.Configuration> {
  const key = JSON.stringify(client);
  const failure = failures.get(key);
  if (failure !== undefined) throw unavailable(client, failure);
  return configurations.getOrLoad(key, async () => {
    try {
      return await discover(client);
    } catch (error) {
      const reason = new Error(reasonOf(error));
      failures.set(key, reason);
      throw unavailable(client, reason);
    }
  });
}

async function discover({ issuer, client_id: id, client_secret: secret }: OidcClient): Promise<openid.Configuration> {
  const url = new URL(issuer);
  const isLocal = isLocalHost(url) && url.protocol === 'http:';
  const configuration = await openid.discovery(url, id, { client_secret: secret }, openid.ClientSecretBasic(secret), {
    timeout: answerTimeoutSeconds,
    [openid.customFetch]: fetchDocument,
    // Only a configured issuer on this machine.
    execute: isLocal ? [openid.allowInsecureRequests] : [],
  });
  openid.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** The kind of a failure, without its details. */
function reasonOf(error: unknown): string {
  if (error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError) {
    return `${error.code} ${error.error.slice(0, 50)}`;
  }
  return error instanceof openid.ClientError ? String(error.code) : error instanceof Error ? error.name : 'unknown';
}

/** Failures of the transport; with other errors the provider's answer itself is no good. */
const outages = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_PARSE_ERROR', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

/** Whether an error is about this log-in, rather than about the provider or our registration there. */
function isRefusal(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) {
    return error.status < 500 && !['invalid_client', 'unauthorized_client'].includes(error.error);
  }
  if (error instanceof openid.AuthorizationResponseError) return true;
  return error instanceof openid.ClientError && !outages.has(String(error.code));
}

function unavailable({ id }: OidcClient, cause: Error): RucioError {
  return new RucioError('ResourceTemporaryUnavailable', `The OpenID provider ${id} does not answer as it should.`, {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
