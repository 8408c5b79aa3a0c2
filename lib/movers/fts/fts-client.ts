import { parseNamed } from '../../json-names.ts';
import { mapLimited } from '../../parallel.ts';
import { readText } from '../read-answer.ts';
import { TransientError, type RetryPolicy, retryTransient } from '../retry-policy.ts';
import { sendHttp } from '../send-http.ts';
import { type FtsEntry, readCaller, readEntries, readMessage, readSubmittedId } from './fts-answers.ts';

/** FTS refuses a request. */
export class FtsError extends Error {
  override readonly name = 'FtsError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** FTS answers that it could not carry out a request. */
export class FtsBreakdown extends TransientError {}

/** The longest answer that is read. FTS describes a job in some kilobytes. */
const maxAnswerBytes = 4_194_304;

/** The most jobs of the archive that are asked about at the same time. */
const maxParallelLookUps = 8;

/** The fields of the file of a job that are requested. */
const fileFields = 'file_state,reason,filesize,file_metadata';

/** The identity of a caller at FTS. */
export interface FtsCaller {
  readonly baseId: string;
  /** Undefined: for nobody, since it does not accept the token. */
  readonly vo: string | undefined;
}

/** How a client sends requests. */
interface ClientSettings {
  /** The bearer token for FTS itself. */
  readonly token: string;
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
}

/** Speaks the REST interface of one FTS3 server. */
export class FtsClient {
  readonly #host: string;
  readonly #settings: ClientSettings;

  constructor(host: string, settings: ClientSettings) {
    [this.#host, this.#settings] = [host, settings];
  }

  /** The identity of the caller at FTS, from which the ids of its jobs follow. */
  async whoAmI(): Promise<FtsCaller> {
    const caller = readCaller((await this.#send('GET', '/whoami')).content);
    if (caller === undefined) throw new TransientError(`${this.#name} gives no answer of FTS to whoami.`);
    return caller;
  }

  /**
   * Submits a job.
   *
   * @param before Called before each attempt to send it.
   * @returns Its id; undefined: there is such a job, or one to the same file, already.
   */
  async submit(body: object, before: () => void): Promise<string | undefined> {
    const { status, content } = await this.#send('POST', '/jobs', { body, before, accepted: [409] });
    if (status === 409) return undefined;
    const id = readSubmittedId(content);
    if (id === undefined) throw new TransientError(`${this.#name} names no job.`);
    return id;
  }

  /**
   * Asks about jobs, also those that are in the archive by now. FTS does not know the entries with the status 404; of those that
   * are left out it said nothing.
   */
  async find(ids: readonly string[]): Promise<FtsEntry[]> {
    const path = `/jobs/${ids.join(',')}?files=${fileFields}`;
    const { content, status } = await this.#send('GET', path, { accepted: namesJobs });
    const entries = readEntries(content).filter(({ id }) => ids.includes(id));
    if (entries.length === 0) throw new FtsBreakdown(`${this.#name}: ${status} ${readMessage('', content)}`);
    const old = entries.filter((one) => one.status === 404);
    const found = await mapLimited(old, maxParallelLookUps, (one) => this.#findArchived(one));
    return [...entries.filter((one) => one.status !== 404), ...found];
  }

  /** Changes the priority of a job, 1 to 5. */
  async prioritize(id: string, priority: number): Promise<void> {
    await this.#send('POST', `/jobs/${id}`, { body: { params: { priority } } });
  }

  /** Cancels jobs; those that are over or unknown stay as they are. @returns The entries of those that are not cancelled. */
  async cancel(ids: readonly string[]): Promise<FtsEntry[]> {
    const { content } = await this.#send('DELETE', `/jobs/${ids.join(',')}`, { accepted: namesJobs });
    return readEntries(content).filter(({ status }) => status >= 400 && status !== 404);
  }

  async #findArchived(unknown: FtsEntry): Promise<FtsEntry> {
    const { id } = unknown;
    const { status, content } = await this.#send('GET', `/archive/${id}`, { accepted: [404] });
    if (status === 404) return unknown;
    const [entry] = readEntries(content);
    return entry?.id === id ? entry : { id, status: 500, message: 'The archive tells another job.', job: undefined };
  }

  get #name(): string {
    return `FTS at ${new URL(this.#host).host}`;
  }

  #send(method: string, path: string, options: SendOptions = {}) {
    const { retryPolicy, signal } = this.#settings;
    return retryTransient(() => this.#sendOnce(method, path, options), retryPolicy, signal);
  }

  async #sendOnce(method: string, path: string, { body, before, accepted = [] }: SendOptions) {
    before?.();
    const { token, retryPolicy, signal } = this.#settings;
    const answer = await sendHttp({
      method,
      url: `${this.#host}${path}`,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body, writeExactly) }),
      timeoutMs: retryPolicy.answerMs,
      signal,
    });
    const { status } = answer;
    const text = await readText(answer, this.#host, signal, answer.ok ? maxAnswerBytes : undefined);
    const content = parse(text);
    const isAccepted = typeof accepted === 'function' ? accepted(content) : accepted.includes(status);
    if (answer.ok && content === undefined) throw new TransientError(`${this.#name} answered no JSON.`);
    if (answer.ok || isAccepted) return { status, content };
    const what = `${this.#name}: ${status} ${readMessage(text, content)}`;
    if (status >= 500) throw new FtsBreakdown(what);
    throw transient.has(status) ? new TransientError(what) : new FtsError(status, what);
  }
}

/** Statuses below 500 after which the same request may be carried out. */
const transient: ReadonlySet<number> = new Set([408, 425, 429]);

/** How a request is sent, and which answers are no failures of it. */
interface SendOptions {
  readonly body?: object | undefined;
  readonly before?: () => void;
  /** Statuses, or a judgement of the content. */
  readonly accepted?: readonly number[] | ((content: unknown) => boolean);
}

/** The status of an answer about one job is that of its entry. */
const namesJobs = (content: unknown) => readEntries(content).length > 0;

/** Sizes beyond 2^53 are numbers as well. */
function writeExactly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function parse(text: string): unknown {
  try {
    return parseNamed(text);
  } catch {
    return undefined;
  }
}
