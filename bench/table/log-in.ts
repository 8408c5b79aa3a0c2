import type { ServerProcess } from '../../test/support/server-process.ts';

/** Sends a request as root; the body as JSON. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Logs in as root. */
export async function logIn({ url }: ServerProcess): Promise<Send> {
  const login = await fetch(`${url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  const token = login.headers.get('X-Rucio-Auth-Token') ?? '';
  return (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { 'X-Rucio-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}
