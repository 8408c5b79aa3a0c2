import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Group } from '../lib/contract/route.ts';
import { env } from '../lib/env.ts';
import { RucioError } from '../lib/errors.ts';
import { errorAnswer } from '../lib/http/error-response.ts';
import { firstSegment, spellRoot } from '../lib/http/root-path.ts';
import { answerOverHttp, sendJson, sendText } from './answer-sink.ts';
import { BodyBudget } from './body-budget.ts';
import { directCaller, type ReadCaller } from './caller.ts';
import { splitTarget, toProxyEvent } from './proxy-event.ts';
import type { RunFunction } from './run-function.ts';

/** The endpoint groups, how their functions run, and where failures are reported. */
export interface GatewayOptions {
  readonly groups: readonly Group[];
  readonly run: RunFunction;
  readonly report: (message: string) => void;
  /** Tells who sent a request; by default the connection does. */
  readonly callerOf?: ReadCaller;
  /** Refuses a request before its function runs; undefined: it does not. */
  readonly refuse?: (group: Group, method: string, path: string) => RucioError | undefined;
}

/** API Gateway's limit of a request's body. */
const maxBodyBytes = 10 * 1024 * 1024;
/** Lambda's limit of an event; it contains the body as JSON text. */
const maxEventBytes = 6 * 1024 * 1024;
/** The memory of bodies that have not arrived completely. */
const maxOpenBytes = 64 * 1024 * 1024;
/** Limits for draining the rest of a body that is too long, so that its sender reads the answer. */
const drainLimits = { bytes: 20 * maxBodyBytes, timeoutMs: 10_000 };

/**
 * The local API Gateway: turns every request into a proxy event for the function of its group.
 *
 * @returns a listener for `http.createServer`.
 */
export function createGateway({
  groups,
  run,
  report,
  refuse,
  callerOf = directCaller,
}: GatewayOptions): RequestListener {
  const byPrefix = new Map(groups.flatMap((group) => group.prefixes.map((prefix) => [prefix, group] as const)));

  const budget = new BodyBudget(maxOpenBytes);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, budget);
    if (body === 'broken') return;
    if (body === 'too long') return refuseLongBody(request, response);
    const { path } = splitTarget(request.url ?? '/');
    const prefix = firstSegment(spellRoot(path));
    const group = byPrefix.get(prefix);
    if (group === undefined) return answerUnknownPath(request, response);
    const refusal = refuse?.(group, request.method ?? 'GET', path);
    if (refusal !== undefined) return answerError(request, response, refusal);
    const event = toProxyEvent(request, body, prefix, callerOf(request));
    if (body.length > maxEventBytes / 6 && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) {
      return answerLongEvent(request, response);
    }
    const failure = await run(group.name, event, answerOverHttp(response));
    if (failure !== undefined) report(`${request.method} ${prefix}: ${describe(failure)}`);
  };

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      report(`${request.method} ${splitTarget(request.url ?? '').path}: ${describe(error)}`);
      if (response.headersSent) response.destroy();
      else sendJson(response, 502, { message: 'Internal server error' });
    });
  };
}

/** Reads the whole body, up to the limit. */
async function readBody(request: IncomingMessage, budget: BodyBudget): Promise<Buffer | 'too long' | 'broken'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return 'too long';
  const chunks: Buffer[] = [];
  let length = 0;
  const open = budget.open(() => request.destroy());
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBodyBytes) return 'too long';
      chunks.push(chunk);
      open.add(chunk.length);
    }
  } catch {
    return 'broken';
  } finally {
    open.close();
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

/**
 * Sends the answer at once but ends it only after the sender has finished. Node closes the connection at the end, and a
 * client that is still sending would see a reset instead of the answer.
 */
function refuseLongBody(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ message: 'Request Too Long' });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    ...corsHeaders(request),
  };
  response.writeHead(413, headers).write(body);
  const giveUp = setTimeout(() => request.destroy(), drainLimits.timeoutMs);
  let dropped = 0;
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > drainLimits.bytes) request.destroy();
  });
  request.once('end', () => response.end());
  request.once('close', () => clearTimeout(giveUp));
}

function answerUnknownPath(request: IncomingMessage, response: ServerResponse): void {
  answerError(request, response, new RucioError('NotFound', 'The requested URL was not found on the server.'));
}

/** The same answer as in infra/gateway-responses.ts. */
function answerLongEvent(request: IncomingMessage, response: ServerResponse): void {
  const message = 'The request is larger than 6 MB. Please send it in parts.';
  answerError(request, response, new RucioError('PayloadTooLarge', message));
}

function answerError(request: IncomingMessage, response: ServerResponse, error: RucioError): void {
  const { statusCode, headers, body } = errorAnswer(error);
  sendText(
    response,
    { statusCode, headers: { ...headers, ...corsHeaders(request) } },
    typeof body === 'string' ? body : '',
  );
}

/** Lets web pages of the configured origins read the errors, as infra/gateway-responses.ts does. */
function corsHeaders({ headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> {
  if (origin === undefined || !env.corsOrigins.includes(origin)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'ExceptionClass, ExceptionMessage, Retry-After',
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
