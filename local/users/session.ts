import { parseNamed } from '../../lib/json-names.ts';
import type { Ask, UserChange } from './plan-user.ts';

/** Who asks which catalogue. */
export interface Caller {
  readonly url: string;
  readonly account: string;
  readonly username: string;
  readonly password: string;
}

/** A session at a catalogue. */
export interface Session extends Ask {
  readonly change: (change: UserChange) => Promise<void>;
}

/** Logs in. @throws Error in the words of the catalogue. */
export async function logIn({ url, account, username, password }: Caller): Promise<Session> {
  const login = { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  const token = (await send(`${url}/auth/userpass`, { headers: login })).headers.get('X-Rucio-Auth-Token') ?? '';
  const headers = { 'X-Rucio-Auth-Token': token };
  return {
    get: async (path) => {
      const answer = await send(url + path, { headers }, 404);
      return answer.status === 404 ? undefined : parse(answer);
    },
    change: async ({ method, path, body }) => {
      await send(
        url + path,
        body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) },
      );
    },
  };
}

async function parse(answer: Response): Promise<unknown> {
  // A limit without bound is no JSON, as in Rucio.
  const text = (await answer.text()).replaceAll(/(?<!\\)": Infinity(?=[,}])/g, '": -1');
  if (!/json-stream/.test(answer.headers.get('Content-Type') ?? '')) return parseNamed(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => parseNamed(line));
}

async function send(url: string, init: RequestInit, alsoFine?: number): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url, init);
  } catch (cause) {
    throw new Error(`${new URL(url).origin} does not answer.`, { cause });
  }
  if (answer.ok || answer.status === alsoFine) return answer;
  const text = await answer.text();
  throw new Error(answer.headers.get('ExceptionMessage') ?? `${answer.status} ${text}`);
}
