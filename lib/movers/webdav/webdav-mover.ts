import { type CopiedContent, findMismatch, isContentKnown, provesContent } from '../mismatch.ts';
import {
  acceptsSize,
  type CopyEnds,
  type CopyJob,
  type CopyResult,
  isSamePlace,
  type Mover,
  type StorageRse,
} from '../mover.ts';
import { TransientError, type RetryPolicy, retryTransient, usualRetryPolicy } from '../retry-policy.ts';
import { followCopy } from './follow-copy.ts';
import { WebdavClient, WebdavError } from './webdav-client.ts';
import { placeOf, type WebdavPlace } from './webdav-place.ts';

/** Settings of the mover. */
export interface WebdavMoverSettings {
  /** The bearer token of an RSE; undefined: its server wants none. */
  readonly findToken: (rse: StorageRse) => Promise<string | undefined>;
  /** A copy without progress for so long has failed; two minutes by default. */
  readonly stallMs?: number;
  readonly retryPolicy?: RetryPolicy;
}

/** The most times that one attempt begins a copy that breaks off. */
const maxBegins = 3;

/** Timeout for the deletion of a broken copy. */
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
    return isSamePlace(source, destination) ? `${destination.pfn} is the same file as its source.` : undefined;
  }

  async copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult> {
    const { findToken, stallMs = 120_000, retryPolicy = usualRetryPolicy } = this.#settings;
    const tokens = await Promise.all([job.source, job.destination].map(({ rse }) => findToken(rse)));
    const [from, to] = [job.source, job.destination].map((place, index) => placeOf(place, tokens[index]));
    if (from === undefined || to === undefined) throw new Error('A copy has two ends.');
    return new WebdavCopy(job, { from, to, stallMs, retryPolicy, signal }).make();
  }
}

/** Marks that a path of a URL may hold as they are (RFC 3986). Not all servers decode the header `Destination`. */
const plainMarks = /%(?:2[146-9ABC]|3[ABD]|40)/gi;

const unescapeMarks = (url: string) => url.replaceAll(plainMarks, decodeURIComponent);
const isWithoutEscapes = (url: string) => !unescapeMarks(url).includes('%');

interface CopySettings {
  readonly from: WebdavPlace;
  readonly to: WebdavPlace;
  readonly stallMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** One copy. It is written under a temporary name, checked, and then gets its own. */
class WebdavCopy {
  readonly #job: CopyJob;
  readonly #settings: CopySettings;
  readonly #client: WebdavClient;
  /** The expected content of the copy, as far as it is known. */
  #wanted: CopiedContent;
  /** The file to be replaced, as the server told it at the beginning. */
  #former: CopiedContent | undefined;

