import { Writable } from 'node:stream';

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

import { clientLeftError } from '../lib/http/client-left.ts';
import type { AnswerSink, Metadata } from './answer-sink.ts';

/** A handler that `awslambda.streamifyResponse` has marked. */
export type StreamingHandler = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<unknown>;

/** A function as its module exports it: marked for streaming, or answering with a proxy result. */
export type Handler = StreamingHandler | ((event: APIGatewayProxyEvent, context: Context) => Promise<unknown>);

interface ProxyResult extends Metadata {
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const streamingMark = Symbol('streamed answer');

/** The stream that a streaming handler writes to. It becomes an answer when `HttpResponseStream.from` names it. */
class AnswerStream extends Writable {
  readonly #sink: AnswerSink;
  #begun = false;
  #abandoned = false;

  constructor(sink: AnswerSink) {
    super();
    this.#sink = sink;
    // The caller of the handler deals with a failed or aborted answer; an unhandled error event would end the process.
    this.on('error', () => {});
    sink.onClose((isComplete) => this.destroy(isComplete ? undefined : clientLeftError()));
  }

  /** Status and headers are sent: from now on only a complete body may end this answer normally. */
  get begun(): boolean {
    return this.#begun;
  }

  /** It was destroyed while the client was there. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  begin(metadata: Metadata): void {
    this.#sink.begin(metadata);
    this.#begun = true;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (!this.#begun) return done(new Error('a body without status and headers: HttpResponseStream.from is missing'));
    if (chunk.length === 0) {
      // An empty first write requests that the headers are sent.
      this.#sink.flushHeaders();
      return done();
    }
    this.#sink.write(chunk, done);
  }

  override _final(done: (error?: Error) => void): void {
    this.#sink.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#abandoned = this.#begun && !this.writableFinished && !this.#sink.isClosed;
    if (this.#begun && !this.writableFinished) this.#sink.abort();
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
 * Runs a handler as Lambda and the gateway do, and writes its answer to a sink.
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
  sink: AnswerSink,
): Promise<unknown> {
  const stream = new AnswerStream(sink);
  try {
    if (isStreaming(handler)) await handler(event, stream, context);
    else
      writeResult(
        stream,
        await (handler as (event: unknown, context: unknown) => Promise<ProxyResult>)(event, context),
      );
    if (!stream.writableEnded && !sink.isClosed) throw new Error('the handler returned without ending its answer');
    return undefined;
  } catch (error) {
    if (stream.abandoned) {
      return new Error('the handler destroyed its answer: on AWS that ends the process of the function', {
        cause: error,
      });
    }
    // The client has disconnected: no answer is needed, and the handler's failure is not an error.
    if (sink.isClosed) return undefined;
    if (stream.begun) stream.destroy();
    else sendFailure(sink);
    return error;
  }
}

/** Answers that the function failed, as the gateway does. */
export function sendFailure(sink: AnswerSink): void {
  sink.begin({ statusCode: 502, headers: { 'Content-Type': 'application/json' } });
  sink.write(Buffer.from(JSON.stringify({ message: 'Internal server error' })), () => {});
  sink.end(() => {});
}

function writeResult(stream: AnswerStream, result: ProxyResult): void {
  if (typeof result?.statusCode !== 'number') throw new TypeError('malformed proxy result: no statusCode');
  stream.begin(result);
  stream.end(Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8'));
}
