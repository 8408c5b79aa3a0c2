import { findMismatch, isContentKnown, provesContent } from '../mismatch.ts';
import {
  acceptsSize,
  type CopyEnds,
  type CopyJob,
  type CopyPlace,
  type CopyResult,
  isSamePlace,
  type Mover,
} from '../mover.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import { copyInParts, type PartCopy, type PartSettings, usualParts } from './copy-parts.ts';
import { S3Client, S3Error } from './s3-client.ts';
import {
  compareObjects,
  describeCopy,
  findS3Place,
  isNewer,
  isSameObject,
  type S3Facts,
  type S3Place,
} from './s3-object.ts';
import { findKeyObstacle, type FindS3Keys } from './sign-s3.ts';

/** Settings of the mover. */
export interface S3MoverSettings {
  readonly findKeys: FindS3Keys;
  readonly parts?: PartSettings;
  readonly retryPolicy?: RetryPolicy;
}

/**
 * Copies between buckets of one S3 service by requests of the service's own: no content passes through this process.
 * The keys of the destination must be able to read the source.
 */
export class S3Mover implements Mover {
  readonly name = 's3';
  readonly schemes = ['https', 'http'];
  readonly parallel = 32;
  readonly #settings: S3MoverSettings;

  constructor(settings: S3MoverSettings) {
    this.#settings = settings;
  }

