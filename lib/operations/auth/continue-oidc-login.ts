import { findOidcClient } from '../../domain/oidc/oidc-clients.ts';
import { authorizationUrl } from '../../domain/oidc/provider.ts';
import { oidcRefusal, refuseOidcLogin } from '../../domain/oidc/refuse.ts';
import { proofsOf, readTicket, writeTicket } from '../../domain/oidc/tickets.ts';
import { issueToken } from '../../domain/tokens/token.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { getOrigin } from '../../store/entities/identity.ts';
import { fetchOidcLogin, getOidcLogin, type OidcGrant, type OidcLogin } from '../../store/entities/oidc-login.ts';
import { insertOidcSession } from '../../store/entities/oidc-session.ts';
import { pollingSuffix } from './request-oidc-login.ts';

const hourMs = 3_600_000;

/** Where the browser goes on, or the token that the client fetches. */
export type Continued = { readonly location: string } | { readonly token: string; readonly expiresAt: number };

/**
 * The next step of a log-in (spec/access.md 1.7): sends a browser to the provider, or hands out the token, once. A text that is
 * not ours costs no read; each other call one read, and another one and two writes when it hands out a token.
 *
 * @param text The ticket or the code.
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the provider does not answer.
 */
export async function continueOidcLogin(
  context: AnonymousContext,
  { text, isFetch }: { readonly text: string; readonly isFetch: boolean },
): Promise<Continued> {
  const isPolling = text.endsWith(pollingSuffix);
  const plain = isPolling ? text.slice(0, -pollingSuffix.length) : text.trim();
  return isFetch ? fetchToken(context, plain, isPolling) : sendToProvider(context, plain, isPolling);
}

async function sendToProvider({ store, now }: AnonymousContext, text: string, isPolling: boolean): Promise<Continued> {
  const ticket = (await readTicket('ticket', text)) ?? refuseOidcLogin();
  const login = await getOidcLogin(store.table, ticket.id, now);
  if (login?.stage !== 'asked' || login.isPolling !== isPolling) return refuseOidcLogin();
  const client = (await findOidcClient(login.provider)) ?? refuseOidcLogin();
  const state = writeTicket('state', ticket);
  return { location: await authorizationUrl(client, { ...login, state, ...proofsOf(ticket) }) };
}

async function fetchToken({ store, now }: AnonymousContext, text: string, isPolling: boolean): Promise<Continued> {
  const ticket = (await readTicket(isPolling ? 'ticket' : 'code', text)) ?? refuseOidcLogin();
  const login = await getOidcLogin(store.table, ticket.id, now);
  if (login === undefined || login.isPolling !== isPolling || !isGranted(login)) return refuseOidcLogin();
  const { account, identity, subject, provider, refreshToken } = login;
  const origin = (await getOrigin(store.table, account, { type: 'OIDC', identity })) ?? refuseOidcLogin();
  const issued = await issueToken({ account, identity, origin }, now, {
    isUnique: true,
    ...(login.accessUntil === undefined ? {} : { until: login.accessUntil }),
  });
  const until = now + login.refreshHours * hourMs;
  const session = { account, identity, subject, provider, since: now, until };
  await store.write(async () => [
    fetchOidcLogin(ticket.id, oidcRefusal),
    ...(refreshToken === undefined ? [] : [insertOidcSession(issued.token, { ...session, refreshToken }, oidcRefusal)]),
  ]);
  return issued;
}

/** Whether a token waits for the client. */
function isGranted(login: OidcLogin): login is OidcLogin & OidcGrant {
  return login.stage === 'granted' && login.account !== undefined && login.identity !== undefined;
}
