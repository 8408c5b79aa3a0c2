import type { Integer } from '../../integer.ts';
import { Slots } from '../../slots.ts';
import { Leftovers, partName } from '../leftovers.ts';
import { type CopiedContent, findMismatch, isContentKnown, provesContent } from '../mismatch.ts';
import {
  type CopyEnds,
  type CopyJob,
  type CopyPlace,
  type CopyResult,
  isSamePlace,
  type Mover,
  type StorageRse,
} from '../mover.ts';
import { requireOtherStorage } from '../other-storage.ts';
import { isSameFile as isSameInode } from '../posix/file-content.ts';
import { findFolderObstacle, findStorageFile, type StorageFolders } from '../posix/safe-path.ts';
import { type RetryPolicy, usualRetryPolicy } from '../retry-policy.ts';
import { S3Client } from '../s3/s3-client.ts';
import { findS3Place, isSameObject, type S3Place } from '../s3/s3-object.ts';
import { findKeyObstacle, type FindS3Keys } from '../s3/sign-s3.ts';
import { WebdavClient } from '../webdav/webdav-client.ts';
import { placeOf, type WebdavPlace } from '../webdav/webdav-place.ts';
import { type ContentSource, readContent, sumSource } from './content.ts';
import { s3Source, webdavSource } from './http-source.ts';
import { leastRate, Pacer, rateAttribute, rateOf } from './pacer.ts';
import { posixSource, posixTarget } from './posix-ends.ts';
import { maxUploadBytes, S3Target, type UploadSettings, usualUpload } from './s3-target.ts';
import type { FoundUpload } from './s3-uploads.ts';
import type { StreamTarget } from './target.ts';
import { copyToWebdav } from './webdav-target.ts';

/** What bounds a copy of a process that ends. */
export interface CopyLife {
  /** How long it may take. */
  readonly copyMs: number;
  /** How fast it is at least, where the storages are not slower. */
  readonly bytesPerSecond: number;
}

/** Settings of the mover. */
export interface StreamMoverSettings {
  /** Absent: a copy may take any time. */
  readonly life?: CopyLife;
  /** Of this machine only files below them are read and written. */
  readonly folders: StorageFolders;
  readonly findKeys: FindS3Keys;
  /** The bearer token of an RSE; undefined: its server wants none. */
  readonly findToken: (rse: StorageRse) => Promise<string | undefined>;
  readonly retryPolicy?: RetryPolicy;
  readonly upload?: UploadSettings;
}

/** A storage that hangs keeps one of few places, so it has less patience than where storages copy by themselves. */
const streamRetryPolicy: RetryPolicy = { ...usualRetryPolicy, attempts: 5 };

/** The kinds of storage that it knows. */
type StorageKind = 'posix' | 's3' | 'webdav';

/**
 * Copies between folders of this machine, S3 services and WebDAV servers, from any to any: content passes through this process,
 * part by part.
 */
export class StreamMover implements Mover {
  readonly name = 'stream';
  readonly schemes = ['file', 'davs', 'https', 'dav', 'http'];
  readonly parallel = 8;
  readonly #settings: StreamMoverSettings;
  readonly #retryPolicy: RetryPolicy;
  readonly #pacer = new Pacer();
  readonly #parts = new Leftovers();
  readonly #uploads = new Leftovers<FoundUpload>();
  readonly #largeSlots = new Slots(1);

  constructor(settings: StreamMoverSettings) {
    this.#settings = settings;
    this.#retryPolicy = settings.retryPolicy ?? streamRetryPolicy;
  }

