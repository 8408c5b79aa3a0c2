import { type CopiedContent, findMismatch } from '../mismatch.ts';
import type { CopyEnds, CopyJob, CopyPlace, CopyResult, Mover, StorageRse } from '../mover.ts';
import { PassingFailure, type Patience, repeat, usualPatience } from '../repeat.ts';
import { followCopy } from './follow-copy.ts';
import { WebdavClient, WebdavError, type WebdavFacts } from './webdav-client.ts';

/** What the mover needs. */
export interface WebdavMoverSettings {
  /** The bearer token of an RSE; undefined: its server wants none. */
  readonly findToken: (rse: StorageRse) => Promise<string | undefined>;
  /** A copy without progress for so long has failed; two minutes by default. */
  readonly stallMs?: number;
  readonly patience?: Patience;
}

/** How often a copy is begun in one attempt, if it breaks off. */
const maxBegins = 3;

/** How long the deletion of a broken copy may take. */
const cleanUpMs = 10_000;

/**
 * Lets one WebDAV server copy from another: `COPY` with `Source` at the destination, or with `Destination` at the source if
 * the destination does not know the method. No content passes through this process.
 */
export class WebdavMover implements Mover {
  readonly name = 'webdav';
  readonly schemes = ['davs', 'https', 'dav', 'http'];
  readonly parallel = 16;
  readonly #settings: WebdavMoverSettings;

  constructor(settings: WebdavMoverSettings) {
    this.#settings = settings;
  }

  findObstacle({ source, destination }: CopyEnds): string | undefined {
    for (const { rse, url, pfn } of [source, destination]) {
      if (rse.attributes['sign_url'] !== undefined)
        return `${rse.rse} has the attribute sign_url: it is no WebDAV storage.`;
      if (url === undefined) return `${pfn} is no address of WebDAV.`;
    }
    return undefined;
  }

  async copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult> {
    const { findToken, stallMs = 120_000, patience = usualPatience } = this.#settings;
    const tokens = await Promise.all([job.source, job.destination].map(({ rse }) => findToken(rse)));
    const [from, to] = [job.source, job.destination].map((place, index) => endOf(place, tokens[index]));
    if (from === undefined || to === undefined) throw new Error('A copy has two ends.');
    return new WebdavCopy(job, { from, to, stallMs, patience, signal }).make();
  }
}

interface End {
  readonly url: string;
  readonly token: string | undefined;
}

/** Marks that a path of a URL may hold as they are (RFC 3986). Not all servers decode the header `Destination`. */
const plainMarks = /%(?:2[146-9ABC]|3[ABD]|40)/gi;

const unescapeMarks = (url: string) => url.replaceAll(plainMarks, decodeURIComponent);
const isWithoutEscapes = (url: string) => !unescapeMarks(url).includes('%');

function endOf({ url, pfn }: CopyPlace, token: string | undefined): End {
  if (url === undefined) throw new Error(`${pfn} is no address of WebDAV.`);
  return { url, token };
}

interface CopySettings {
  readonly from: End;
  readonly to: End;
  readonly stallMs: number;
  readonly patience: Patience;
  readonly signal: AbortSignal;
}

/** One copy. It is written under a temporary name, checked, and then gets its own. */
class WebdavCopy {
  readonly #job: CopyJob;
  readonly #settings: CopySettings;
  readonly #client: WebdavClient;
  /** What the copy must be. */
  #wanted: CopiedContent;

