import { readCaller } from './login-reply.ts';
import { makePage } from './page.ts';
import type { TextReply } from './respond.ts';

type Headers = Readonly<Record<string, string>>;

/** Reads the headers of the first step of a log-in. */
export function readOidcRequest(headers: Headers) {
  return {
    ...readCaller(headers),
    scope: headers['x-rucio-client-authorize-scope'],
    audience: headers['x-rucio-client-authorize-audience'],
    provider: headers['x-rucio-client-authorize-issuer'],
    polling: headers['x-rucio-client-authorize-polling'],
    refreshLifetime: headers['x-rucio-client-authorize-refresh-lifetime'],
    host: headers['host'],
  };
}

/** The ticket or the code, which is the whole query, and whether the client fetches its token. */
export function readTicketQuery(headers: Headers, query: Headers) {
  const [text = ''] = Object.keys(query);
  return { text, isFetch: headers['x-rucio-client-fetch-token'] === 'True' };
}

/** The answer to the first step: the URL for the browser. */
export function replyWithUrl(url: string): TextReply {
  return { headers: { 'X-Rucio-OIDC-Auth-URL': url }, body: '' };
}

/** The answer to a ticket: a redirect for browsers, the token for the client. */
export function replyToTicket(continued: { readonly location: string } | { readonly token: string }): TextReply {
  if ('location' in continued) {
    const headers = { Location: continued.location, 'Referrer-Policy': 'no-referrer' };
    return { status: 303, headers, body: '' };
  }
  const headers = { 'Content-Type': 'application/octet-stream', 'X-Rucio-Auth-Token': continued.token };
  return { headers, body: '' };
}

/** The page after a log-in at the provider. */
export function replyWithCode({ account, code }: { readonly account: string; readonly code: string | undefined }) {
  const who = `You are logged in as the account ${account}.`;
  return code === undefined
    ? makePage('Log-in granted', `${who} Your Rucio client continues by itself. You can close this page.`)
    : makePage('Log-in granted', `${who} Copy this code to your Rucio client, and give it to nobody else:`, code);
}

/** The answer to a refresh: the token to use, or empty headers. */
export function replyWithRefreshed(
  refreshed: { readonly token: string; readonly expiresAt: number } | undefined,
): TextReply {
  const headers = {
    'X-Rucio-Auth-Token': refreshed?.token ?? '',
    'X-Rucio-Auth-Token-Expires': refreshed === undefined ? '' : String(Math.floor(refreshed.expiresAt / 1_000)),
  };
  return { headers, body: '' };
}
