import { apiUrl, ApiError, getJson, readError } from './client.ts';
import type { AnswerAt } from './contract.ts';
import { keepLogIn } from './renewal.ts';
import { beginSession } from './session.ts';
import type { PageSettings } from './types.ts';

/** The settings of the page. */
export function readSettings(): Promise<PageSettings> {
  return getJson('/ui/settings');
}

/**
 * Logs in with a password. Without an account the service chooses the only one, or the default.
 *
 * @throws ApiError if it is refused, or if there are several accounts to choose from.
 */
export async function logIn(username: string, password: string, account: string): Promise<void> {
  const headers = new Headers({ 'X-Rucio-Username': username, 'X-Rucio-Password': password });
  await logInAt('/auth/userpass', headers, account);
  keepLogIn(() => logIn(username, password, account));
}

/** Begins a session with the token of a route of log-ins. */
async function logInAt(route: '/auth/userpass' | '/auth/x509', headers: Headers, account: string): Promise<void> {
  if (account !== '') headers.set('X-Rucio-Account', account);
  const response = await fetch(apiUrl(route), { headers }).catch(() => {
    throw new ApiError(0, 'Unreachable', 'The server does not answer.');
  });
  const token = response.headers.get('X-Rucio-Auth-Token');
  if (response.status === 206) {
    const accounts = response.headers.get('X-Rucio-Auth-Accounts') ?? '';
    throw new ApiError(206, 'SeveralAccounts', `Name an account. This user may act for: ${accounts}`);
  }
  if (!response.ok || token === null) throw await readError(response);
  const expires = Date.parse(response.headers.get('X-Rucio-Auth-Token-Expires') ?? '');
  beginSession({
    account: response.headers.get('X-Rucio-Auth-Account') ?? account,
    token,
    expires: Number.isNaN(expires) ? Date.now() + 3_600_000 : expires,
  });
}

/**
 * Logs in with the certificate that the browser shows to the gateway. Without an account the service chooses the only one, or the
 * default.
 *
 * @throws ApiError if it is refused, or if there are several accounts to choose from.
 */
export async function logInWithCertificate(account: string): Promise<void> {
  const headers = new Headers({ 'X-Rucio-Allow-Return-Multiple-Accounts': 'true' });
  await logInAt('/auth/x509', headers, account);
  keepLogIn(() => logInWithCertificate(account));
}

/**
 * Begins a session with a token that was issued elsewhere, such as by an OpenID issuer.
 *
 * @throws ApiError if the service does not accept it.
 */
export async function useToken(token: string): Promise<void> {
  const response = await fetch(apiUrl('/accounts/whoami'), { headers: { 'X-Rucio-Auth-Token': token } });
  if (!response.ok) throw await readError(response);
  const { account } = (await response.json()) as AnswerAt<'GET', '/accounts/:account'>;
  beginSession({ account, token, expires: Date.now() + 3_600_000 });
}
