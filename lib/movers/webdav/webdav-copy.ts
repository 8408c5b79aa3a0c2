import type { Integer } from '../../integer.ts';
import type { SummedContent } from '../content-sum.ts';
import { type CopiedContent, findMismatch, isContentKnown, provesContent } from '../mismatch.ts';
import { acceptsSize, type CopyJob, type CopyResult, isSamePlace } from '../mover.ts';
import { requireOtherStorage } from '../other-storage.ts';
import { type RetryPolicy, retryTransient } from '../retry-policy.ts';
import { WebdavClient, WebdavError } from './webdav-client.ts';
import { besideOf, type WebdavPlace } from './webdav-place.ts';

/** The most times that one attempt begins a copy that breaks off. */
const maxBegins = 3;

/** Timeout for the deletion of a broken copy. */
const cleanUpMs = 10_000;

/** Marks that a path of a URL may hold as they are (RFC 3986). Not all servers decode the header `Destination`. */
const plainMarks = /%(?:2[146-9ABC]|3[ABD]|40)/gi;

const unescapeMarks = (url: string) => url.replaceAll(plainMarks, decodeURIComponent);
const isWithoutEscapes = (url: string) => !unescapeMarks(url).includes('%');

/** The file that is copied. */
export interface CopySource {
  /** Size and checksums as its storage tells them; undefined: there is none. @param withSums Asks for checksums. */
  head(withSums: boolean): Promise<CopiedContent | undefined>;
  /** Whether there is a file of a name beside it. */
  hasSibling(name: string): Promise<boolean>;
  /** Reads it, and sums its content. @param bytes The size that it should have. */
  sum(bytes: Integer | undefined): Promise<CopiedContent>;
}

/** How a copy to a WebDAV server is made. */
export interface WebdavCopySettings {
  readonly client: WebdavClient;
  readonly source: CopySource;
  readonly to: WebdavPlace;
  /** Writes the copy under a temporary name. @returns The sums of what was sent, if this process has sent it. */
  readonly transfer: (temporary: WebdavPlace) => Promise<SummedContent | void>;
  /** The temporary name of an attempt, which nothing has, in the folder of the copy. @param count From 1 on; 0 for a probe. */
  readonly temporaryName: (count: number) => string;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** One copy to a WebDAV server, by whomever. It is written under a temporary name, checked, and then gets its own. */
export class WebdavCopy {
  readonly #job: CopyJob;
  readonly #settings: WebdavCopySettings;
  readonly #client: WebdavClient;
  /** The expected content of the copy, as far as it is known. */
  #wanted: CopiedContent;
  /** The file to be replaced, as the server told it at the beginning. */
  #former: CopiedContent | undefined;

  constructor(job: CopyJob, settings: WebdavCopySettings) {
    [this.#job, this.#settings] = [job, settings];
    this.#client = settings.client;
    this.#wanted = job;
  }

  /** Makes it. @throws Error with a message for people. */
  async make(): Promise<CopyResult> {
    const { source: from, to, temporaryName, retryPolicy, signal } = this.#settings;
    const { source, destination, replaces } = this.#job;
    if (isSamePlace(source, destination)) throw new Error(`${destination.pfn} is the same file as its source.`);
    const [found, present] = await Promise.all([
      // A checksum may have to be computed, so the source is asked for one only if the catalogue knows none.
      from.head(!isContentKnown(this.#job)),
      this.#client.head(to, true),
    ]);
    if (found === undefined) throw new Error(`${source.pfn} is not there.`);
    const wrong = findMismatch(this.#job, found);
    if (wrong !== undefined) throw new Error(`${source.pfn}: ${wrong}`);
    const { bytes = found.bytes, adler32 = found.adler32, md5 = found.md5 } = this.#job;
    this.#wanted = { bytes, adler32, md5 };
    // An earlier attempt made the copy, and its report was lost. What is to be replaced never counts: a server may tell the
    // checksum that the file had when it was written.
    if (present !== undefined && !replaces) {
      const copy = await this.#requireCopy(present, to);
      await this.#requireOther();
      return copy;
    }
    this.#former = present;
    let begins = 0;
    const begin = () => this.#copyOnce(temporaryName((begins += 1)));
    return retryTransient(begin, { ...retryPolicy, attempts: maxBegins }, signal);
  }

  async #requireOther(): Promise<void> {
    const { source, to, temporaryName } = this.#settings;
    const name = temporaryName(0);
    const place = besideOf(to, name);
    await requireOtherStorage(this.#job, {
      put: () => this.#client.send({ ...place, method: 'PUT' }),
      isSeen: () => source.hasSibling(name),
      isThere: () => this.#isThere(place),
      remove: () => this.#client.send({ ...place, method: 'DELETE' }),
    });
  }

  async #copyOnce(temporaryName: string): Promise<CopyResult> {
    const { to } = this.#settings;
    const temporary = { ...to, url: new URL(temporaryName, to.url).href };
    try {
      this.#learn(await this.#settings.transfer(temporary));
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

  /** Compares what was sent with the file; then the server may tell any of its checksums. */
  #learn(sent: SummedContent | void): void {
    if (sent === undefined) return;
    const wrong = findMismatch(this.#wanted, sent);
    if (wrong !== undefined) throw new Error(`${this.#job.source.pfn}: ${wrong}`);
    if (provesContent(this.#wanted, sent)) this.#wanted = sent;
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
    const { source } = this.#settings;
    if (!isContentKnown(this.#wanted)) this.#wanted = await source.sum(this.#wanted.bytes);
    return this.#wanted;
  }
}
