import type { Integer } from '../../integer.ts';
import type { SummedContent } from '../content-sum.ts';
import { pieceBytes, putContent } from '../put-content.ts';
import { readText, sumFile } from '../read-answer.ts';
import { decodeEntities } from '../read-xml.ts';
import { TransientError, type RetryPolicy, retryTransient, usualRetryPolicy } from '../retry-policy.ts';
import { sendHttp } from '../send-http.ts';
import { readFacts, type S3Facts, type S3Place } from './s3-object.ts';
import { type S3Keys, signS3Headers } from './sign-s3.ts';

/** A request to the service, for an object. */
export interface ObjectRequest {
  readonly method: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** The answer to a request that succeeded. */
export interface ObjectAnswer {
  readonly headers: Headers;
  readonly text: string;
}

/** The service refuses a request. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  /** Its code, such as `NoSuchKey`; empty if it names none. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    [this.status, this.code] = [status, code];
  }
}

/** The longest message of a service that is kept, in characters. */
const maxMessageLength = 200;

/** Codes of failures that pass, whatever their status. */
const transientCodes: ReadonlySet<string> = new Set([
  'SlowDown',
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
]);

/** Sends requests to an S3 service, and repeats those that it throttles. */
export class S3Client {
  readonly #keys: S3Keys;
  readonly #signal: AbortSignal;
  readonly #retryPolicy: RetryPolicy;
  readonly #beforeWrite: () => void;

  /** @param beforeWrite Called before each request that writes, and before each repeat of it; if it throws, nothing is sent. */
  constructor(keys: S3Keys, signal: AbortSignal, retryPolicy: RetryPolicy = usualRetryPolicy, beforeWrite = () => {}) {
    [this.#keys, this.#signal, this.#retryPolicy, this.#beforeWrite] = [keys, signal, retryPolicy, beforeWrite];
  }

  /** The same client with another signal. */
  withSignal(signal: AbortSignal): S3Client {
    return new S3Client(this.#keys, signal, this.#retryPolicy, this.#beforeWrite);
  }

  /** The same client with another signal, to take back what is nobody else's: at any time. */
  forCleaning(signal: AbortSignal): S3Client {
    return new S3Client(this.#keys, signal, this.#retryPolicy);
  }

  /** Facts about an object; undefined: there is none. */
  async head(place: S3Place): Promise<S3Facts | undefined> {
    try {
      const { headers } = await this.send(place, { method: 'HEAD', headers: { 'x-amz-checksum-mode': 'ENABLED' } });
      return readFacts(headers);
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * Reads an object and sums its content.
   *
   * @param bytes The size that it should have.
   * @throws S3Error if the service refuses to send it, TransientError if it does not answer in time.
   */
  sum(place: S3Place, bytes: Integer): Promise<SummedContent> {
    const open = (signal: AbortSignal) => this.get(place, {}, signal);
    return sumFile(open, { url: place.origin, bytes, retryPolicy: this.#retryPolicy, signal: this.#signal });
  }

  /**
   * Asks for the content of an object once.
   *
   * @param headers Such as a range.
   * @throws As {@link sum}.
   */
  async get(place: S3Place, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    // Without this parameter the content would be decoded by the coding that the object declares.
    const request = { method: 'GET', query: { 'response-content-encoding': 'identity' }, headers };
    const answer = await this.#open(place, request, undefined, signal);
    if (answer.ok) return answer;
    throw makeError(answer, place, 'GET', await readText(answer, place.origin, signal));
  }

  /**
   * Sends a request; repeats it while the service is overloaded. So a request may have had its effect before.
   *
   * @throws S3Error if the service refuses it, TransientError if it does not answer in time.
   */
  send(place: S3Place, request: ObjectRequest): Promise<ObjectAnswer> {
    return retryTransient(() => this.#sendOnce(place, request), this.#retryPolicy, this.#signal);
  }

  async #sendOnce(place: S3Place, request: ObjectRequest): Promise<ObjectAnswer> {
    const { method } = request;
    const { answerMs, slowAnswerMs } = this.#retryPolicy;
    // A copy of 5 GiB takes minutes.
    const timeoutMs = method === 'HEAD' || method === 'DELETE' ? answerMs : slowAnswerMs;
    const answer = await this.#open(place, request, timeoutMs, this.#signal);
    const text = await readText(answer, place.origin, this.#signal);
    // A copy may fail after the status was sent.
    const isFailure = !answer.ok || /^\s*(?:<\?xml[^>]*\?>)?\s*<Error>/.test(text);
    if (isFailure) throw makeError(answer, place, method, text);
    return { headers: answer.headers, text };
  }

  /** Sends a request once; the content of its answer is still to come. */
  async #open(
    { origin, path }: S3Place,
    { method, query = {}, headers = {}, body }: ObjectRequest,
    timeoutMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const signed = await signS3Headers({ method, origin, path, query, headers, body }, this.#keys);
    // After the signing: a process that falls asleep after this sends a signature that has expired.
    if (method !== 'HEAD' && method !== 'GET') this.#beforeWrite();
    // A large one may take long, as long as there is progress.
    if (body instanceof Uint8Array && body.length > pieceBytes)
      return putContent({ ...signed, bytes: body.length, content: [body], retryPolicy: this.#retryPolicy, signal });
    return sendHttp({ method, ...signed, timeoutMs, signal, ...(body === undefined ? {} : { body }) });
  }
}

/** The error for an answer that reports a failure. */
function makeError({ status }: Response, { origin }: S3Place, method: string, text: string): Error {
  const code = readElement(text, 'Code') ?? '';
  const told = [status, code, readElement(text, 'Message')?.replace(/\.$/, '').slice(0, maxMessageLength)];
  const what = `${method} at ${new URL(origin).host}: ${told.filter(Boolean).join(' ')}`;
  const isTransient = (status >= 500 && status !== 501) || status === 429 || transientCodes.has(code);
  return isTransient ? new TransientError(what) : new S3Error(status, code, what);
}

/** The text of the first element of a name in an answer. */
export function readElement(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? undefined : decodeEntities(text);
}
