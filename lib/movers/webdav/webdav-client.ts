import { normaliseChecksum } from '../../checksum.ts';
import { type Integer, parseInteger } from '../../integer.ts';
import type { SummedContent } from '../content-sum.ts';
import type { CopiedContent } from '../mismatch.ts';
import { readText, sumFile } from '../read-answer.ts';
import { TransientError, type RetryPolicy, retryTransient } from '../retry-policy.ts';
import { sendHttp, type StorageRequest } from '../send-http.ts';
import { mayRedirect, type WebdavPlace } from './webdav-place.ts';

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
export interface WebdavRequest extends WebdavPlace {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout for the whole answer; absent: no limit while there is progress. */
  readonly timeoutMs?: number;
  /** Sends it; absent: a request without content is sent. */
  readonly send?: (request: StorageRequest) => Promise<Response>;
}

/** An answer before its content has come. */
export interface OpenAnswer {
  readonly answer: Response;
  /** It is of a server to which another one has redirected. What it says is not repeated to people. */
  readonly isRedirected: boolean;
}

/** A door passes on to the server that has the file, which may do so once more. */
const maxRedirections = 5;
const redirections: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** The longest message of a server that is kept, in characters. */
const maxMessageLength = 200;

/** Sends requests to servers of WebDAV, with their tokens. */
export class WebdavClient {
  readonly #signal: AbortSignal;
  readonly #retryPolicy: RetryPolicy;
  readonly #beforeWrite: () => void;

  /** @param beforeWrite Called before each request that writes, and before each repeat of it; if it throws, nothing is sent. */
  constructor(signal: AbortSignal, retryPolicy: RetryPolicy, beforeWrite = () => {}) {
    [this.#signal, this.#retryPolicy, this.#beforeWrite] = [signal, retryPolicy, beforeWrite];
  }

  /** Size and checksums of a file; undefined: there is none. @param withDigest Asks for checksums as well. */
  async head(place: WebdavPlace, withDigest: boolean): Promise<CopiedContent | undefined> {
    const headers: Record<string, string> = withDigest ? { 'Want-Digest': 'adler32,md5;q=0.5' } : {};
    const { answerMs, slowAnswerMs } = this.#retryPolicy;
    try {
      // The server may have to compute the checksum.
      const timeoutMs = withDigest ? slowAnswerMs : answerMs;
      const answer = await this.send({ ...place, method: 'HEAD', headers, timeoutMs });
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
   * @throws WebdavError if the server refuses to send it, TransientError if it does not answer in time.
   */
  sum(place: WebdavPlace, bytes: Integer | undefined): Promise<SummedContent> {
    const headers = { 'Accept-Encoding': 'identity' };
    const open = async (signal: AbortSignal) => (await this.open({ ...place, method: 'GET', headers }, signal)).answer;
    return sumFile(open, { url: place.url, bytes, retryPolicy: this.#retryPolicy, signal: this.#signal });
  }

  /**
   * Sends a request whose answer has no content of use; repeats it while the server is overloaded or gives no answer.
   *
   * @throws WebdavError if the server refuses it, TransientError if it does not answer in time.
   */
  send(request: WebdavRequest): Promise<Response> {
    const act = async () => {
      const { answer } = await this.open({ timeoutMs: this.#retryPolicy.answerMs, ...request }, this.#signal);
      await readText(answer, request.url, this.#signal);
      return answer;
    };
    return retryTransient(act, this.#retryPolicy, this.#signal);
  }

  /**
   * Sends a request once, and returns its answer before its content has come. Redirections are followed to the hosts that may get
   * the token.
   *
   * @throws The errors of {@link send}.
   */
  async open(request: WebdavRequest, signal: AbortSignal): Promise<OpenAnswer> {
    const { method, token, headers = {}, timeoutMs, send = sendHttp } = request;
    const sent = { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
    let { url } = request;
    for (let count = 0; ; count += 1) {
      if (method !== 'HEAD' && method !== 'GET') this.#beforeWrite();
      const answer = await send({ method, url, headers: sent, timeoutMs, signal });
      const location = answer.headers.get('location');
      if (!redirections.has(answer.status) || location === null || count === maxRedirections) {
        if (answer.ok) return { answer, isRedirected: count > 0 };
        throw await describeRefusal({ answer, isRedirected: count > 0 }, method, url, signal);
      }
      await answer.body?.cancel();
      const next = URL.parse(location, url);
      if (next === null || !mayRedirect(request, next))
        throw new WebdavError(answer.status, describeForeign(request, next));
      url = next.href;
    }
  }
}

function describeForeign({ method, rse, url }: WebdavRequest, next: URL | null): string {
  const host = next === null ? 'no address' : `${next.protocol}//${next.host}`;
  return `${method} at ${new URL(url).host} is redirected to ${host}, where the tokens of ${rse} must not go (token_hosts).`;
}

async function describeRefusal(
  { answer, isRedirected }: OpenAnswer,
  method: string,
  url: string,
  signal: AbortSignal,
): Promise<Error> {
  const { status } = answer;
  const text = (await readText(answer, url, signal)).replaceAll(/\s+/g, ' ').trim().slice(0, maxMessageLength);
  const what = `${method} at ${new URL(url).host}: ${status}${text === '' || isRedirected ? '' : ` ${text}`}`;
  const isTransient = (status >= 500 && status !== 501 && status !== 507) || status === 429 || status === 408;
  return isTransient ? new TransientError(what) : new WebdavError(status, what);
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
