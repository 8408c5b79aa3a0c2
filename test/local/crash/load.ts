import { randomInt, randomUUID } from 'node:crypto';

/** Concurrent requests. */
const writers = 8;
/** The most files that one request registers. */
const maxFiles = 60;

const scope = 'crash';
const rse = 'CRASH_DISK';

/** A dataset that a request creates with its files, all or none. */
interface Dataset {
  readonly name: string;
  readonly files: number;
}

/** Clients that create datasets with files, and track which requests were answered. */
export class Load {
  readonly #token: string;
  readonly #answered: Dataset[] = [];
  /** Requests since the last start. */
  #latest: { readonly dataset: Dataset; readonly answered: boolean }[] = [];
  lost = 0;
  /** Unanswered requests of which a part exists. */
  halves = 0;
  unanswered = 0;

  private constructor(token: string) {
    this.#token = token;
  }

  /** Logs in and creates a scope and an RSE. */
  static async prepare(url: string): Promise<Load> {
    const login = await fetch(`${url}/auth/userpass`, {
      headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
    });
    const load = new Load(login.headers.get('X-Rucio-Auth-Token') ?? '');
    for (const path of [`/scopes/root/${scope}`, `/rses/${rse}`]) {
      const answer = await load.#send(url + path, 'POST', {});
      if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    }
    return load;
  }

  get answered(): number {
    return this.#answered.length;
  }

  get files(): number {
    return this.#answered.reduce((sum, { files }) => sum + files, 0);
  }

  /** Creates datasets until the server is killed. */
  async run(url: string): Promise<void> {
    this.#latest = [];
    await Promise.all(Array.from({ length: writers }, () => this.#write(url)));
  }

  async #write(url: string): Promise<void> {
    for (;;) {
      const dataset = { name: randomUUID(), files: randomInt(maxFiles + 1) };
      const answered = await this.#make(url, dataset).catch(() => undefined);
      this.#latest.push({ dataset, answered: answered === true });
      if (answered === true) this.#answered.push(dataset);
      else this.unanswered += 1;
      if (answered === undefined) return;
    }
  }

  async #make(url: string, { name, files }: Dataset): Promise<boolean> {
    const dids = Array.from({ length: files }, (_none, at) => ({ scope, name: `${name}.${at}`, bytes: at + 1 }));
    const answer = await this.#send(`${url}/dids/${scope}/${name}`, 'POST', { type: 'DATASET', rse, dids });
    await answer.text();
    return answer.status === 201;
  }

  /** Verifies the requests before the last kill. */
  async verifyLatest(url: string): Promise<void> {
    for (const { dataset, answered } of this.#latest) {
      const count = await this.#count(url, dataset.name);
      if (answered) {
        if (count !== dataset.files) this.lost += 1;
      } else if (count !== undefined && count !== dataset.files) this.halves += 1;
    }
  }

  /** Verifies every request that was ever answered. */
  async verifyAll(url: string): Promise<void> {
    const answer = await this.#send(`${url}/dids/${scope}/dids/search?type=dataset&long=true`);
    const lengths = new Map<string, number>();
    for (const line of (await answer.text()).split('\n').filter(Boolean)) {
      const { name, length } = JSON.parse(line) as { name: string; length: number | null };
      lengths.set(name, length ?? 0);
    }
    this.lost += this.#answered.filter(({ name, files }) => lengths.get(name) !== files).length;
  }

  /** Number of files of a dataset; undefined if it does not exist. */
  async #count(url: string, name: string): Promise<number | undefined> {
    const answer = await this.#send(`${url}/dids/${scope}/${name}/files`);
    const text = await answer.text();
    return answer.status === 200 ? text.split('\n').filter(Boolean).length : undefined;
  }

  #send(url: string, method = 'GET', body?: object): Promise<Response> {
    return fetch(url, {
      method,
      headers: { 'X-Rucio-Auth-Token': this.#token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}
