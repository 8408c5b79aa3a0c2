import * as z from 'zod/mini';

import { readText } from '../read-answer.ts';
import { PassingFailure, type Patience, repeat } from '../repeat.ts';
import { sendHttp } from '../send-http.ts';

/** FTS refuses a request. */
export class FtsError extends Error {
  override readonly name = 'FtsError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The longest message of FTS that is kept, in characters. */
const maxMessageLength = 300;

/** Jobs are told in some hundred bytes each. */
const maxAnswerBytes = 4_194_304;

const whoami = z.object({ base_id: z.string(), vos: z.array(z.string()).check(z.minLength(1)) });
const submitted = z.object({ job_id: z.string() });
const file = z.object({ file_state: z.string(), reason: z.optional(z.nullable(z.string())) });
const job = z.object({
  job_id: z.string(),
  http_status: z.optional(z.string()),
  priority: z.optional(z.nullable(z.number())),
  files: z.optional(z.array(file)),
});
/** A job, as FTS tells its state. */
export type FtsJob = z.output<typeof job>;
const jobs = z.union([
  z.array(job),
  z.pipe(
    job,
    z.transform((one) => [one]),
  ),
]);

/** Speaks the REST interface of one FTS3 server. */
export class FtsClient {
  readonly #host: string;
  readonly #token: string;
  readonly #signal: AbortSignal;
  readonly #patience: Patience;

  /** @param options.token The bearer token for FTS itself. */
  constructor(
    host: string,
    { token, signal, patience }: { readonly token: string; readonly signal: AbortSignal; readonly patience: Patience },
  ) {
    this.#host = host;
    [this.#token, this.#signal, this.#patience] = [token, signal, patience];
  }

  /** Who FTS takes the caller for: from that follow the ids of its jobs. */
  async whoAmI(): Promise<{ readonly baseId: string; readonly vo: string }> {
    const { base_id: baseId, vos } = whoami.parse((await this.#send('GET', '/whoami')).content);
    return { baseId, vo: vos[0] ?? '' };
  }

  /** Submits a job. @returns Its id; undefined: there is such a job, or one to the same file, already. */
  async submit(body: object): Promise<string | undefined> {
    try {
      return submitted.parse((await this.#send('POST', '/jobs', body)).content).job_id;
    } catch (error) {
      if (error instanceof FtsError && error.status === 409) return undefined;
      throw error;
    }
  }

  /** The jobs of some ids; those that FTS does not know are left out. */
  async find(ids: readonly string[]): Promise<FtsJob[]> {
    const { status, content } = await this.#send(
      'GET',
      `/jobs/${ids.join(',')}?files=file_state,reason`,
      undefined,
      [404],
    );
    if (status === 404 && ids.length === 1) return [];
    return jobs.parse(content).filter(({ http_status: state = '200' }) => state.startsWith('200'));
  }

  /** Changes the priority of a job, 1 to 5. */
  async prioritize(id: string, priority: number): Promise<void> {
    await this.#send('POST', `/jobs/${id}`, { params: { priority } });
  }

  /** Cancels jobs; those that are over or unknown stay as they are. */
  async cancel(ids: readonly string[]): Promise<void> {
    await this.#send('DELETE', `/jobs/${ids.join(',')}`, undefined, [404]);
  }

  #send(method: string, path: string, body?: object, accepted: readonly number[] = []) {
    return repeat(() => this.#sendOnce(method, path, body, accepted), this.#patience, this.#signal);
  }

  async #sendOnce(method: string, path: string, body: object | undefined, accepted: readonly number[]) {
    const answer = await sendHttp({
      method,
      url: `${this.#host}${path}`,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body, writeExactly) }),
      timeoutMs: this.#patience.answerMs,
      signal: this.#signal,
    });
    const text = await readText(answer, this.#host, this.#signal, maxAnswerBytes);
    const { status } = answer;
    if (answer.ok || accepted.includes(status)) return { status, content: parse(text) };
    const what = `FTS at ${new URL(this.#host).host}: ${status} ${text.slice(0, maxMessageLength)}`;
    throw status >= 500 || status === 429 ? new PassingFailure(what) : new FtsError(status, what);
  }
}

/** Sizes beyond 2^53 are numbers as well. */
function writeExactly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PassingFailure(`FTS answered no JSON: ${text.slice(0, maxMessageLength)}`);
  }
}
