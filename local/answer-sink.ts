import type { ServerResponse } from 'node:http';

/** Status and headers that a handler sends before the body. */
export interface Metadata {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
}

/** Where the answer of a function goes. */
export interface AnswerSink {
  /** The answer is complete, or its client has disconnected. */
  readonly isClosed: boolean;
  /** The bytes of the body so far. */
  readonly bytes: number;
  /** Calls a listener once when the sink closes: with false, the client has disconnected before the end. */
  onClose(listener: (isComplete: boolean) => void): void;
  /** Takes status and headers. */
  begin(metadata: Metadata): void;
  /** Sends the headers before the first part of the body. */
  flushHeaders(): void;
  /** Sends a part of the body; calls `done` when the next one is welcome. */
  write(chunk: Buffer, done: () => void): void;
  end(done: () => void): void;
  /** Resets the connection, so that the client does not take the part for the whole. */
  abort(): void;
}

/** The longest body that is copied to leave together with the headers. */
const maxJoinedBytes = 16_384;

/**
 * A sink that answers a request over HTTP. It holds the first part of the body for one turn of the event loop: a short answer
 * then leaves in one packet, with its length.
 */
export function answerOverHttp(response: ServerResponse): AnswerSink {
  let held: Buffer | undefined;
  let bytes = 0;
  let waiting: (() => void)[] = [];
  const resume = () => {
    const resumed = waiting;
    waiting = [];
    for (const done of resumed) done();
  };
  response.on('drain', resume);
  const release = () => {
    const chunk = held;
    held = undefined;
    return chunk === undefined || response.write(chunk);
  };
  return {
    get isClosed() {
      return response.closed;
    },
    get bytes() {
      return bytes;
    },
    onClose: (listener) => response.once('close', () => listener(response.writableFinished)),
    begin: (metadata) => applyMetadata(response, metadata),
    flushHeaders: () => setImmediate(() => response.headersSent || response.flushHeaders()),
    write: (chunk, done) => {
      bytes += chunk.length;
      if (!response.headersSent && held === undefined) {
        held = chunk;
        setImmediate(release);
        return done();
      }
      release();
      if (response.write(chunk)) done();
      else waiting.push(done);
    },
    end: (done) => {
      const last = held;
      held = undefined;
      // Node sends a text together with the headers, and bytes after them. Each byte becomes a character, and a byte again.
      if (last === undefined || last.length > maxJoinedBytes) response.end(last, done);
      else response.end(last.toString('latin1'), 'latin1', done);
    },
    abort: () => {
      held = undefined;
      if (!response.writableEnded) resetConnection(response);
    },
  };
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
