/** A user of a soak, who repeats what was not answered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer with its body as text. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Answers by status, and times in milliseconds. */
export class Tally {
  readonly statuses = new Map<number, number>();
  /** Connections that were refused or broken, and answers 429 and 503, which users repeat. */
  repeated = 0;
  times: number[] = [];

  /** Number of answers. */
  get count(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Answers that tell of an error, by status. */
  describeErrors(): string {
    const errors = [...this.statuses].filter(([status]) => status >= 400).toSorted(([one], [other]) => one - other);
    return errors.map(([status, count]) => `${status}: ${count}`).join(', ') || '0';
  }

  note(status: number, milliseconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.times.push(milliseconds);
  }
}

const pauseMs = 500;
/** Longer than any restart. */
const patienceMs = 120_000;

export class User {
  readonly account: string;
  readonly #url: string;
  readonly #password: string;
  readonly #tally: Tally;
  #token = '';

  constructor(url: string, account: string, password: string, tally: Tally) {
    this.#url = url;
    this.account = account;
    this.#password = password;
    this.#tally = tally;
  }

  get scope(): string {
    return `user.${this.account}`;
  }

  /** Sends a request until it is answered. A write has the same `Idempotency-Key` each time. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const key = randomUUID();
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      if (this.#token === '') await this.#logIn();
      const answer = await this.#try(method, path, body, key);
      if (answer?.status === 401) {
        this.#token = '';
        if (performance.now() < giveUpAt) continue;
      }
      if (answer !== undefined && ![429, 503].includes(answer.status)) return answer;
      if (performance.now() > giveUpAt) return answer ?? { status: 0, text: 'no answer' };
      this.#tally.repeated += 1;
      await sleep(pauseMs);
    }
  }

  /** Sends a request that must succeed. @throws Error with the answer. */
  async must(method: string, path: string, body?: unknown): Promise<string> {
    const { status, text } = await this.send(method, path, body);
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text;
  }

  async #try(method: string, path: string, body: unknown, key: string): Promise<Answer | undefined> {
    const began = performance.now();
    try {
      const answer = await fetch(this.#url + path, {
        method,
        headers: { 'X-Rucio-Auth-Token': this.#token, ...(method === 'GET' ? {} : { 'Idempotency-Key': key }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.#tally.note(answer.status, performance.now() - began);
      return { status: answer.status, text };
    } catch {
      return undefined;
    }
  }

  async #logIn(): Promise<void> {
    const headers = {
      'X-Rucio-Account': this.account,
      'X-Rucio-Username': this.account === 'root' ? 'ddmlab' : this.account,
      'X-Rucio-Password': this.#password,
    };
    for (let tries = 0; tries < patienceMs / pauseMs; tries += 1) {
      const answer = await fetch(`${this.#url}/auth/userpass`, { headers }).catch(() => undefined);
      await answer?.text().catch(() => '');
      this.#token = answer?.headers.get('X-Rucio-Auth-Token') ?? '';
      if (this.#token !== '') return;
      await sleep(pauseMs);
    }
    throw new Error(`${this.account} cannot log in`);
  }
}

/** Rows of a JSON stream. */
export function rowsOf<Row>(text: string): Row[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}
