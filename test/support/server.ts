/**
 * HTTP against the server under test, for the tests of test/blackbox:
 *
 *     const alice = await newAccount();
 *     const scope = await newScope({ owner: alice.account });
 *     const answer = await alice.post(`/dids/${scope}/raw`, { type: 'DATASET' });
 *     expect(answer.status).toBe(201);
 *     expectError(await nobody.get('/scopes'), 401, 'CannotAuthenticate', 'Token must be set.');
 *
 * These tests import no code of Dapple and run against any server (`BASE_URL`). So they name everything by `uniqueName` and
 * check only what they created.
 */
import { randomBytes } from 'node:crypto';

import { expect } from 'vitest';

import { baseUrl, rootUser } from './run.ts';
import { send } from './send.ts';

/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as one JSON document. */
  json(): unknown;
  /** The body as a JSON stream, one value a line. */
  lines(): unknown[];
}

/** Options of a request. */
export interface CallOptions {
  /** The caller; absent: no token is sent. */
  readonly as?: Client;
  /** A token text; wins over `as`. */
  readonly token?: string;
  /** Sent as JSON, without a Content-Type, as the official client does. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Options = Omit<CallOptions, 'as' | 'body'>;

/** A caller: an account with a way to log in, or nobody. */
export interface Client {
  readonly account: string;
  readonly username: string;
  readonly password: string;
  /** The token of the requests; fetched at the first one. */
  token(): Promise<string>;
  get(path: string, options?: Options): Promise<Answer>;
  post(path: string, body?: unknown, options?: Options): Promise<Answer>;
  put(path: string, body?: unknown, options?: Options): Promise<Answer>;
  delete(path: string, body?: unknown, options?: Options): Promise<Answer>;
}

/** Sends one request; redirects are not followed. The path is sent as it stands, percent-encoded by the caller. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const token = options.token ?? (await options.as?.token());
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const { status, headers, text } = await send(new URL((await baseUrl()) + path), {
    method,
    headers: { ...(token === undefined ? {} : { 'X-Rucio-Auth-Token': token }), ...options.headers },
    body,
  });
  return {
    status,
    headers,
    text,
    json: () => JSON.parse(text) as unknown,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
  };
}

/** The headers of a log-in. */
export function loginHeaders(user: { account?: string; username?: string; password?: string }): Record<string, string> {
  const headers = {
    'X-Rucio-Account': user.account,
    'X-Rucio-Username': user.username,
    'X-Rucio-Password': user.password,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A client that logs in as an account with a username and a password. */
export function createClient(user: { account: string; username: string; password: string }): Client {
  let token: Promise<string> | undefined;
  const logIn = async () => {
    const answer = await call('GET', '/auth/userpass', { headers: loginHeaders(user) });
    const text = answer.headers.get('X-Rucio-Auth-Token');
    if (text === null) throw new Error(`${user.account} cannot log in: ${answer.status} ${answer.text}`);
    return text;
  };
  const client: Client = {
    ...user,
    token: () => (token ??= logIn()),
    get: (path, options) => call('GET', path, { ...options, as: client }),
    post: (path, body, options) => call('POST', path, { ...options, body, as: client }),
    put: (path, body, options) => call('PUT', path, { ...options, body, as: client }),
    delete: (path, body, options) => call('DELETE', path, { ...options, body, as: client }),
  };
  return client;
}

/** A caller without a token. */
export const nobody: Pick<Client, 'get' | 'post' | 'put' | 'delete'> = {
  get: (path, options) => call('GET', path, options),
  post: (path, body, options) => call('POST', path, { ...options, body }),
  put: (path, body, options) => call('PUT', path, { ...options, body }),
  delete: (path, body, options) => call('DELETE', path, { ...options, body }),
};

let root: Client | undefined;

/** The account root. */
export function asRoot(): Client {
  return (root ??= createClient({ account: 'root', ...rootUser() }));
}

/** A unique name of at most 17 characters that accounts, scopes and DIDs may have. */
export function uniqueName(prefix = 't'): string {
  return `${prefix.slice(0, 6)}-${randomBytes(5).toString('hex')}`;
}

/** A new account of type USER that can log in with a username of its own. */
export async function newAccount(options: { admin?: boolean; prefix?: string } = {}): Promise<Client> {
  const account = uniqueName(options.prefix ?? 'acc');
  const password = `password of ${account}`;
  await created(asRoot().post(`/accounts/${account}`, { type: 'USER', email: `${account}@example.org` }));
  const identity = { identity: account, authtype: 'USERPASS', email: `${account}@example.org`, password };
  await created(asRoot().post(`/accounts/${account}/identities`, identity));
  if (options.admin === true) await created(asRoot().post(`/accounts/${account}/attr/admin`, { value: 'true' }));
  return createClient({ account, username: account, password });
}

/** The name of a new scope, of root unless an owner is named. */
export async function newScope(options: { owner?: string; prefix?: string } = {}): Promise<string> {
  const scope = uniqueName(options.prefix ?? 'scope');
  await created(asRoot().post(`/accounts/${options.owner ?? 'root'}/scopes/${scope}`));
  return scope;
}

/** Expects Rucio's form of an error: class and message in body and headers (spec/access.md 0.1). */
export function expectError(answer: Answer, status: number, exceptionClass: string, message?: string | RegExp): void {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} \\{"ExceptionClass": "${exceptionClass}"`));
  const error = answer.json() as { ExceptionMessage: string };
  if (typeof message === 'string') expect(error.ExceptionMessage).toBe(message);
  else if (message !== undefined) expect(error.ExceptionMessage).toMatch(message);
  expect(answer.headers.get('Content-Type')).toBe('application/octet-stream');
  expect(answer.headers.get('ExceptionClass')).toBe(exceptionClass);
  expect(answer.headers.get('ExceptionMessage')?.trim()).toBe(headerText(error.ExceptionMessage).trim());
}

/** A message as the header carries it: one line, Latin-1, at most 125 characters. */
function headerText(message: string): string {
  const line = message.replaceAll(/[\r\n]/g, ' ').replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?');
  return line.length > 125 ? `${line.slice(0, 125)}...` : line;
}

/** Expects the answer to a creation: 201 with the text `Created`. */
export function expectCreated(answer: Answer): void {
  expect(`${answer.status} ${answer.text}`).toBe('201 Created');
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
}

/** Expects the answer to a change: 200 without a body. */
export function expectEmpty(answer: Answer): void {
  expect(`${answer.status} ${answer.text}`).toBe('200 ');
}

async function created(request: Promise<Answer>): Promise<void> {
  const { status, text } = await request;
  if (status !== 201) throw new Error(`preparing a test failed: ${status} ${text}`);
}
