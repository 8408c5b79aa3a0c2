import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestByTls } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

import { type RetryPolicy, TransientError } from './retry-policy.ts';
import { describeSilence } from './send-http.ts';

/** Content that is sent by one request. */
export interface ContentUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** A server that knows no `Expect: 100-continue` gets the content after this time. */
const continueMs = 1_000;

/** A storage has to take so many bytes in the time of an answer. */
export const pieceBytes = 65_536;

/** The most characters of an answer that are kept. */
const maxTextLength = 1_000;

/**
 * Sends content by PUT, part by part, as fast as the server takes it. It is not sent at all if the server answers before, for
 * instance by a redirection.
 *
 * @throws TransientError if the server does not answer, or takes nothing for a while; what the content throws.
 */
export async function putContent(upload: ContentUpload): Promise<Response> {
  const { url, headers, bytes, retryPolicy } = upload;
  const { host, protocol } = new URL(url);
  const send = protocol === 'https:' ? requestByTls : requestPlain;
  const all = { ...headers, 'Content-Length': String(bytes), ...(bytes > 0 ? { Expect: '100-continue' } : {}) };
  const request = send(url, { method: 'PUT', headers: all, signal: upload.signal });
  const talk = new Talk(request, host, retryPolicy);
  try {
    request.flushHeaders();
    if (bytes > 0) await talk.mayBegin();
    await talk.send(upload.content);
    return await talk.readAnswer();
  } catch (error) {
    throw error instanceof RequestFailure ? describeSilence(error.cause, url, upload.signal) : error;
  } finally {
    // Otherwise the connection serves the next request.
    if (!request.writableFinished) request.destroy();
  }
}

/** The connection failed, and not the content. */
class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
}

/** One request and its answer, whichever comes first. */
class Talk {
  readonly #request: ClientRequest;
  readonly #host: string;
  readonly #retryPolicy: RetryPolicy;
  readonly #answer: Promise<IncomingMessage>;
  #isAnswered = false;

  constructor(request: ClientRequest, host: string, retryPolicy: RetryPolicy) {
    [this.#request, this.#host, this.#retryPolicy] = [request, host, retryPolicy];
    this.#answer = new Promise((resolve, reject) => {
      request.once('response', (answer) => {
        this.#isAnswered = true;
        resolve(answer);
      });
      request.on('error', (cause) => reject(new RequestFailure(cause.message, { cause: { cause } })));
    });
    // The next step waits for it, and gets its failure.
    this.#answer.catch(() => undefined);
  }

  /** Waits until the server wants the content, or has answered. */
  async mayBegin(): Promise<void> {
    const isAsked = once(this.#request, 'continue').catch(() => undefined);
    await Promise.race([isAsked, this.#answer, sleep(continueMs, undefined, { ref: false })]);
  }

  /** Sends the content, unless the server answers meanwhile. */
  async send(content: ContentUpload['content']): Promise<void> {
    if (this.#isAnswered) return;
    for await (const chunk of content) {
      for (let start = 0; start < chunk.length; start += pieceBytes) {
        await this.#sendPiece(chunk.subarray(start, start + pieceBytes));
        if (this.#isAnswered) return;
      }
    }
    this.#request.end();
  }

  async #sendPiece(piece: Uint8Array): Promise<void> {
    // A copy, since the reader uses its buffer again.
    if (this.#request.write(Buffer.from(piece))) return;
    const drained = once(this.#request, 'drain').catch(() => undefined);
    await this.#inTime(Promise.race([drained, this.#answer]), this.#retryPolicy.answerMs, 'took nothing');
  }

  /** Reads the beginning of the answer. */
  async readAnswer(): Promise<Response> {
    const { slowAnswerMs, answerMs } = this.#retryPolicy;
    const answer = await this.#inTime(this.#answer, slowAnswerMs, 'gave no answer to PUT');
    const text = await this.#inTime(readBeginning(answer), answerMs, 'sent nothing');
    const { statusCode = 502, headers } = answer;
    const told = ['location', 'etag'].flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    return new Response(text === '' ? null : text, { status: statusCode, headers: told });
  }

  async #inTime<T>(waiting: Promise<T>, milliseconds: number, what: string): Promise<T> {
    const ending = new AbortController();
    const silence = sleep(milliseconds, undefined, { signal: ending.signal }).then(() => {
      throw new TransientError(`${this.#host} ${what} for ${Math.round(milliseconds / 1_000)} s`);
    });
    silence.catch(() => undefined);
    try {
      return await Promise.race([waiting, silence]);
    } finally {
      ending.abort();
    }
  }
}

async function readBeginning(answer: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (text.length >= maxTextLength) break;
    }
  } catch (cause) {
    throw new RequestFailure('the answer broke off', { cause: { cause } });
  }
  return text.slice(0, maxTextLength);
}
