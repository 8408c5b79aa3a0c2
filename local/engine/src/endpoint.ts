import { randomBytes } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { crc32, gunzipSync, inflateSync } from 'node:zlib';

import { checkAuthentication } from './authentication.ts';
import { EngineError, serializationError } from './errors.ts';
import { listen, type Listener } from './listen.ts';
import { operations } from './operations/index.ts';
import { answerError } from './protocol.ts';
import type { Transport } from './transport.ts';
import { parseNamed } from './values/json-names.ts';

/** The protocol versions in the header that names the operation. */
const services = new Set(['DynamoDB_20120810', 'DynamoDBStreams_20120810']);
/** The content types of requests; the answer has that of its request. */
const contentTypes = new Set(['application/json', 'application/x-amz-json-1.0']);
/** AWS's limit of a request's body. */
const maxBodyBytes = 16 * 2 ** 20;
/** Time for which browsers may cache a CORS preflight. */
const corsSeconds = 172_800;

/** An answer of the endpoint. */
interface HttpAnswer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string;
}

const healthy: HttpAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/plain' },
  body: 'healthy: dynamodb.us-east-1.amazonaws.com ',
};
/** Serves no other headers. */
const noHeaders = (): OutgoingHttpHeaders => ({});
/** The answer to a request outside the protocol. */
const unknown: HttpAnswer = { status: 404, body: '<UnknownOperationException/>\n' };
const tooLong: HttpAnswer = { status: 413, headers: { 'Transfer-Encoding': 'chunked' }, body: '' };

/** How an endpoint answers. */
interface EndpointOptions {
  /** Further headers of an answer. */
  readonly headers?: typeof noHeaders;
  /** Names other than those of loopback that a request may have as `Host`. */
  readonly hosts?: readonly string[] | undefined;
}

/**
 * Serves an engine as a DynamoDB endpoint on loopback, for the AWS CLI and other clients. Any credentials are accepted.
 *
 * @param port 0 for any free one.
 * @throws Error with a remedy if the port is in use or forbidden.
 */
export function serveEngine(
  transport: Transport,
  port: number,
  { headers = noHeaders, hosts }: EndpointOptions = {},
): Promise<Listener> {
  return listen(port, createListener(transport, headers), { onClientError: refuseUnreadable, hosts });
}

/** AWS answers 400 to too long headers or paths, Node 431. */
function refuseUnreadable(_error: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

function createListener(transport: Transport, headers: () => OutgoingHttpHeaders): RequestListener {
  return (request, response) => {
    answer(transport, request).then(
      (found) => reply(response, request, { ...found, headers: { ...found.headers, ...headers() } }),
      () => response.destroy(),
    );
  };
}

async function answer(transport: Transport, request: IncomingMessage): Promise<HttpAnswer> {
  const bytes = await readBody(request);
  if (bytes === undefined) return tooLong;
  const { method, headers } = request;
  if (method === 'GET') return hasRootPath(request) ? healthy : unknown;
  if (method === 'OPTIONS' && isLocalPage(headers)) return answerPreflight(headers);
  const body = decode(bytes, headers['content-encoding']);
  if (body === undefined) return answerError(undefined);
  const contentType = readContentType(request);
  if (method !== 'POST' || !hasRootPath(request) || (body !== '' && !contentTypes.has(contentType))) return unknown;
  const operation = readOperation(request);
  const refusal =
    operation === undefined ? new EngineError('UnknownOperationException', '') : checkAuthentication(request);
  const { status, body: text } =
    operation === undefined || refusal !== undefined
      ? answerError(isReadable(body) ? refusal : serializationError(''))
      : await transport.send(operation, body);
  return { status, headers: { 'Content-Type': contentType === '' ? 'application/json' : contentType }, body: text };
}

/** Requests of the protocol only use the path `/`; AWS's clients include it in the signature. */
function hasRootPath({ url = '' }: IncomingMessage): boolean {
  return url.split('?', 1)[0] === '/';
}

/** The content type without parameters; empty if missing. */
function readContentType({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
}

/** The operation that a request names; undefined if it is unknown. */
function readOperation({ headers }: IncomingMessage): string | undefined {
  const [service = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  return services.has(service) && operations.has(operation) ? operation : undefined;
}

/** Whether a body is valid JSON; DynamoDB checks that first. */
function isReadable(body: string): boolean {
  try {
    if (body !== '') parseNamed(body);
    return true;
  } catch {
    return false;
  }
}

/** Only pages of this machine may call, such as those of tools. AWS allows every page, but verifies the signature. */
function isLocalPage({ origin }: IncomingMessage['headers']): boolean {
  return origin !== undefined && /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin);
}

function answerPreflight(headers: IncomingMessage['headers']): HttpAnswer {
  const method = headers['access-control-request-method'];
  const names = headers['access-control-request-headers'];
  return {
    status: 200,
    headers: {
      'Access-Control-Max-Age': corsSeconds,
      ...(names === undefined ? {} : { 'Access-Control-Allow-Headers': names }),
      ...(method === undefined ? {} : { 'Access-Control-Allow-Methods': method }),
    },
    body: '',
  };
}

/** Reads a body to its end, so that the client reads the answer; undefined if it is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  return length > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

const encodings: ReadonlyMap<string, (body: Buffer) => Buffer> = new Map([
  ['identity', (body: Buffer) => body],
  ['gzip', (body: Buffer) => gunzipSync(body, { maxOutputLength: maxBodyBytes })],
  ['deflate', (body: Buffer) => inflateSync(body, { maxOutputLength: maxBodyBytes })],
]);

/** The text of a body; undefined if it does not match its declared encoding, or is too long. */
function decode(body: Buffer, encoding = 'identity'): string | undefined {
  try {
    return encodings.get(encoding)?.(body).toString('utf8');
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, request: IncomingMessage, { status, headers, body }: HttpAnswer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    ...headers,
    ...(isLocalPage(request.headers) ? { 'Access-Control-Allow-Origin': '*' } : {}),
    ...(status === tooLong.status ? {} : { 'Content-Length': bytes.length }),
    'x-amzn-RequestId': createRequestId(),
    'x-amz-crc32': crc32(bytes),
  });
  response.end(bytes);
}

/** 52 digits to the base 32, the form of AWS's request ids. */
function createRequestId(): string {
  return BigInt(`0x${randomBytes(32).toString('hex')}`)
    .toString(32)
    .toUpperCase()
    .padStart(52, '0');
}
