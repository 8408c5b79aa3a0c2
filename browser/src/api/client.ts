import { parseJson, writeJson } from './json.ts';
import { session } from './session.ts';

/** An error answer of the service, in Rucio's words; status 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly exceptionClass: string;

  constructor(status: number, exceptionClass: string, message: string) {
    super(message);
    this.status = status;
    this.exceptionClass = exceptionClass;
  }
}

/** A page of a list, and the cursor of the next one. */
export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly next: string | undefined;
}

/** Values of a query; undefined and empty ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Options of a request. */
export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The service is above the folder of the page, below whatever prefix the gateway has. */
const root = new URL('../', document.baseURI);

/** The absolute URL of a path of the interface. */
export function apiUrl(target: string, query: Query = {}): string {
  const url = new URL(target.replace(/^\//, ''), root);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.append(key, String(value));
  }
  return url.href;
}

/** Builds a path from a template literal; each value becomes one escaped segment. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}

let logInAgain: (() => Promise<void>) | undefined;
let whenReachable: ((reachable: boolean) => void) | undefined;

/** Sets what happens when a token has expired: `ask` resolves after a new log-in, and the request is repeated. */
export function onExpiredToken(ask: () => Promise<void>): void {
  logInAgain = ask;
}

/** Sets who is told whether the last request reached the server. */
export function onReachable(listener: (reachable: boolean) => void): void {
  whenReachable = listener;
}

/**
 * Sends a request with the token of the session.
 *
 * @throws ApiError for an error answer, and with status 0 if the server cannot be reached.
 */
export async function send(method: string, target: string, options: RequestOptions = {}): Promise<Response> {
  const response = await sendOnce(method, target, options);
  if (response.ok) return response;
  const error = await readError(response);
  if (error.exceptionClass !== 'CannotAuthenticate' || logInAgain === undefined) throw error;
  await logInAgain();
  const repeated = await sendOnce(method, target, options);
  if (!repeated.ok) throw await readError(repeated);
  return repeated;
}

async function sendOnce(method: string, target: string, options: RequestOptions): Promise<Response> {
  const token = session()?.token;
  try {
    const response = await fetch(apiUrl(target, options.query), {
      method,
      headers: { ...(token === undefined ? {} : { 'X-Rucio-Auth-Token': token }), ...options.headers },
      ...(options.body === undefined ? {} : { body: writeJson(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    whenReachable?.(true);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    whenReachable?.(false);
    throw new ApiError(0, 'Unreachable', 'The server does not answer. It may be stopped, or the network is down.');
  }
}

/** Reads an error answer; gateways in between answer in other forms. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  try {
    const body = parseJson(text) as { ExceptionClass?: string; ExceptionMessage?: string; message?: string };
    const message = body.ExceptionMessage ?? body.message ?? text;
    return new ApiError(response.status, body.ExceptionClass ?? response.statusText, message);
  } catch {
    return new ApiError(response.status, response.headers.get('ExceptionClass') ?? response.statusText, text);
  }
}

/** A JSON document. Throws as {@link send}. */
export async function getJson<T>(target: string, options?: RequestOptions): Promise<T> {
  return parseJson(await (await send('GET', target, options)).text()) as T;
}

/** All lines of a short list. Throws as {@link send}. */
export async function getLines<T>(target: string, options?: RequestOptions): Promise<readonly T[]> {
  return readRows(await send('GET', target, options));
}

/** The lines that a POST answers. Throws as {@link send}. */
export async function postLines<T>(target: string, options: RequestOptions): Promise<readonly T[]> {
  return readRows(await send('POST', target, options));
}

/** A page of a list. Throws as {@link send}. */
export async function getPage<T>(
  target: string,
  limit: number,
  cursor: string | undefined,
  options: RequestOptions = {},
): Promise<PageOf<T>> {
  const response = await send('GET', target, { ...options, query: { ...options.query, limit, cursor } });
  const link = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  const next = link === undefined ? undefined : (new URL(link, root).searchParams.get('cursor') ?? undefined);
  return { rows: await readRows<T>(response), next };
}

/** The rows of a list: one JSON value per line, or a JSON array. */
async function readRows<T>(response: Response): Promise<T[]> {
  const text = await response.text();
  if (text.trimStart().startsWith('[')) return parseJson(text) as T[];
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => parseJson(line) as T);
}
