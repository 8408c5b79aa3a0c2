import type { Caller } from './call.ts';
import { type Answer, Trouble } from './http/answer.ts';
import { say } from './words.ts';

/** The scope of all runs: Rucio's interface deletes none. */
export const scope = 'smoke-test';

const fileCount = 1_000;
const deletedAtOnce = 250;

/** Storages of which nobody reads: each file has a PFN of more than 1,000 characters in each of these schemes. */
export const schemes = ['root', 'davs', 'https', 'gsiftp', 'storm', 's3', 'http', 'dav', 'roots'] as const;

/** After this time also what a run that was killed has left is deleted, but for its RSEs. */
const lifetimeSeconds = 3_600;

/** Deletions are over with their status: a deployment whose empty answers stay open must not be waited for each time. */
export const statusOnly = { endWithinMs: 1_000 } as const;

/** Something could not be made. */
export class Refusal extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** Objects in the catalogue that several runs may use. */
export type Made = Pick<OwnThings, 'source' | 'target' | 'dataset' | 'small'>;

/** Objects of a run in the catalogue, under names that no other run has. */
export class OwnThings {
  readonly source: string;
  readonly target: string;
  /** A dataset of all files, and one of the first of them, for a rule. */
  readonly dataset: string;
  readonly small: string;
  readonly #name: string;
  readonly #isMade: boolean;
  readonly #fileCount: number;
  readonly #caller: Caller;
  /** Deletes what was made, the last first. */
  readonly #undo: { readonly what: string; readonly undo: () => Promise<Answer> }[] = [];

  /** @param made Objects of another run, which are used and left as they are. */
  constructor(caller: Caller, isLarge: boolean, made?: Made) {
    this.#fileCount = isLarge ? fileCount : 1;
    this.#caller = caller;
    this.#isMade = made !== undefined;
    const id = `${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;
    this.#name = `run-${id}`;
    this.source = made?.source ?? `SMOKE-TEST-${id}-A`.toUpperCase();
    this.target = made?.target ?? `SMOKE-TEST-${id}-B`.toUpperCase();
    this.dataset = made?.dataset ?? this.#name;
    this.small = made?.small ?? `${this.#name}-small`;
  }

  /** The name of a further DID of this run. */
  nameOf(suffix: string): string {
    return `${this.#name}${suffix}`;
  }

  get files(): readonly { scope: string; name: string }[] {
    return Array.from({ length: this.#fileCount }, (_, index) => ({ scope, name: `${this.dataset}.file-${index}` }));
  }

  /**
   * Makes scope, RSEs and datasets.
   *
   * @throws Refusal.
   */
  async make(): Promise<void> {
    if (this.#isMade) return;
    const { account } = this.#caller.options;
    await this.#post(`/scopes/${account}/${scope}`, undefined, [201, 409]);
    await this.#makeRse(this.source);
    await this.#makeRse(this.target);
    const operations = { read: 1, write: 1, delete: 1 };
    const protocol = {
      hostname: 'smoke-test.invalid',
      port: 1094,
      impl: 'rucio.rse.protocols.gfal.Default',
      prefix: `/${'smoke-test/'.repeat(92)}`,
      domains: { lan: operations, wan: operations },
    };
    // Only lists of all files have PFNs.
    const wanted = this.#fileCount === fileCount ? schemes : [];
    for (const scheme of wanted) await this.#post(`/rses/${this.source}/protocols/${scheme}`, protocol);
    const limit = `/accounts/${account}/limits/local/${this.target}`;
    this.atEnd(`the limit of ${account}`, () => this.#caller.call({ ...statusOnly, method: 'DELETE', path: limit }));
    await this.#post(limit, { bytes: fileCount });
    await this.makeDataset(this.dataset, this.files);
    await this.makeDataset(this.small, this.files.slice(0, 1));
  }

  /** Makes a dataset, which expires. */
  async makeDataset(name: string, files: readonly { scope: string; name: string }[] = []): Promise<void> {
    const dids = files.map((file) => ({ ...file, bytes: 1, adler32: '00010001' }));
    const content = dids.length === 0 ? {} : { rse: this.source, dids };
    this.expireAtEnd(name);
    for (let at = 0; at < files.length && name === this.dataset; at += deletedAtOnce) {
      const part = files.slice(at, at + deletedAtOnce);
      this.atEnd('files', () => this.remove(this.source, part));
    }
    await this.#post(`/dids/${scope}/${encodeURIComponent(name)}`, {
      type: 'DATASET',
      lifetime: lifetimeSeconds,
      ...content,
    });
  }

  /** Lets a DID expire at the end; the catalogue deletes it by itself. */
  expireAtEnd(name: string): void {
    this.atEnd(`the DID ${name}`, () =>
      this.#caller.call({
        ...statusOnly,
        method: 'POST',
        path: `/dids/${scope}/${encodeURIComponent(name)}/meta`,
        json: { meta: { lifetime: -1 } },
      }),
    );
  }

  /** Deletes replicas, and with the last of each its file. */
  remove(rse: string, files: readonly { scope: string; name: string }[]): Promise<Answer> {
    return this.#caller.call({ ...statusOnly, method: 'DELETE', path: '/replicas', json: { rse, files } });
  }

  /** Something else to delete at the end. */
  atEnd(what: string, undo: () => Promise<Answer>): void {
    this.#undo.push({ what, undo });
  }

  /** Deletes everything; returns what could not be deleted and why. */
  async delete(): Promise<string[]> {
    const left: string[] = [];
    for (const { what, undo } of this.#undo.splice(0).toReversed()) {
      const problem = await undo().then(
        (answer) => (answer.status < 300 || answer.status === 404 ? undefined : say(answer)),
        problemOf,
      );
      if (problem !== undefined) left.push(`${what}: ${problem}`);
    }
    return left;
  }

  async #makeRse(rse: string): Promise<void> {
    this.atEnd(`the RSE ${rse}`, () => this.#caller.call({ ...statusOnly, method: 'DELETE', path: `/rses/${rse}` }));
    await this.#post(`/rses/${rse}`, {});
  }

  async #post(path: string, json: unknown, allowed: readonly number[] = [201]): Promise<void> {
    const answer = await this.#caller.call({ method: 'POST', path, json });
    if (!allowed.includes(answer.status)) throw new Refusal(`POST ${path}: ${say(answer)}`, answer.status);
  }
}

/** Why a deletion failed; not if its answer came and only did not end. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof Trouble && error.head !== undefined && error.head.status < 300) return undefined;
  return error instanceof Error ? error.message : String(error);
}