  constructor(job: CopyJob, settings: CopySettings) {
    [this.#job, this.#settings] = [job, settings];
    this.#client = new WebdavClient(settings.signal, settings.retryPolicy, job.requireLease);
    this.#wanted = job;
  }

  async make(): Promise<CopyResult> {
    const { from, to, retryPolicy, signal } = this.#settings;
    const { source, destination, replaces } = this.#job;
    if (isSamePlace(source, destination)) throw new Error(`${destination.pfn} is the same file as its source.`);
    const [found, present] = await Promise.all([
      // A checksum may have to be computed, so the source is asked for one only if the catalogue knows none.
      this.#client.head(from, !isContentKnown(this.#job)),
      this.#client.head(to, true),
    ]);
    if (found === undefined) throw new Error(`${source.pfn} is not there.`);
    const wrong = findMismatch(this.#job, found);
    if (wrong !== undefined) throw new Error(`${source.pfn}: ${wrong}`);
    const { bytes = found.bytes, adler32 = found.adler32, md5 = found.md5 } = this.#job;
    this.#wanted = { bytes, adler32, md5 };
    // An earlier attempt made the copy, and its report was lost. What is to be replaced never counts: a server may tell the
    // checksum that the file had when it was written.
    if (present !== undefined && !replaces) return this.#requireCopy(present, to);
    this.#former = present;
    let begins = 0;
    const begin = () => this.#copyOnce(`.${this.#job.id}-${(begins += 1)}.part`);
    return retryTransient(begin, { ...retryPolicy, attempts: maxBegins }, signal);
  }

  async #copyOnce(temporaryName: string): Promise<CopyResult> {
    const { to } = this.#settings;
    const temporary = { ...to, url: new URL(temporaryName, to.url).href };
    try {
      await this.#transfer(temporary);
      const made = await this.#client.head(temporary, true);
      if (made === undefined) throw new Error(`${this.#job.destination.pfn} is not there after the copy.`);
      const checked = await this.#check(made, temporary, acceptsSize(this.#job.destination.rse));
      if (typeof checked === 'string') throw new Error(`${this.#job.destination.pfn}: ${checked}`);
      return await this.#giveName(temporary, checked);
    } catch (error) {
      await this.#clean(temporary);
      throw error;
    }
  }

  /** Deletes a part that the storage may have kept. Without an answer it stays, under a name that nobody reads. */
  async #clean(temporary: WebdavPlace): Promise<void> {
    const cleaning = new WebdavClient(AbortSignal.timeout(cleanUpMs), this.#settings.retryPolicy);
    await cleaning.send({ method: 'DELETE', ...temporary }).catch(() => undefined);
  }

  /** Gives a copy its name, unless another file has it by now. */
  async #giveName(temporary: WebdavPlace, made: CopyResult): Promise<CopyResult> {
    const { to } = this.#settings;
    // Not all servers heed `Overwrite: F`.
    const present = await this.#client.head(to, true);
    if (present !== undefined && (!this.#job.replaces || this.#isReplaced(present)))
      return this.#leave(temporary, present);
    try {
      const headers = { Destination: unescapeMarks(to.url), Overwrite: present === undefined ? 'F' : 'T' };
      await this.#client.send({ method: 'MOVE', ...temporary, headers });
    } catch (error) {
      if (!(error instanceof WebdavError)) throw error;
      // The answer to a first request was lost, or another mover came first.
      const found = await this.#client.head(to, true);
      if (found !== undefined && (!this.#job.replaces || this.#isReplaced(found))) return this.#leave(temporary, found);
      if (found === undefined || (await this.#isThere(temporary))) throw error;
      return this.#requireCopy(found, to);
    }
    const named = await this.#client.head(to, true);
    if (named !== undefined && findMismatch(made, named) === undefined) {
      if (!this.#job.replaces || !(await this.#isThere(temporary))) return made;
      throw new Error(`The server of ${this.#job.destination.rse.rse} does not move files over others.`);
    }
    if (isWithoutEscapes(to.url)) throw new Error(`${this.#job.destination.pfn} is not the copy after it was moved.`);
    // XRootD 5.5 takes the escaped name for the name.
    await this.#client
      .send({ method: 'DELETE', ...to, url: unescapeMarks(to.url).replaceAll('%', '%25') })
      .catch(() => undefined);
    throw new Error(`The server of ${this.#job.destination.rse.rse} does not decode the names that it moves files to.`);
  }

  async #isThere(place: WebdavPlace): Promise<boolean> {
    return (await this.#client.head(place, false)) !== undefined;
  }

  /** Whether the file that was to be replaced is gone, and a copy in its place: another mover came first. */
  #isReplaced(present: CopiedContent): boolean {
    const isOther = this.#former === undefined || findMismatch(this.#former, present) !== undefined;
    return isOther && provesContent(this.#wanted, present);
  }

  /** Deletes a copy for which there is no need. */
  async #leave(temporary: WebdavPlace, present: CopiedContent): Promise<CopyResult> {
    const found = await this.#requireCopy(present, this.#settings.to);
    await this.#clean(temporary);
    return found;
  }

  /** A file that this attempt has not written: it counts only if its content is that of the file. */
  async #requireCopy(present: CopiedContent, at: WebdavPlace): Promise<CopyResult> {
    const checked = await this.#check(present, at, false);
    if (typeof checked === 'string') throw new Error(`${this.#job.destination.pfn} exists and is another file.`);
    return checked;
  }

  /**
   * Compares a file with what it must be: by the checksums that its server tells, or else by reading it.
   *
   * @param isSizeEnough Where the server tells no checksum the size is believed.
   * @returns The first difference.
   */
  async #check(told: CopiedContent, place: WebdavPlace, isSizeEnough: boolean): Promise<CopyResult | string> {
    const wrong = findMismatch(this.#wanted, told);
    if (wrong !== undefined) return wrong;
    const { bytes = told.bytes } = this.#wanted;
    if (bytes !== undefined && provesContent(this.#wanted, told)) return { ...told, bytes };
    if (told.bytes !== undefined && this.#wanted.bytes !== undefined && isSizeEnough)
      return { ...told, bytes: told.bytes };
    const read = await this.#client.sum(place, bytes);
    const wanted = await this.#sumSource();
    return findMismatch(wanted, read) ?? read;
  }

  /** The expected content of the copy, read from the source if no checksum is known. */
  async #sumSource(): Promise<CopiedContent> {
    const { from } = this.#settings;
    if (!isContentKnown(this.#wanted)) this.#wanted = await this.#client.sum(from, this.#wanted.bytes);
    return this.#wanted;
  }

  /** Lets the storages copy. A folder that is missing is made. */
  async #transfer(temporary: WebdavPlace): Promise<void> {
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
  async #push(error: unknown, temporary: WebdavPlace): Promise<void> {
    if (!(error instanceof WebdavError) || ![400, 405, 501].includes(error.status)) throw error;
    await this.#copyBy({ at: this.#settings.from, other: temporary, header: 'Destination' });
  }

  async #copyBy({
    at,
    other,
    header,
  }: {
    readonly at: WebdavPlace;
    readonly other: WebdavPlace;
    readonly header: 'Source' | 'Destination';
  }) {
    const { signal, stallMs, retryPolicy } = this.#settings;
    const stopping = new AbortController();
    const copying = AbortSignal.any([signal, stopping.signal]);
    const { adler32, md5 } = this.#job;
    const headers = {
      [header]: other.url,
      Overwrite: 'T',
      Credential: 'none',
      'X-No-Delegate': 'true',
      // The mover compares the copy with the facts of the catalogue in any case.
      RequireChecksumVerification: String(adler32 === undefined && md5 === undefined),
      ...(other.token === undefined ? {} : { TransferHeaderAuthorization: `Bearer ${other.token}` }),
    };
    // A server without markers answers at the end.
    const silence = new TransientError(`no answer from ${new URL(at.url).host} to COPY`);
    const timer = setTimeout(() => stopping.abort(silence), retryPolicy.slowAnswerMs);
    const { answer, isRedirected } = await this.#client
      .open({ method: 'COPY', ...at, headers }, copying)
      .finally(() => clearTimeout(timer));
    await followCopy(answer, {
      isRedirected,
      url: at.url,
      signal: copying,
      stallMs,
      stop: (reason) => stopping.abort(reason),
    });
  }

  /** Makes the folders of the destination from the prefix of its RSE on, the outer ones first. */
  async #makeFolders(): Promise<void> {
    const { to } = this.#settings;
    const { origin, pathname } = new URL(to.url);
    const depth = this.#job.destination.prefix.split('/').length - 1;
    const parts = pathname.split('/').slice(0, -1);
    for (let count = Math.max(2, depth); count <= parts.length; count += 1) {
      const folder = `${origin}${parts.slice(0, count).join('/')}/`;
      await this.#client.send({ ...to, method: 'MKCOL', url: folder }).catch((error: unknown) => {
        // It is there, or the copy will tell what is wrong.
        if (!(error instanceof WebdavError)) throw error;
      });
    }
  }
}
