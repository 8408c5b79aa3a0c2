import { Leftovers, partName } from '../leftovers.ts';
import { type CopyEnds, type CopyJob, type CopyResult, isSamePlace, type Mover, type StorageRse } from '../mover.ts';
import { TransientError, type RetryPolicy, usualRetryPolicy } from '../retry-policy.ts';
import { followCopy } from './follow-copy.ts';
import { makeFolders } from './make-folders.ts';
import { WebdavClient, WebdavError } from './webdav-client.ts';
import { WebdavCopy } from './webdav-copy.ts';
import { deleteLeftovers } from './webdav-leftovers.ts';
import { besideOf, placeOf, type WebdavPlace } from './webdav-place.ts';

/** Settings of the mover. */
export interface WebdavMoverSettings {
  /** The bearer token of an RSE; undefined: its server wants none. */
  readonly findToken: (rse: StorageRse) => Promise<string | undefined>;
  /** A copy without progress for so long has failed; two minutes by default. */
  readonly stallMs?: number;
  readonly retryPolicy?: RetryPolicy;
}

/**
 * Lets one WebDAV server copy from another: `COPY` with `Source` at the destination, or with `Destination` at the source if
 * the destination does not know the method. No content passes through this process.
 */
export class WebdavMover implements Mover {
  readonly name = 'webdav';
  readonly schemes = ['davs', 'https', 'dav', 'http'];
  readonly parallel = 16;
  readonly #settings: WebdavMoverSettings;
  readonly #leftovers = new Leftovers();

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
    const client = new WebdavClient(signal, retryPolicy, job.requireLease);
    await deleteLeftovers({ client, to, leftovers: this.#leftovers, retryPolicy, signal });
    const thirdParty = new ThirdPartyCopy(job, client, { from, to, stallMs, retryPolicy, signal });
    return new WebdavCopy(job, {
      client,
      source: {
        head: (withSums) => client.head(from, withSums),
        hasSibling: async (name) => (await client.head(besideOf(from, name), false)) !== undefined,
        sum: (bytes) => client.sum(from, bytes),
      },
      to,
      transfer: (temporary) => thirdParty.transfer(temporary),
      temporaryName: (count) => partName(to.url, `${job.id}-${count}`),
      retryPolicy,
      signal,
    }).make();
  }
}

interface ThirdPartySettings {
  readonly from: WebdavPlace;
  readonly to: WebdavPlace;
  readonly stallMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** Lets two storages copy. */
class ThirdPartyCopy {
  readonly #job: CopyJob;
  readonly #client: WebdavClient;
  readonly #settings: ThirdPartySettings;

  constructor(job: CopyJob, client: WebdavClient, settings: ThirdPartySettings) {
    [this.#job, this.#client, this.#settings] = [job, client, settings];
  }

  /** Lets the storages copy. A folder that is missing is made. */
  async transfer(temporary: WebdavPlace): Promise<void> {
    const pull = { at: temporary, other: this.#settings.from, header: 'Source' } as const;
    try {
      await this.#copyBy(pull);
    } catch (error) {
      if (!(error instanceof WebdavError) || ![400, 404, 409].includes(error.status))
        return this.#push(error, temporary);
      await makeFolders(this.#client, this.#settings.to, this.#job.destination.prefix);
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
}