  constructor(job: CopyJob, settings: CopySettings) {
    [this.#job, this.#settings] = [job, settings];
    this.#client = new WebdavClient(settings.signal, settings.patience);
    this.#wanted = job;
  }

  async make(): Promise<CopyResult> {
    const { from, to, patience, signal } = this.#settings;
    // A checksum may have to be computed, so the source is asked for one only if the catalogue knows none.
    const isUnknown = this.#job.adler32 === undefined && this.#job.md5 === undefined;
    const [source, present] = await Promise.all([
      this.#client.head(from.url, from.token, isUnknown),
      this.#client.head(to.url, to.token, true),
    ]);
    if (source === undefined) throw new Error(`${this.#job.source.pfn} is not there.`);
    const wrong = findMismatch(this.#job, source);
    if (wrong !== undefined) throw new Error(`${this.#job.source.pfn}: ${wrong}`);
    if (isUnknown) this.#wanted = source;
    // An earlier attempt made the copy, and its report was lost.
    if (this.#isCopy(present)) return present;
    if (present !== undefined && !this.#job.replaces) throw new Error(this.#describeOther());
    let begins = 0;
    const begin = () => this.#copyOnce(`.${this.#job.id}-${(begins += 1)}.part`);
    return repeat(begin, { ...patience, attempts: maxBegins }, signal);
  }

  async #copyOnce(temporaryName: string): Promise<CopyResult> {
    const { to } = this.#settings;
    const temporary = { ...to, url: new URL(temporaryName, to.url).href };
    try {
      await this.#transfer(temporary);
      const made = await this.#client.head(temporary.url, to.token, true);
      if (made === undefined) throw new Error(`${this.#job.destination.pfn} is not there after the copy.`);
      const wrong = findMismatch(this.#wanted, made);
      if (wrong !== undefined) throw new Error(`${this.#job.destination.pfn}: ${wrong}`);
      return await this.#giveName(temporary, made);
    } catch (error) {
      // The storage may have kept a part. Without an answer it stays, under a name that nobody reads.
      const cleaning = new WebdavClient(AbortSignal.timeout(cleanUpMs), this.#settings.patience);
      await cleaning.send({ method: 'DELETE', ...temporary }).catch(() => undefined);
      throw error;
    }
  }

  /** Gives a copy its name, unless another file has it by now. */
  async #giveName(temporary: End, made: WebdavFacts): Promise<CopyResult> {
    const { to } = this.#settings;
    // Not all servers heed `Overwrite: F`.
    const present = await this.#client.head(to.url, to.token, true);
    if (present !== undefined && (this.#isCopy(present) || !this.#job.replaces)) return this.#leave(temporary, present);
    try {
      const headers = { Destination: unescapeMarks(to.url), Overwrite: present === undefined ? 'F' : 'T' };
      await this.#client.send({ method: 'MOVE', ...temporary, headers });
    } catch (error) {
      if (!(error instanceof WebdavError)) throw error;
      // The answer to a first request was lost, or another mover came first.
      const found = await this.#client.head(to.url, to.token, true);
      if (this.#isCopy(found)) return this.#leave(temporary, found);
      throw error;
    }
    if (isWithoutEscapes(to.url)) return made;
    if (this.#isCopy(await this.#client.head(to.url, to.token, false))) return made;
    // XRootD 5.5 takes the escaped name for the name.
    await this.#client
      .send({ method: 'DELETE', ...to, url: unescapeMarks(to.url).replaceAll('%', '%25') })
      .catch(() => undefined);
    throw new Error(`The server of ${this.#job.destination.rse.rse} does not decode the names that it moves files to.`);
  }

  /** Deletes a copy for which there is no need. */
  async #leave(temporary: End, present: WebdavFacts): Promise<CopyResult> {
    if (!this.#isCopy(present)) throw new Error(this.#describeOther());
    await this.#client.send({ method: 'DELETE', ...temporary }).catch(() => undefined);
    return present;
  }

  /** Whether a file is the copy, by its size and by the checksums that are known of both. */
  #isCopy(present: WebdavFacts | undefined): present is WebdavFacts {
    return present !== undefined && findMismatch(this.#wanted, present) === undefined;
  }

  /** Lets the storages copy. A folder that is missing is made. */
  async #transfer(temporary: End): Promise<void> {
    const pull = { at: temporary, other: this.#settings.from, header: 'Source' } as const;
    try {
      await this.#copyBy(pull);
    } catch (error) {
      if (!(error instanceof WebdavError) || ![400, 404, 409].includes(error.status))
        return this.#push(error, temporary);
      await this.#makeFolders();
      await this.#copyBy(pull).catch((again: unknown) => this.#push(again, temporary));
    }
  }

  /** Lets the source send, if the destination does not know how to fetch. */
  async #push(error: unknown, temporary: End): Promise<void> {
    if (!(error instanceof WebdavError) || ![400, 405, 501].includes(error.status)) throw error;
    await this.#copyBy({ at: this.#settings.from, other: temporary, header: 'Destination' });
  }

  async #copyBy({
    at,
    other,
    header,
  }: {
    readonly at: End;
    readonly other: End;
    readonly header: 'Source' | 'Destination';
  }) {
    const { signal, stallMs, patience } = this.#settings;
    const stopping = new AbortController();
    const copying = AbortSignal.any([signal, stopping.signal]);
    const { adler32, md5 } = this.#job;
    const headers = {
      [header]: other.url,
      Overwrite: 'T',
      Credential: 'none',
      'X-No-Delegate': 'true',
      // What the catalogue knows is compared with the copy anyway.
      RequireChecksumVerification: String(adler32 === undefined && md5 === undefined),
      ...(other.token === undefined ? {} : { TransferHeaderAuthorization: `Bearer ${other.token}` }),
    };
    // A server without markers answers at the end.
    const silence = new PassingFailure(`no answer from ${new URL(at.url).host} to COPY`);
    const timer = setTimeout(() => stopping.abort(silence), patience.slowAnswerMs);
    const answer = await this.#client
      .open({ method: 'COPY', ...at, headers }, copying)
      .finally(() => clearTimeout(timer));
    await followCopy(answer, { url: at.url, signal: copying, stallMs, stop: (reason) => stopping.abort(reason) });
  }

  /** Makes the folders of the destination from the prefix of its RSE on, the outer ones first. */
  async #makeFolders(): Promise<void> {
    const { url, token } = this.#settings.to;
    const { origin, pathname } = new URL(url);
    const depth = this.#job.destination.prefix.split('/').length - 1;
    const parts = pathname.split('/').slice(0, -1);
    for (let count = Math.max(2, depth); count <= parts.length; count += 1) {
      const folder = `${origin}${parts.slice(0, count).join('/')}/`;
      await this.#client.send({ method: 'MKCOL', url: folder, token }).catch((error: unknown) => {
        // It is there, or the copy will tell what is wrong.
        if (!(error instanceof WebdavError)) throw error;
      });
    }
  }

  #describeOther(): string {
    return `${this.#job.destination.pfn} exists and is another file.`;
  }
}
