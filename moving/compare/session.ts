import { setTimeout as sleep } from 'node:timers/promises';

import { toJson } from '../../lib/json.ts';
import { readPythonJson } from '../../lib/python/json.ts';
import { backOff } from '../../lib/retry.ts';

/** How to log in: a username with its password and account, or a token that somebody else has fetched. */
export type Credentials =
  | { readonly username: string; readonly password: string; readonly account: string }
  | { readonly token: string };

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** An answer with its error, and with the time after which the request may be repeated. */
interface Said extends Answer {
  readonly after: string | null;
  readonly exceptionClass: string | null;
}

/** A server that is asked over REST. Tokens are fetched when they are needed, and again when they expire. */
export interface Session {
  readonly url: string;
  /** Sends a request and reads the answer; repeats it while the server is overloaded or out of reach. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The JSON document of an answer; an empty one for nothing. @throws RequestError unless the status is 2xx. */
  json(path: string): Promise<unknown>;
  /** The lines, or the elements of a list, of an answer that fits into memory; what Rucio answers for nothing has none. @throws RequestError unless it is 2xx. */
  rows(method: string, path: string, body?: unknown): Promise<Record<string, unknown>[]>;
  /** The lines of an answer of any length, as they arrive; not repeated once they do. @throws RequestError unless it is 2xx. */
  stream(path: string): AsyncGenerator<Record<string, unknown>>;
}

/** Classes of the errors (404) that Rucio answers in place of an empty list. */
const nothing: ReadonlySet<string> = new Set([
  'ConfigNotFound',
  'LifetimeExceptionNotFound',
  'RSEProtocolNotSupported',
  'RuleNotFound',
  'SubscriptionNotFound',
]);

/** A request that a server refused, or that could not be sent. */
export class RequestError extends Error {
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Attempts of a request before it counts as failed, and the pauses between them. */
const policy = { attempts: 6, firstPauseMs: 500, longestPauseMs: 8_000 };

/** A token is replaced this long before it expires, in milliseconds. */
const renewalMs = 60_000;

const overloaded = new Set([429, 502, 503, 504]);

interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

/** Opens a session; nothing is sent before the first request. */
export function openSession({ url, credentials }: { url: string; credentials: Credentials }): Session {
  const base = url.replace(/\/+$/, '');
  let token: Promise<Token> | undefined;

  const currentToken = async (): Promise<string> => {
    const known = await token?.catch(() => undefined);
    if (known === undefined || known.expiresAt - renewalMs < Date.now()) token = logIn(base, credentials);
    return (await (token as Promise<Token>)).text;
  };

  const send = async (method: string, path: string, body: unknown): Promise<Response> => {
    const request = async () =>
      fetch(base + path, {
        method,
        headers: { 'X-Rucio-Auth-Token': await currentToken() },
        ...(body === undefined ? {} : { body: toJson(body) }),
      });
    const response = await request();
    if (response.status !== 401 || 'token' in credentials) return response;
    // The server may have forgotten the token, for instance because it was restarted with another key.
    await response.arrayBuffer();
    token = undefined;
    return request();
  };

  const call = (method: string, path: string, body?: unknown) =>
    repeat(base, async () => {
      const response = await send(method, path, body);
      return { ...saidBy(response), text: await response.text() };
    });

  const rows: Session['rows'] = async (method, path, body) => {
    const answer = await call(method, path, body);
    if (isNothing(answer)) return [];
    requireSuccess(method, base + path, answer);
    return readAnswer(method, base + path, () => readRows(answer.text));
  };

  return {
    url: base,
    call,
    rows,
    async json(path) {
      const answer = await call('GET', path);
      if (isNothing(answer)) return {};
      requireSuccess('GET', base + path, answer);
      return readAnswer('GET', base + path, () => readPythonJson(answer.text));
    },
    async *stream(path) {
      const { response } = await repeat(base, async () => {
        const found = await send('GET', path, undefined);
        return { ...saidBy(found), text: '', response: found };
      });
      if (isNothing(saidBy(response))) return;
      if (!response.ok) requireSuccess('GET', base + path, { status: response.status, text: await response.text() });
      try {
        for await (const line of linesOf(response.body)) yield readPythonJson(line) as Record<string, unknown>;
      } catch (error) {
        throw new RequestError(`GET ${base}${path}: the answer broke off: ${reasonOf(error)}`, 0, { cause: error });
      }
    },
  };
}

async function logIn(base: string, credentials: Credentials): Promise<Token> {
  if ('token' in credentials) return { text: credentials.token, expiresAt: Number.POSITIVE_INFINITY };
  const { account, username, password } = credentials;
  const headers = {
    'X-Rucio-Account': account,
    'X-Rucio-Username': username,
    'X-Rucio-Password': password,
  };
  const { status, text, ...answer } = await repeat(base, async () => {
    const response = await fetch(`${base}/auth/userpass`, { headers });
    return {
      status: response.status,
      text: await response.text(),
      after: response.headers.get('Retry-After'),
      token: response.headers.get('X-Rucio-Auth-Token'),
      expires: response.headers.get('X-Rucio-Auth-Token-Expires'),
    };
  });
  if (answer.token === null) throw new RequestError(`${base}: ${account} cannot log in: ${status} ${text}`, status);
  const expiresAt = Date.parse(answer.expires ?? '');
  return { text: answer.token, expiresAt: Number.isNaN(expiresAt) ? Number.POSITIVE_INFINITY : expiresAt };
}

/** Sends a request again, with growing pauses, while the server is overloaded or out of reach. */
async function repeat<A extends Omit<Said, 'exceptionClass'>>(base: string, ask: () => Promise<A>): Promise<A> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ask();
      if (!overloaded.has(answer.status) || attempt === policy.attempts) return answer;
      await Promise.all([backOff(policy, attempt), sleep(Number(answer.after ?? 0) * 1000)]);
    } catch (error) {
      if (error instanceof RequestError) throw error;
      if (attempt === policy.attempts)
        throw new RequestError(`${base} cannot be reached: ${reasonOf(error)}`, 0, { cause: error });
      await backOff(policy, attempt);
    }
  }
}

function saidBy({ status, headers }: Response): Omit<Said, 'text'> {
  return { status, after: headers.get('Retry-After'), exceptionClass: headers.get('ExceptionClass') };
}

function isNothing({ status, exceptionClass }: Omit<Said, 'text' | 'after'>): boolean {
  return status === 404 && exceptionClass !== null && nothing.has(exceptionClass);
}

function requireSuccess(method: string, url: string, { status, text }: Answer): void {
  if (status >= 200 && status < 300) return;
  throw new RequestError(`${method} ${url}: ${status} ${text.slice(0, 300)}`, status);
}

/** Reads an answer. @throws RequestError that names the request if the answer is not what it should be. */
function readAnswer<T>(method: string, url: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new RequestError(`${method} ${url}: the answer cannot be read: ${reasonOf(error)}`, 0, { cause: error });
  }
}

/** Reads a list, or lines of JSON; an empty answer has no rows. */
function readRows(text: string): Record<string, unknown>[] {
  if (text.startsWith('[')) return readPythonJson(text) as Record<string, unknown>[];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => readPythonJson(line) as Record<string, unknown>);
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

/** The reason of a failure; that of `fetch` is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
