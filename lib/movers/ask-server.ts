import { type IncomingMessage, request as askPlainly } from 'node:http';
import { request as askByTls } from 'node:https';
import { ReadableStream } from 'node:stream/web';

/** A request to a server. */
interface Question {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Ends the request and the answer. */
  readonly signal: AbortSignal;
}

/** Statuses whose answers have no content. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends a request, and returns the answer before its content has come. Redirections are not followed, and nothing is decoded. The
 * caller reads the content or cancels it, since the connection is kept until then.
 *
 * `fetch` is not for servers that are foreign: if one resets a connection that it has said to close, while its content is read more slowly
 * than it comes, undici fails outside of every promise (`assert(!this.paused)`). That ends the thread, and the content never ends.
 *
 * @throws The reason of the signal; the error of the connection.
 */
export async function askServer({ method, url, headers, body, signal }: Question): Promise<Response> {
  signal.throwIfAborted();
  const ask = url.startsWith('https:') ? askByTls : askPlainly;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = ask(url, { method, headers: { ...headers, ...length }, signal }, (begun) => {
        // Without a length the content would seem to end here.
        request.on('error', (error) => begun.destroy(error));
        resolve(begun);
      });
      request.on('error', reject);
      request.end(body);
    });
    return makeResponse(method, answer);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

function makeResponse(method: string, answer: IncomingMessage): Response {
  // The reader of the content gets the error.
  answer.on('error', () => {});
  const { statusCode: status = 0, rawHeaders } = answer;
  const isEmpty = method === 'HEAD' || emptyStatuses.has(status);
  if (isEmpty) answer.resume();
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  try {
    // The stream is the global one, which the types of browsers have without `from`.
    const content: unknown = isEmpty ? null : ReadableStream.from<Uint8Array>(answer);
    return new Response(content as ConstructorParameters<typeof Response>[0], {
      status,
      headers: pairs.map(([...pair]) => pair),
    });
  } catch (error) {
    answer.destroy();
    throw error;
  }
}
