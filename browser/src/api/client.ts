import type { Method } from '../../../lib/contract/route.ts';
import type { DidKey } from '../../../lib/contract/schemas/did.ts';
import type { AnswerAt, AnyPath, BodyAt, Exactly, ParametersOf, QueryAt, RowAt, Target, TargetOf } from './contract.ts';
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

/** Options of a request to a route. */
export interface RequestOptions<M extends Method, T, Q = QueryAt<M, T>, B = BodyAt<M, T>> {
  readonly query?: Exactly<Q, QueryAt<M, T>>;
  readonly body?: Exactly<B, BodyAt<M, T>>;
  readonly signal?: AbortSignal | undefined;
  /** The media type of the answer, where a route has several. */
  readonly accept?: string | undefined;
}

interface AnyOptions {
  /** A {@link Query}; for the compiler the types of routes are too many to see that. */
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The service is above the folder of the page, below whatever prefix the gateway has. */
const root = new URL('../', document.baseURI);

/** The absolute URL of a route. */
export function apiUrl(target: TargetOf<Method>, query: Query = {}): string {
  return urlOf(target, query);
}

/** The absolute URL of any path of the service. */
export function urlOf(target: string, query: Query = {}): string {
  const url = new URL(target.replace(/^\//, ''), root);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.append(key, String(value));
  }
  return url.href;
}

/**
 * Fills in the parameters of a path that the contract declares; each value becomes one escaped segment.
 *
 * @param declared As in lib/contract, such as `/dids/**:scope_name/files` with the parameter `did`.
 */
export function path<P extends AnyPath>(declared: P, parameters: ParametersOf<P>): Target<P> {
  const { did, ...values } = parameters as Readonly<Record<string, string>> & { readonly did?: DidKey };
  const filled = declared.replaceAll(/(?:\*\*)?:(\w+)/g, (_match, name: string) =>
    did !== undefined && name === 'scope_name'
      ? `${encodeURIComponent(did.scope)}/${encodeURIComponent(did.name)}`
      : encodeURIComponent(values[name] ?? ''),
  );
  return filled as Target<P>;
}

let logInAgain: (() => Promise<void>) | undefined;
let whenReachable: ((reachable: boolean) => void) | undefined;

/** Sets what happens when a token has expired: `ask` resolves after a new log-in, and the request is repeated. */
export function onExpiredToken(ask: () => Promise<void>): void {
  logInAgain = ask;
}

/** Asks for a log-in now, as if the token had expired. */
export async function askLogIn(): Promise<void> {
  await logInAgain?.();
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
export async function send<
  M extends Method,
  const T extends TargetOf<M>,
  Q extends QueryAt<M, T>,
  B extends BodyAt<M, T>,
>(method: M, target: T, options: RequestOptions<M, T, Q, B> = {}): Promise<Response> {
  return sendAny(method, target, options);
}

/** A request that can be shown before it is sent. */
export interface PreparedRequest {
  readonly method: Method;
  readonly path: TargetOf<Method>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Prepares a request; its body is checked by the contract. */
export function prepare<M extends Method, const T extends TargetOf<M>, B extends BodyAt<M, T>>(
  method: M,
  target: T,
  body?: Exactly<B, BodyAt<M, T>>,
  headers?: Readonly<Record<string, string>>,
): PreparedRequest {
  return { method, path: target, body, headers };
}

/** Sends a prepared request. Throws as {@link send}. */
export function sendPrepared({ method, path: target, body, headers }: PreparedRequest): Promise<Response> {
  return sendAny(method, target, { body, headers });
}

async function sendAny(method: Method, target: string, options: AnyOptions): Promise<Response> {
  const response = await sendOnce(method, target, options);
  if (response.ok) return response;
  const error = await readError(response);
  if (error.exceptionClass !== 'CannotAuthenticate' || logInAgain === undefined) throw error;
  await logInAgain();
  const repeated = await sendOnce(method, target, options);
  if (!repeated.ok) throw await readError(repeated);
  return repeated;
}

async function sendOnce(method: Method, target: string, options: AnyOptions): Promise<Response> {
  const token = session()?.token;
  try {
    const response = await fetch(urlOf(target, options.query as Query), {
      method,
      headers: {
        ...(token === undefined ? {} : { 'X-Rucio-Auth-Token': token }),
        ...options.headers,
        ...(options.accept === undefined ? {} : { Accept: options.accept }),
      },
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
export async function getJson<const T extends TargetOf<'GET'>, Q extends QueryAt<'GET', T>>(
  target: T,
  options: RequestOptions<'GET', T, Q> = {},
): Promise<AnswerAt<'GET', T>> {
  return parseJson(await (await sendAny('GET', target, options)).text()) as AnswerAt<'GET', T>;
}

/** The JSON document that a POST answers. Throws as {@link send}. */
export async function postJson<const T extends TargetOf<'POST'>, B extends BodyAt<'POST', T>>(
  target: T,
  options: RequestOptions<'POST', T, QueryAt<'POST', T>, B>,
): Promise<AnswerAt<'POST', T>> {
  return parseJson(await (await sendAny('POST', target, options)).text()) as AnswerAt<'POST', T>;
}

/** All rows of a short list. Throws as {@link send}. */
export async function getLines<const T extends TargetOf<'GET'>, Q extends QueryAt<'GET', T>>(
  target: T,
  options: RequestOptions<'GET', T, Q> = {},
): Promise<readonly RowAt<T>[]> {
  return readRows(await sendAny('GET', target, options));
}

/** The rows that a POST answers. Throws as {@link send}. */
export async function postLines<const T extends TargetOf<'POST'>, B extends BodyAt<'POST', T>>(
  target: T,
  options: RequestOptions<'POST', T, QueryAt<'POST', T>, B>,
): Promise<readonly RowAt<T, 'POST'>[]> {
  return readRows(await sendAny('POST', target, options));
}

/** A page of a list. Throws as {@link send}. */
export async function getPage<const T extends TargetOf<'GET'>, Q extends QueryAt<'GET', T>>(
  target: T,
  limit: number,
  cursor: string | undefined,
  options: RequestOptions<'GET', T, Q> = {},
): Promise<PageOf<RowAt<T>>> {
  const query = { ...options.query, limit, cursor };
  const response = await sendAny('GET', target, { ...options, query });
  const link = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  const next = link === undefined ? undefined : (new URL(link, root).searchParams.get('cursor') ?? undefined);
  return { rows: await readRows<RowAt<T>>(response), next };
}

/** The rows of a page that are of one kind, where a list may have several. */
export function pickRows<T, R extends T>({ rows, next }: PageOf<T>, is: (row: T) => row is R): PageOf<R> {
  return { rows: rows.filter(is), next };
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
