import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** Status and headers that a handler sends before the body. */
export interface Metadata {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
}

/** A handler that `awslambda.streamifyResponse` has marked. */
export type StreamingHandler = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<unknown>;

/** A function as its module exports it: marked for streaming, or answering with a proxy result. */
export type Handler = StreamingHandler | ((event: APIGatewayProxyEvent, context: Context) => Promise<unknown>);

interface ProxyResult extends Metadata {
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const streamingMark = Symbol('streamed answer');

/** The stream that a streaming handler writes to. It becomes an HTTP answer when `HttpResponseStream.from` names it. */
class AnswerStream extends Writable {
  readonly #response: ServerResponse;
  #begun = false;

  constructor(response: ServerResponse) {
    super();
    this.#response = response;
    // The caller of the handler deals with a failed or aborted answer; an unhandled error event would end the process.
    this.on('error', () => {});
    response.once('close', () => this.destroy(response.writableFinished ? undefined : new Error('the client left')));
  }

  /** Status and headers are sent: from now on only a complete body may end this answer normally. */
  get begun(): boolean {
    return this.#begun;
  }

  begin(metadata: Metadata): void {
    applyMetadata(this.#response, metadata);
    this.#begun = true;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (!this.#begun) return done(new Error('a body without status and headers: HttpResponseStream.from is missing'));
    if (chunk.length === 0) {
      // An empty first write requests that the headers are sent. That waits for one turn of the event loop, so that an
      // empty or immediate body leaves in the same packet.
      setImmediate(() => this.#response.writableEnded || this.#response.flushHeaders());
      return done();
    }
    if (this.#response.write(chunk)) done();
    else this.#response.once('drain', done);
  }

  override _final(done: (error?: Error) => void): void {
    this.#response.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#begun && !this.#response.writableEnded) resetConnection(this.#response);
    done(error);
  }
}

/** Defines `awslambda`, as the Lambda runtime does. Call it before a function's module is imported. */
export function defineLambdaRuntime(): void {
  const streamifyResponse = (handler: StreamingHandler) => Object.assign(handler, { [streamingMark]: true });
  const from = (stream: Writable, metadata: Metadata): Writable => {
    if (!(stream instanceof AnswerStream)) throw new TypeError('not the stream that the runtime handed out');
    stream.begin(metadata);
    return stream;
  };
  Object.assign(globalThis, { awslambda: { streamifyResponse, HttpResponseStream: { from } } });
}

/** Whether the runtime calls this handler with a stream. */
export function isStreaming(handler: Handler): handler is StreamingHandler {
  return streamingMark in handler;
}

/**
 * Runs a handler as Lambda and the gateway do, and writes its answer to `response`.
 *
 * A handler that fails before it sends a status becomes a 502 `Internal server error`. After a later failure the
 * connection is reset, so that no client takes the part for the whole.
 *
 * @returns the handler's error, for the host to report, or undefined. It never throws.
 */
export async function invoke(
  handler: Handler,
  event: APIGatewayProxyEvent,
  context: Context,
  response: ServerResponse,
): Promise<unknown> {
  const stream = new AnswerStream(response);
  try {
    if (isStreaming(handler)) await handler(event, stream, context);
    else
      writeResult(
        stream,
        await (handler as (event: unknown, context: unknown) => Promise<ProxyResult>)(event, context),
      );
    if (!stream.writableEnded && !response.closed) throw new Error('the handler returned without ending its answer');
    return undefined;
  } catch (error) {
    // The client has disconnected: no answer is needed, and the handler's failure is not an error.
    if (response.closed) return undefined;
    if (stream.begun) stream.destroy();
    else sendJson(response, 502, { message: 'Internal server error' });
    return error;
  }
}

/** Answers with a JSON document of the gateway. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Metadata['headers'] = {},
): void {
  const metadata = { statusCode: status, headers: { 'Content-Type': 'application/json', ...headers } };
  sendText(response, metadata, JSON.stringify(body));
}

/** Answers with a text of the gateway. */
export function sendText(response: ServerResponse, metadata: Metadata, body: string): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  applyMetadata(response, metadata);
  response.end(body);
}

function writeResult(stream: AnswerStream, result: ProxyResult): void {
  if (typeof result?.statusCode !== 'number') throw new TypeError('malformed proxy result: no statusCode');
  stream.begin(result);
  stream.end(Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8'));
}

/** Sets status and headers without sending them: Node then adds Content-Length if the whole body is known. */
function applyMetadata(response: ServerResponse, metadata: Metadata): void {
  response.statusCode = metadata.statusCode ?? 200;
  for (const [name, value] of Object.entries(metadata.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(metadata.multiValueHeaders ?? {})) response.setHeader(name, values);
  if (metadata.cookies?.length) response.setHeader('Set-Cookie', metadata.cookies);
  if (response.statusCode === 204) response.removeHeader('Content-Length');
}

/**
 * Resets the connection, so that the client notices. Without chunked encoding, a closed connection would look like a
 * complete body.
 */
function resetConnection(response: ServerResponse): void {
  if (response.chunkedEncoding || response.hasHeader('Content-Length')) response.destroy();
  else response.socket?.resetAndDestroy();
}
