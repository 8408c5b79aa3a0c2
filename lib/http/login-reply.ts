import type { Login } from '../domain/auth/caller.ts';
import { formatDate } from '../time.ts';
import type { TextReply } from './respond.ts';

type Headers = Readonly<Record<string, string>>;

/** A secret with the time at which it expires, in milliseconds since 1970. */
interface Expiring {
  readonly expiresAt: number;
}

/** The VO and the account that a caller names in the headers of a login. */
export function readCaller(headers: Headers) {
  return { vo: headers['x-rucio-vo'], account: headers['x-rucio-account'] };
}

/** The caller of a login by certificate. `canChoose`: the client understands an answer with several accounts. */
export function readCertificateCaller(headers: Headers) {
  const canChoose = headers['x-rucio-allow-return-multiple-accounts']?.toLowerCase() === 'true';
  return { ...readCaller(headers), canChoose };
}

/**
 * The answer to a login: the token in headers, or 206 with the accounts to choose from. The body repeats the accounts in
 * Python's notation.
 */
export function replyToLogin(login: Login): TextReply {
  if ('accounts' in login) {
    const { accounts } = login;
    return {
      status: 206,
      headers: { 'X-Rucio-Auth-Accounts': accounts.join(',') },
      body: `[${accounts.map((account) => JSON.stringify(account)).join(', ')}]`,
    };
  }
  const { headers } = replyWithToken(login);
  return { headers: { ...headers, 'X-Rucio-Auth-Account': login.account }, body: '' };
}

/** The answer with a token alone. */
export function replyWithToken({ token, expiresAt }: Expiring & { readonly token: string }) {
  const headers = { 'X-Rucio-Auth-Token': token, 'X-Rucio-Auth-Token-Expires': formatDate(expiresAt) };
  return { headers, body: '' };
}

/** The answer with a challenge that the caller signs with an SSH key. */
export function replyWithChallenge({ challenge, expiresAt }: Expiring & { readonly challenge: string }): TextReply {
  const headers = {
    'X-Rucio-SSH-Challenge-Token': challenge,
    'X-Rucio-SSH-Challenge-Token-Expires': formatDate(expiresAt),
  };
  return { headers, body: '' };
}