  async findObstacle({ source, destination, bytes }: CopyEnds & CopiedContent): Promise<string | undefined> {
    for (const place of [source, destination]) {
      const kind = kindOf(place);
      if (kind === undefined) return describeUnknown(place);
      if (kind === 's3' && findS3Place(place) === undefined) return `${place.pfn} names no object.`;
      const { folders, findKeys } = this.#settings;
      const unusable =
        kind === 'posix'
          ? await findFolderObstacle(place, folders)
          : kind === 's3'
            ? await findKeyObstacle(findKeys, place.rse)
            : undefined;
      if (unusable !== undefined) return unusable;
      if (rateOf(place.rse) === 'invalid')
        return `The attribute ${rateAttribute} of ${place.rse.rse} is no number of bytes a second, ${leastRate} at least.`;
    }
    if (isSameFile(source, destination)) return `${destination.pfn} is the same file as its source.`;
    const late = findLateness([source, destination], bytes, this.#settings.life);
    if (late !== undefined || kindOf(destination) !== 's3' || bytes === undefined || Number(bytes) <= maxUploadBytes)
      return late;
    return `The mover stream copies ${maxUploadBytes} bytes to a bucket at most, the file has ${bytes}.`;
  }

  async copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult> {
    if (isSameFile(job.source, job.destination))
      throw new Error(`${job.destination.pfn} is the same file as its source.`);
    const source = await this.#openSource(job.source, signal);
    if (kindOf(job.destination) === 'webdav') return this.#copyToWebdav(job, source, signal);
    const target = await this.#openTarget(job, signal);
    return this.#copyTo(target, job, source, signal);
  }

  async #copyToWebdav(job: CopyJob, source: ContentSource, signal: AbortSignal): Promise<CopyResult> {
    const { client, place } = await this.#openWebdav(job.destination, signal, job.requireLease);
    return copyToWebdav({
      job,
      client,
      to: place,
      source,
      read: (bytes, start) => readContent(source, start, { bytes, ...this.#readingOf(job, signal) }),
      sum: (bytes) => sumSource(source, { bytes, ...this.#readingOf(job, signal) }),
      leftovers: this.#parts,
      retryPolicy: this.#retryPolicy,
      signal,
    });
  }

  async #copyTo(target: StreamTarget, job: CopyJob, source: ContentSource, signal: AbortSignal): Promise<CopyResult> {
    const [found, present] = await Promise.all([source.head(!isContentKnown(job)), target.head()]);
    if (found === undefined) throw new Error(`${source.pfn} is not there.`);
    const wrong = findMismatch(job, found);
    if (wrong !== undefined) throw new Error(`${source.pfn}: ${wrong}`);
    const { bytes = found.bytes } = job;
    if (bytes === undefined) throw new Error(`The storage does not tell the size of ${source.pfn}.`);
    const reading = { bytes, ...this.#readingOf(job, signal) };
    const told = { ...(isContentKnown(job) ? job : found), bytes };
    // If nobody knows a checksum, the content of the source is what two readings agree on.
    const { adler32, md5 } = told;
    const wanted = isContentKnown(told) ? { bytes, adler32, md5 } : await sumSource(source, reading);
    // An earlier attempt made the copy, and its report was lost. What is to be replaced never counts.
    if (present !== undefined && !job.replaces) {
      const read = findMismatch(wanted, present) === undefined ? await target.sum() : undefined;
      if (read !== undefined && provesContent(wanted, read)) {
        await requireOther(job, source, target);
        await target.clean();
        return read;
      }
      throw new Error(`${job.destination.pfn} exists and is another file.`);
    }
    const read = (start: number) => readContent(source, start, reading);
    return target.write({ job, wanted, source, read, signal }, present);
  }

  #readingOf({ source, destination }: CopyJob, signal: AbortSignal) {
    const rses = [source.rse, destination.rse];
    const pace = (bytes: number) => this.#pacer.take(rses, bytes, signal);
    return { retryPolicy: this.#retryPolicy, signal, pace };
  }

  async #openSource(place: CopyPlace, signal: AbortSignal): Promise<ContentSource> {
    const end = { pfn: place.pfn, retryPolicy: this.#retryPolicy };
    switch (requireKind(place)) {
      case 'posix':
        return posixSource(place.pfn, await findStorageFile(place, this.#settings.folders, false));
      case 's3':
        return s3Source(await this.#openS3(place, signal), requireS3Place(place), end);
      case 'webdav': {
        const { client, place: at } = await this.#openWebdav(place, signal);
        return webdavSource(client, at, end);
      }
    }
  }

  async #openTarget(job: CopyJob, signal: AbortSignal): Promise<StreamTarget> {
    const { source, destination, requireLease } = job;
    const { folders, upload = usualUpload } = this.#settings;
    if (requireKind(destination) === 's3') {
      const client = await this.#openS3(destination, signal, requireLease);
      const place = requireS3Place(destination);
      const settings = { upload, leftovers: this.#uploads, largeSlots: this.#largeSlots };
      return new S3Target(client, place, { ...settings, prefix: keyPrefixOf(destination) });
    }
    const file = await findStorageFile(destination, folders, true);
    if (kindOf(source) === 'posix') {
      const { path } = await findStorageFile(source, folders, false);
      if (await isSameInode(path, file.path)) throw new Error(`${file.path} is the same file as its source.`);
    }
    return posixTarget(file, this.#parts, signal);
  }

  async #openS3({ rse }: CopyPlace, signal: AbortSignal, beforeWrite?: () => void): Promise<S3Client> {
    const { answerMs, slowAnswerMs } = this.#retryPolicy;
    // A request moves a few MB at most.
    const retryPolicy = { ...this.#retryPolicy, slowAnswerMs: Math.min(slowAnswerMs, 2 * answerMs) };
    return new S3Client(await this.#settings.findKeys(rse), signal, retryPolicy, beforeWrite);
  }

  async #openWebdav(
    place: CopyPlace,
    signal: AbortSignal,
    beforeWrite?: () => void,
  ): Promise<{ readonly client: WebdavClient; readonly place: WebdavPlace }> {
    const token = await this.#settings.findToken(place.rse);
    return { client: new WebdavClient(signal, this.#retryPolicy, beforeWrite), place: placeOf(place, token) };
  }
}

/** Why a file is too large for the life of a process; undefined: it is not. It may have to be read twice. */
function findLateness(ends: readonly CopyPlace[], bytes: Integer | undefined, life?: CopyLife): string | undefined {
  if (life === undefined || bytes === undefined) return undefined;
  const rates = ends.map(({ rse }) => rateOf(rse)).filter((rate) => typeof rate === 'number');
  const rate = Math.min(life.bytesPerSecond, ...rates);
  const most = Math.floor((rate * life.copyMs) / 2_000);
  if (Number(bytes) <= most) return undefined;
  return `A function copies ${most} bytes between these RSEs at most, in ${life.copyMs / 1_000} s; the file has ${bytes}.`;
}

/** @throws CopyObstacle if the destination shows the source. */
async function requireOther(job: CopyJob, source: ContentSource, target: StreamTarget): Promise<void> {
  const name = partName(job.destination.pfn, `${job.id}-0`);
  await requireOtherStorage(job, {
    put: () => target.putSibling(name),
    isSeen: () => source.hasSibling(name),
    isThere: () => target.hasSibling(name),
    remove: () => target.removeSibling(name),
  });
}

/** Whether two addresses are those of one file. */
function isSameFile(source: CopyPlace, destination: CopyPlace): boolean {
  if (isSamePlace(source, destination)) return true;
  const [from, to] = [source, destination].map((place) => (kindOf(place) === 's3' ? findS3Place(place) : undefined));
  return from !== undefined && to !== undefined && isSameObject(from, to);
}

/** The kind of storage of a place; undefined: none that it knows. */
function kindOf({ pfn, url, rse }: CopyPlace): StorageKind | undefined {
  if (pfn.startsWith('file:')) return 'posix';
  if (url === undefined) return undefined;
  const service = rse.attributes['sign_url'];
  if (service === 's3') return 's3';
  return service === undefined ? 'webdav' : undefined;
}

function describeUnknown({ pfn, url, rse }: CopyPlace): string {
  if (url === undefined) return `${pfn} is no file of this machine, and no address of S3 or WebDAV.`;
  return `${rse.rse} has the attribute sign_url=${String(rse.attributes['sign_url'])}: it is neither S3 nor WebDAV.`;
}

function requireKind(place: CopyPlace): StorageKind {
  const kind = kindOf(place);
  if (kind === undefined) throw new Error(describeUnknown(place));
  return kind;
}

function requireS3Place(place: CopyPlace): S3Place {
  const found = findS3Place(place);
  if (found === undefined) throw new Error(`${place.pfn} names no object.`);
  return found;
}

/** With what the keys of an RSE begin. */
function keyPrefixOf({ prefix, rse }: CopyPlace): string {
  const path = prefix.replace(/^\/+/, '');
  return rse.attributes['s3_url_style'] === 'host' ? path : path.replace(/^[^/]*\/?/, '');
}