  async findObstacle(ends: CopyEnds): Promise<string | undefined> {
    return describeEnds(ends) ?? findKeyObstacle(this.#settings.findKeys, ends.destination.rse);
  }

  async copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult> {
    const keys = await this.#settings.findKeys(job.destination.rse);
    const client = new S3Client(keys, signal, this.#settings.retryPolicy, job.requireLease);
    try {
      return await new S3Copy(client, job, signal).make(this.#settings.parts ?? usualParts);
    } catch (error) {
      if (!(error instanceof S3Error) || error.status !== 403) throw error;
      const [from, to] = [job.source.rse.rse, job.destination.rse.rse];
      throw new Error(`${error.message}. The keys of ${to} must be able to read ${from}.`, { cause: error });
    }
  }
}

/** Why two places are no objects that one service can copy; undefined: they are. */
function describeEnds({ source, destination }: CopyEnds): string | undefined {
  for (const { rse } of [source, destination]) {
    if (rse.attributes['sign_url'] !== 's3') return `${rse.rse} has no attribute sign_url=s3: it is no S3 storage.`;
  }
  const [from, to] = [findS3Place(source), findS3Place(destination)];
  if (from === undefined || to === undefined)
    return `${(from === undefined ? source : destination).pfn} names no object.`;
  if (isSamePlace(source, destination) || isSameObject(from, to))
    return `${destination.pfn} is the same object as its source.`;
  if (from.service === to.service) return undefined;
  return `${source.rse.rse} and ${destination.rse.rse} are different S3 services, ${from.service} and ${to.service}.`;
}

/** One copy. */
class S3Copy {
  readonly #client: S3Client;
  readonly #job: CopyJob;
  readonly #signal: AbortSignal;
  readonly #source: S3Place;
  readonly #destination: S3Place;

  constructor(client: S3Client, job: CopyJob, signal: AbortSignal) {
    [this.#client, this.#job, this.#signal] = [client, job, signal];
    [this.#source, this.#destination] = [requirePlace(job.source), requirePlace(job.destination)];
  }

  async make(parts: PartSettings): Promise<CopyResult> {
    const { id, source, destination, replaces } = this.#job;
    if (isSamePlace(source, destination) || isSameObject(this.#source, this.#destination))
      throw new Error(`${destination.pfn} is the same object as its source.`);
    const [facts, present] = await Promise.all([this.#client.head(this.#source), this.#client.head(this.#destination)]);
    if (facts === undefined) throw new Error(`${source.pfn} is not there.`);
    const wrong = findMismatch(this.#job, facts);
    if (wrong !== undefined) throw new Error(`${source.pfn}: ${wrong}`);
    // An earlier attempt made the copy, and its report was lost. What is to be replaced never counts: a service tells the
    // checksum that an object had when it was written.
    if (present !== undefined && !replaces) return this.#requireCopy(present, facts);
    const conditions: Record<string, string> =
      present === undefined ? { 'If-None-Match': '*' } : { 'If-Match': present.etag };
    const copy = { source: this.#source, destination: this.#destination, attempt: id, facts, conditions };
    try {
      await this.#write(copy, parts);
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      // Accepts a copy that another mover has made meanwhile, or this one, if the answer was lost.
      const found = await this.#client.head(this.#destination);
      if (found !== undefined && (!replaces || isNewer(found, present))) return this.#requireCopy(found, facts);
      throw error.status === 412 ? new Error(this.#describeOther(), { cause: error }) : error;
    }
    return this.#verify(facts, present);
  }

  async #write(copy: PartCopy, parts: PartSettings): Promise<void> {
    try {
      await this.#writeIf(copy, parts);
    } catch (error) {
      // A service that knows no such condition. The object was looked for a moment ago.
      if (!(error instanceof S3Error) || error.status !== 501) throw error;
      await this.#writeIf({ ...copy, conditions: {} }, parts);
    }
  }

  async #writeIf(copy: PartCopy, parts: PartSettings): Promise<void> {
    const { facts, source, destination, attempt, conditions } = copy;
    if (facts.bytes > parts.maxSingleBytes) return copyInParts(this.#client, copy, parts, this.#signal);
    const headers = {
      ...describeCopy(facts, attempt),
      ...conditions,
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-copy-source': source.copySource,
      'x-amz-copy-source-if-match': facts.etag,
    };
    await this.#client.send(destination, { method: 'PUT', headers });
  }

  /** Compares the written object with its source, and deletes it if they differ. @param former The object that it replaces. */
  async #verify(facts: S3Facts, former: S3Facts | undefined): Promise<CopyResult> {
    const made = await this.#client.head(this.#destination);
    const { pfn, rse } = this.#job.destination;
    if (made === undefined) throw new Error(`${pfn} is not there after the copy.`);
    if (former !== undefined && !isNewer(made, former)) throw new Error(`${pfn} was not replaced by the copy.`);
    const checked = await this.#check(made, facts, acceptsSize(rse));
    if (typeof checked !== 'string') return checked;
    // Another attempt, or somebody else, may have given the name to another object since.
    if (made.writtenBy === this.#job.id) await this.#client.send(this.#destination, { method: 'DELETE' });
    throw new Error(`${pfn}: ${checked}`);
  }

  /** An object that this attempt has not written, or may not have: it counts only if its content is that of the source. */
  async #requireCopy(found: S3Facts, facts: S3Facts): Promise<CopyResult> {
    const checked = await this.#check(found, facts, false);
    if (typeof checked === 'string') throw new Error(this.#describeOther());
    return checked;
  }

  /**
   * Compares an object with what it must be: by what the service tells of it and of its source, or else by reading it. What
   * replaces a bad copy is compared with the catalogue, if that knows a checksum: the source may be bad as well.
   *
   * @param isSizeEnough Where the service tells no checksum the size is believed.
   * @returns The first difference.
   */
  async #check(made: S3Facts, facts: S3Facts, isSizeEnough: boolean): Promise<CopyResult | string> {
    const wrong = findMismatch(this.#job, made);
    if (wrong !== undefined) return wrong;
    const compared = compareObjects(made, facts);
    if (typeof compared === 'object') return compared.other;
    const isOwnWord = this.#job.replaces && isContentKnown(this.#job);
    if (provesContent(this.#job, made) || (compared === undefined && !isOwnWord)) return resultOf(made);
    if (compared === 'unknown' && isSizeEnough) return resultOf(made);
    const read = await this.#client.sum(this.#destination, made.bytes);
    const wanted = isContentKnown(this.#job) ? this.#job : await this.#client.sum(this.#source, facts.bytes);
    return findMismatch(wanted, read) ?? read;
  }

  #describeOther(): string {
    return `${this.#job.destination.pfn} exists and is another object.`;
  }
}

function requirePlace(place: CopyPlace): S3Place {
  const found = findS3Place(place);
  if (found === undefined) throw new Error(`${place.pfn} names no object.`);
  return found;
}

const resultOf = ({ bytes, md5 }: S3Facts): CopyResult => ({ bytes, md5 });
