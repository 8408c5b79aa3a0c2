import { normaliseChecksum } from '../../checksum.ts';
import { type Integer, parseInteger } from '../../integer.ts';
import type { SummedContent } from '../content-sum.ts';
import type { CopiedContent } from '../mismatch.ts';
import { readText, sumFile } from '../read-answer.ts';
import { PassingFailure, type Patience, repeat } from '../repeat.ts';
import { sendHttp } from '../send-http.ts';

/** A server refuses a request. */
export class WebdavError extends Error {
  override readonly name = 'WebdavError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request to a server of WebDAV. */
export interface WebdavRequest {
  readonly method: string;
  readonly url: string;
  /** The bearer token, if the server wants one. */
  readonly token: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the server may take for the whole answer; absent: as long as there is any progress. */
  readonly timeoutMs?: number;
}

/** A door passes on to the server that has the file, which may do so once more. */
const maxRedirections = 5;
const redirections: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** The longest message of a server that is kept, in characters. */
const maxMessageLength = 200;

/** Sends requests to servers of WebDAV, with their tokens. */
export class WebdavClient {
  readonly #signal: AbortSignal;
  readonly #patience: Patience;
  readonly #beforeWrite: () => void;

  /** @param beforeWrite Called before each request that writes, and before each repeat of it; if it throws, nothing is sent. */
  constructor(signal: AbortSignal, patience: Patience, beforeWrite = () => {}) {
    [this.#signal, this.#patience, this.#beforeWrite] = [signal, patience, beforeWrite];
  }

  /** Size and checksums of a file; undefined: there is none. @param withDigest Asks for checksums as well. */
  async head(url: string, token: string | undefined, withDigest: boolean): Promise<CopiedContent | undefined> {
    const headers: Record<string, string> = withDigest ? { 'Want-Digest': 'adler32,md5;q=0.5' } : {};
    const { answerMs, slowAnswerMs } = this.#patience;
    try {
      // The server may have to compute the checksum.
      const timeoutMs = withDigest ? slowAnswerMs : answerMs;
      const answer = await this.send({ method: 'HEAD', url, token, headers, timeoutMs });
      return { ...readDigest(answer.headers), bytes: readLength(answer.headers) };
    } catch (error) {
      if (error instanceof WebdavError && (error.status === 404 || error.status === 410)) return undefined;
      throw error;
    }
  }

  /**
   * Reads a file and sums its content.
   *
   * @param bytes The size that it should have.
   * @throws WebdavError if the server refuses to send it, PassingFailure if it does not answer in time.
   */
  sum(url: string, token: string | undefined, bytes: Integer | undefined): Promise<SummedContent> {
    const headers = { 'Accept-Encoding': 'identity' };
    const open = (signal: AbortSignal) => this.open({ method: 'GET', url, token, headers }, signal);
    return sumFile(open, { url, bytes, patience: this.#patience, signal: this.#signal });
  }

  /**
   * Sends a request whose answer has no content of use; repeats it while the server is overloaded or gives no answer.
   *
   * @throws WebdavError if the server refuses it, PassingFailure if it does not answer in time.
   */
  send(request: WebdavRequest): Promise<Response> {
    const act = async () => {
      const answer = await this.open({ timeoutMs: this.#patience.answerMs, ...request }, this.#signal);
      await readText(answer, request.url, this.#signal);
      return answer;
    };
    return repeat(act, this.#patience, this.#signal);
  }

  /** Sends a request once, and returns its answer before its content has come. @throws As {@link send}. */
  async open({ method, url, token, headers = {}, timeoutMs }: WebdavRequest, signal: AbortSignal): Promise<Response> {
    const sent = { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
    let place = url;
    for (let count = 0; ; count += 1) {
      if (method !== 'HEAD' && method !== 'GET') this.#beforeWrite();
      const answer = await sendHttp({ method, url: place, headers: sent, timeoutMs, signal });
      const location = answer.headers.get('location');
      if (!redirections.has(answer.status) || location === null || count === maxRedirections) {
        if (answer.ok) return answer;
        throw await describeRefusal(answer, method, place, signal);
      }
      await answer.body?.cancel();
      const next = new URL(location, place);
      // The token must not leave TLS.
      if (next.protocol !== new URL(place).protocol)
        throw new WebdavError(answer.status, `${method}: redirected to ${next.protocol}`);
      place = next.href;
    }
  }
}

async function describeRefusal(answer: Response, method: string, url: string, signal: AbortSignal): Promise<Error> {
  const { status } = answer;
  const text = (await readText(answer, url, signal)).replaceAll(/\s+/g, ' ').trim().slice(0, maxMessageLength);
  const what = `${method} at ${new URL(url).host}: ${status}${text === '' ? '' : ` ${text}`}`;
  const isPassing = (status >= 500 && status !== 501 && status !== 507) || status === 429 || status === 408;
  return isPassing ? new PassingFailure(what) : new WebdavError(status, what);
}

/** The size of a file; undefined if the server does not tell it. */
function readLength(headers: Headers): Integer | undefined {
  const text = headers.get('content-length') ?? '';
  return /^\d{1,19}$/.test(text) ? parseInteger(text) : undefined;
}

/** The checksums in the header `Digest` (RFC 3230): Adler-32 in hexadecimal digits, MD5 in base64. */
export function readDigest(headers: Headers): CopiedContent {
  const found = new Map(
    (headers.get('digest') ?? '').split(',').map((part) => {
      const [, kind = '', value = ''] = /^\s*([^=]+)=(.*?)\s*$/.exec(part) ?? [];
      return [kind.toLowerCase(), value] as const;
    }),
  );
  const [adler32 = '', md5 = ''] = [found.get('adler32'), found.get('md5')];
  return {
    ...(/^[0-9a-f]{1,8}$/i.test(adler32) ? { adler32: normaliseChecksum('adler32', adler32) } : {}),
    ...(/^[\w+/]{22}==$/.test(md5) ? { md5: Buffer.from(md5, 'base64').toString('hex') } : {}),
  };
}
