import { apiUrl, ApiError, readError } from './client.ts';
import { useToken } from './log-in.ts';

const pollMs = 2_000;

/** The service forgets a log-in that nobody has finished after five minutes. */
const logInTimeoutMs = 5 * 60_000;

/**
 * Logs in at an OpenID provider (access 1.7): shows its page in `shown`, and asks for the token until the user has logged in
 * there. Closes `shown` in the end.
 *
 * @param account Empty for the default account of the user.
 * @param signal Gives up.
 * @throws ApiError if no provider is registered, if the user does not log in within five minutes, or if the token is refused.
 */
export async function logInAtProvider(account: string, shown: Window, signal: AbortSignal): Promise<void> {
  try {
    const url = await beginLogIn(account, signal);
    shown.location.href = url;
    await useToken(await fetchToken(new URL(url).search, signal));
  } finally {
    shown.close();
  }
}

async function beginLogIn(account: string, signal: AbortSignal): Promise<string> {
  const headers = new Headers({ 'X-Rucio-Client-Authorize-Polling': 'True' });
  if (account !== '') headers.set('X-Rucio-Account', account);
  const response = await fetch(apiUrl('/auth/oidc'), { headers, signal });
  const url = response.headers.get('X-Rucio-OIDC-Auth-URL');
  if (!response.ok || url === null) throw await readError(response);
  return url;
}

/** The token of a log-in, by the query of its URL. Until the user has logged in, the service refuses. */
async function fetchToken(query: string, signal: AbortSignal): Promise<string> {
  const until = Date.now() + logInTimeoutMs;
  const headers = { 'X-Rucio-Client-Fetch-Token': 'True' };
  for (;;) {
    const response = await fetch(apiUrl('/auth/oidc_redirect') + query, { headers, signal });
    const token = response.headers.get('X-Rucio-Auth-Token');
    if (response.ok && token !== null) return token;
    if (response.status !== 401) throw await readError(response);
    if (Date.now() > until) throw new ApiError(401, 'CannotAuthenticate', 'Nobody has logged in at the provider.');
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs);
    });
  }
}
