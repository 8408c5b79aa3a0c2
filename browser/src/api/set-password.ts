import { ApiError, apiUrl, path, readError } from './client.ts';
import { logIn } from './log-in.ts';
import { session } from './session.ts';

/** A username of an account, with the present password and the next one. */
export interface PasswordChange {
  readonly account: string;
  readonly username: string;
  readonly current: string;
  readonly password: string;
}

/**
 * Sets the password of the user who is logged in, whose session ends with the former one, and logs in anew. A wrong password is
 * no session that has ended, so nobody is asked to log in.
 *
 * @throws ApiError if it is refused.
 */
export async function setOwnPassword({ account, username, current, password }: PasswordChange): Promise<void> {
  const headers = {
    'X-Rucio-Auth-Token': session()?.token ?? '',
    'X-Rucio-Username': username,
    'X-Rucio-Password': password,
    'X-Rucio-Current-Password': current,
  };
  const target = apiUrl(path('/identities/:account/userpass', { account }));
  const response = await fetch(target, { method: 'PUT', headers }).catch(() => {
    throw new ApiError(0, 'Unreachable', 'The server does not answer.');
  });
  if (!response.ok) throw await readError(response);
  await logIn(username, password, account);
}
