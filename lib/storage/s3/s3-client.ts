import { PassingFailure, type Patience, repeat, usualPatience } from '../repeat.ts';
import { readText, sendHttp } from '../send-http.ts';
import { readFacts, type S3Facts, type S3Place } from './s3-object.ts';
import { type S3Keys, signS3Headers } from './sign-s3.ts';

/** A request to the service, for an object. */
export interface ObjectRequest {
  readonly method: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
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

/** Codes of failures that pass, whatever their status. */
const passingCodes: ReadonlySet<string> = new Set([
  'SlowDown',
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
]);

/** Sends requests to an S3 service, and repeats those that it throttles. No content passes through it. */
export class S3Client {
  readonly #keys: S3Keys;
  readonly #signal: AbortSignal;
  readonly #patience: Patience;

  constructor(keys: S3Keys, signal: AbortSignal, patience: Patience = usualPatience) {
    [this.#keys, this.#signal, this.#patience] = [keys, signal, patience];
  }

  /** The same client with another signal. */
  withSignal(signal: AbortSignal): S3Client {
    return new S3Client(this.#keys, signal, this.#patience);
  }

  /** What the service tells about an object; undefined: there is none. */
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
   * Sends a request; repeats it while the service is overloaded. So a request may have had its effect before.
   *
   * @throws S3Error if the service refuses it, PassingFailure if it does not answer in time.
   */
  send(place: S3Place, request: ObjectRequest): Promise<ObjectAnswer> {
    return repeat(() => this.#sendOnce(place, request), this.#patience, this.#signal);
  }

  async #sendOnce({ origin, path }: S3Place, { method, query = {}, headers = {}, body }: ObjectRequest) {
    const signed = await signS3Headers({ method, origin, path, query, headers, body }, this.#keys);
    const { answerMs, slowAnswerMs } = this.#patience;
    // A copy of 5 GiB takes minutes.
    const timeoutMs = method === 'HEAD' || method === 'DELETE' ? answerMs : slowAnswerMs;
    const sent = { method, ...signed, timeoutMs, signal: this.#signal, ...(body === undefined ? {} : { body }) };
    const answer = await sendHttp(sent);
    const text = await readText(answer, origin, this.#signal);
    // A copy may fail after the status was sent.
    const isFailure = !answer.ok || /^\s*(?:<\?xml[^>]*\?>)?\s*<Error>/.test(text);
    if (!isFailure) return { headers: answer.headers, text };
    const code = readElement(text, 'Code') ?? '';
    const what = `${method} at ${new URL(origin).host}: ${[answer.status, code, readElement(text, 'Message')?.replace(/\.$/, '')].filter(Boolean).join(' ')}`;
    if (answer.status >= 500 && answer.status !== 501) throw new PassingFailure(what);
    if (answer.status === 429 || passingCodes.has(code)) throw new PassingFailure(what);
    throw new S3Error(answer.status, code, what);
  }
}

/** The text of the first element of a name in an answer. */
export function readElement(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replaceAll(/&(?:#(\d+)|(\w+));/g, (mark, code?: string, entity = '') =>
    code === undefined ? (entities.get(entity) ?? mark) : String.fromCodePoint(Number(code)),
  );
}

const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
]);
