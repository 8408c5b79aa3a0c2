import { originNow } from '../../domain/auth/caller.ts';
import { findOidcClient } from '../../domain/oidc/oidc-clients.ts';
import { ProviderRefusal, type ProviderTokens, redeemRefreshToken } from '../../domain/oidc/provider.ts';
import { seal, unseal } from '../../domain/oidc/seal.ts';
import { issueToken, type TokenContent, verifyToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import type { Origin } from '../../store/entities/identity.ts';
import { getLoginFacts } from '../../store/entities/login.ts';
import {
  beginOidcRefresh,
  endOidcSession,
  getOidcSession,
  insertOidcSession,
  type OidcSession,
} from '../../store/entities/oidc-session.ts';

/** A token, and when it ends, in milliseconds since 1970. */
export interface RefreshedToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** A token is not refreshed while it is younger, as in Rucio. */
const minAgeMs = 5 * 60_000;

/** The longest refresh; after that another one may begin. */
const refreshTimeoutMs = 30_000;

/**
 * Refreshes a token of a log-in at an OpenID provider, if the provider gave a refresh token (spec/access.md 1.7).
 *
 * @returns The token to use from now on; undefined: there is nothing to refresh.
 * @throws CannotAuthorize (401); ResourceTemporaryUnavailable (503) when the provider does not answer.
 */
export async function refreshOidcToken(
  context: AnonymousContext,
  { account, token }: { readonly account: string | undefined; readonly token: string | undefined },
): Promise<RefreshedToken | undefined> {
  if (!account || !token) return refuse();
  const content = await readToken(token);
  if (content?.account !== account) return undefined;
  const session = await getOidcSession(context.store.table, token, context.now);
  if (session === undefined) return undefined;
  if (session.since > context.now - minAgeMs) return { token, expiresAt: content.expiresAt };
  if (session.successor !== undefined) return findSuccessor(session.successor);
  if (session.refreshToken === undefined || (session.busyUntil ?? 0) > context.now) return undefined;
  return refresh(context, token, session, session.refreshToken);
}

async function readToken(token: string): Promise<TokenContent | undefined> {
  try {
    return await verifyToken(token);
  } catch (error) {
    if (error instanceof RucioError && error.name === 'CannotAuthenticate') return undefined;
    throw error;
  }
}

async function findSuccessor(sealed: string): Promise<RefreshedToken | undefined> {
  const token = await unseal(sealed);
  const content = token === undefined ? undefined : await readToken(token);
  return token === undefined || content === undefined ? undefined : { token, expiresAt: content.expiresAt };
}

async function refresh(
  context: AnonymousContext,
  token: string,
  session: OidcSession,
  sealed: string,
): Promise<RefreshedToken | undefined> {
  const { store, now } = context;
  const busyUntil = now + refreshTimeoutMs;
  if (!(await begin(context, token, session, busyUntil))) return undefined;
  const answer = await ask(context, session, sealed);
  if (answer === undefined) {
    await store.write(async () => [endOidcSession(token, busyUntil, undefined, refusal)]);
    return refuse();
  }
  const { tokens, origin } = answer;
  const issued = await issueToken({ ...session, origin }, now, {
    isUnique: true,
    ...(tokens.accessUntil === undefined ? {} : { until: tokens.accessUntil }),
  });
  const refreshToken = tokens.refreshToken === undefined ? sealed : await seal(tokens.refreshToken);
  const { account, identity, subject, provider, until } = session;
  const next = { account, identity, subject, provider, until, since: now, refreshToken };
  const successor = await seal(issued.token);
  await store.write(async () => [
    endOidcSession(token, busyUntil, successor, refusal),
    insertOidcSession(issued.token, next, refusal),
  ]);
  return issued;
}

/** Whether this request is the one that refreshes. */
async function begin(
  { store }: AnonymousContext,
  token: string,
  session: OidcSession,
  busyUntil: number,
): Promise<boolean> {
  const other = new Busy();
  try {
    await store.write(async () => [beginOidcRefresh(token, session, busyUntil, () => other)]);
    return true;
  } catch (error) {
    if (error === other) return false;
    throw error;
  }
}

/** Another request refreshes the token. */
class Busy extends Error {
  override readonly name = 'Busy';
}

/** The new tokens of the provider; undefined if it refuses, or the account may no longer be used. */
async function ask(
  { store }: AnonymousContext,
  { account, identity, subject, provider }: OidcSession,
  sealed: string,
): Promise<{ readonly tokens: ProviderTokens; readonly origin: Origin } | undefined> {
  const [client, refreshToken] = [await findOidcClient(provider), await unseal(sealed)];
  const facts = await getLoginFacts(store.table, account, { type: 'OIDC', identity });
  const origin = originNow(facts);
  if (client === undefined || refreshToken === undefined || origin === undefined) return undefined;
  try {
    const tokens = await redeemRefreshToken(client, refreshToken);
    return tokens.subject === undefined || tokens.subject === subject ? { tokens, origin } : undefined;
  } catch (error) {
    if (error instanceof ProviderRefusal) return undefined;
    throw error;
  }
}

const refusal = () => new RucioError('CannotAuthorize', 'Cannot authorize token request.');

function refuse(): never {
  throw refusal();
}
