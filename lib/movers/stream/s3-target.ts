import { createHash, hash } from 'node:crypto';

import type { Slots } from '../../slots.ts';
import { ContentSum, type SummedContent } from '../content-sum.ts';
import { type Leftovers, partKey } from '../leftovers.ts';
import { type CopiedContent, findMismatch } from '../mismatch.ts';
import { acceptsSize, CopyObstacle, type CopyResult } from '../mover.ts';
import { abortParts, beginParts, completeParts } from '../s3/copy-parts.ts';
import { type S3Client, S3Error } from '../s3/s3-client.ts';
import { describeUpload, isNewer, type S3Facts, siblingOf, type S3Place } from '../s3/s3-object.ts';
import { type FoundPart, type FoundUpload, listParts, listUploads, splitPlace } from './s3-uploads.ts';
import { requireContent, type StreamJob, type StreamTarget } from './target.ts';

/** How objects are cut into parts. */
export interface UploadSettings {
  /** Objects that are not larger are written by one request. The least that S3 allows are 5 MiB. */
  readonly partBytes: number;
}

/** Three parts of a copy are in memory at most. */
export const usualUpload: UploadSettings = { partBytes: 8 * 2 ** 20 };

/** The maximum number of parts in S3. */
const maxParts = 10_000;

/** Of larger parts too much would be in memory. */
const maxPartBytes = 128 * 2 ** 20;

/** The largest object that is written. */
export const maxUploadBytes = maxParts * maxPartBytes;

/** An object as the destination of copies through this process. */
export class S3Target implements StreamTarget {
  readonly #client: S3Client;
  readonly #place: S3Place;
  readonly #settings: {
    readonly upload: UploadSettings;
    readonly leftovers: Leftovers<FoundUpload>;
    readonly largeSlots: Slots;
    /** Of the keys of the RSE. */
    readonly prefix: string;
  };
  #former: S3Facts | undefined;

  /** @param settings `largeSlots`: for objects whose parts have to be larger than usual. */
  constructor(
    client: S3Client,
    place: S3Place,
    settings: {
      readonly upload: UploadSettings;
      readonly leftovers: Leftovers<FoundUpload>;
      readonly largeSlots: Slots;
      readonly prefix: string;
    },
  ) {
    [this.#client, this.#place, this.#settings] = [client, place, settings];
  }

  async head(): Promise<S3Facts | undefined> {
    this.#former = await this.#client.head(this.#place);
    return this.#former;
  }

  putSibling(name: string): Promise<unknown> {
    return this.#client.send(siblingOf(this.#place, name), { method: 'PUT' });
  }

  async hasSibling(name: string): Promise<boolean> {
    return (await this.#client.head(siblingOf(this.#place, name))) !== undefined;
  }

  removeSibling(name: string): Promise<unknown> {
    return this.#client.send(siblingOf(this.#place, name), { method: 'DELETE' });
  }

  sum(): Promise<SummedContent> {
    return this.#client.sum(this.#place, this.#former?.bytes ?? 0);
  }

  async clean(): Promise<void> {
    if (Number(this.#former?.bytes ?? 0) > this.#settings.upload.partBytes) await this.#dropOthers();
  }

  async write(copy: StreamJob): Promise<CopyResult> {
    const { wanted, job } = copy;
    const size = Number(wanted.bytes);
    const { upload, largeSlots } = this.#settings;
    if (size > maxUploadBytes) throw new CopyObstacle(`${copy.source.pfn} is larger than ${maxUploadBytes} bytes.`);
    const partBytes = Math.max(upload.partBytes, Math.ceil(size / maxParts));
    const giveBack = partBytes > upload.partBytes ? await largeSlots.take() : () => {};
    const former = this.#former;
    try {
      const write = size <= partBytes ? () => this.#writeWhole(copy) : () => this.#writeParts(copy, partBytes);
      const sent = await write();
      return await this.#verify(copy, sent, former);
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      // Accepts a copy that another mover has made meanwhile, or this one, if the answer was lost.
      const found = await this.head();
      const isOther = found !== undefined && (!job.replaces || isNewer(found, former));
      if (isOther && findMismatch(wanted, found) === undefined) {
        const read = await this.sum();
        if (findMismatch(wanted, read) === undefined) return read;
      }
      if (error.status === 412)
        throw new Error(`${job.destination.pfn} exists and is another object.`, { cause: error });
      throw error;
    } finally {
      giveBack();
    }
  }

  /** Writes a small object by one request. */
  async #writeWhole(copy: StreamJob): Promise<Sent> {
    const chunks: Buffer[] = [];
    for await (const chunk of copy.read(0)) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    const sum = new ContentSum();
    sum.update(body);
    const content = sum.digest();
    requireContent(copy.wanted, content, copy.job.source.pfn);
    const headers = { ...describeUpload(copy.job.id), ...md5Header(content.md5) };
    await this.#withConditions((conditions) =>
      this.#client.send(this.#place, { method: 'PUT', headers: { ...headers, ...conditions }, body }),
    );
    return { content, etag: content.md5 };
  }

  /** Writes an object in parts, which it gets when all are there and their sums are right. */
  async #writeParts(copy: StreamJob, partBytes: number): Promise<Sent> {
    const { uploadId, known } = await this.#beginOrContinue(copy);
    const sum = new ContentSum();
    const md5s: string[] = [];
    const etags: string[] = [];
    let sending: Promise<void> = Promise.resolve();
    try {
      for await (const body of cutContent(copy.read(0), partBytes)) {
        sum.update(body);
        const md5 = hash('md5', body);
        const number = md5s.push(md5);
        await sending;
        const send = async () => {
          etags[number - 1] = await this.#sendPart(uploadId, { number, body, md5 }, known.get(number));
        };
        sending = send();
        // The next part waits for it, and gets its failure.
        sending.catch(() => undefined);
      }
      await sending;
      const content = sum.digest();
      requireContent(copy.wanted, content, copy.job.source.pfn);
      let made: string | undefined;
      await this.#withConditions(async (conditions) => {
        made = await completeParts(this.#client, this.#place, { uploadId, etags, conditions });
      });
      const all = createHash('md5');
      for (const md5 of md5s) all.update(md5, 'hex');
      return { content, etag: `${all.digest('hex')}-${md5s.length}`, made };
    } catch (error) {
      await sending.catch(() => undefined);
      // The next attempt continues what was stopped.
      if (copy.signal.aborted) this.#settings.leftovers.leave(this.#folder, { ...this.#leftover, name: uploadId });
      else await abortParts(this.#client, this.#place, uploadId);
      throw error;
    } finally {
      if (!copy.signal.aborted) await this.#dropOthers();
    }
  }

  /** Deletes uploads of the object of which nobody knows: the answer to their beginning was lost. */
  async #dropOthers(): Promise<void> {
    const { bucket, key } = splitPlace(this.#place);
    const found = await listUploads(this.#client, bucket, key).catch(() => []);
    for (const { place, name } of found)
      if (place.path === this.#place.path) await abortParts(this.#client, place, name);
  }

  /** Sends a part, unless an earlier attempt has. @returns Its ETag. */
  async #sendPart(
    uploadId: string,
    { number, body, md5 }: { readonly number: number; readonly body: Buffer<ArrayBuffer>; readonly md5: string },
    known: FoundPart | undefined,
  ): Promise<string> {
    if (known?.bytes === body.length && bareEtag(known.etag) === md5) return known.etag;
    const query = { partNumber: String(number), uploadId };
    const { headers } = await this.#client.send(this.#place, { method: 'PUT', query, headers: md5Header(md5), body });
    const etag = headers.get('etag');
    if (etag === null) throw new Error('The storage tells no ETag of a part.');
    return etag;
  }

  /** What names the uploads of the RSE. */
  get #folder(): string {
    const { bucket } = splitPlace(this.#place);
    return `${this.#place.origin}${bucket.copySource}${this.#settings.prefix}`;
  }

  get #leftover() {
    return { key: partKey(this.#place.copySource), place: this.#place };
  }

  /** The upload that an attempt before has begun and that was stopped, with its parts; or a new one. */
  async #beginOrContinue({ job }: StreamJob): Promise<{ uploadId: string; known: ReadonlyMap<number, FoundPart> }> {
    const { bucket } = splitPlace(this.#place);
    const { leftovers, prefix } = this.#settings;
    const left = await leftovers.take(this.#folder, this.#place.copySource, {
      list: () => listUploads(this.#client, bucket, prefix),
      // An upload tells nobody who has begun it: it may be that of another program. The life cycle of the bucket ends it.
      remove: async () => {},
    });
    const sorted = left.toSorted((one, other) => (other.writtenAt ?? 0) - (one.writtenAt ?? 0));
    // What replaces a bad object has to be known for this attempt's own.
    const first = job.replaces ? undefined : sorted[0];
    for (const one of sorted) if (one !== first) await abortParts(this.#client, this.#place, one.name);
    if (first !== undefined) {
      const known = await listParts(this.#client, this.#place, first.name).catch(() => undefined);
      if (known !== undefined) return { uploadId: first.name, known };
    }
    const uploadId = await beginParts(this.#client, this.#place, describeUpload(job.id));
    return { uploadId, known: new Map() };
  }

  /** Writes on condition that the object is still what it was, as far as the service knows conditions. */
  async #withConditions(write: (conditions: Record<string, string>) => Promise<unknown>): Promise<void> {
    try {
      await write(this.#former === undefined ? { 'If-None-Match': '*' } : { 'If-Match': this.#former.etag });
    } catch (error) {
      if (!(error instanceof S3Error) || error.status !== 501) throw error;
      await write({});
    }
  }

  /** Compares what the service has with what was sent; deletes it if it is another and this attempt has written it. */
  async #verify(
    { job }: StreamJob,
    { content, etag, made: told }: Sent,
    former: S3Facts | undefined,
  ): Promise<CopyResult> {
    const { pfn, rse } = job.destination;
    const made = await this.head();
    if (made === undefined) throw new Error(`${pfn} is not there after the copy.`);
    if (former !== undefined && !isNewer(made, former)) throw new Error(`${pfn} was not replaced by the copy.`);
    const wrong = await this.#findFlaw(content, made, etag, acceptsSize(rse));
    if (wrong === undefined) return content;
    // Another attempt, or somebody else, may have given the name to another object since. A continued upload is that of an earlier one.
    const isOwn = made.writtenBy === job.id || (told !== undefined && bareEtag(told) === bareEtag(made.etag));
    if (isOwn) await this.#client.send(this.#place, { method: 'DELETE' });
    throw new Error(`${pfn}: ${wrong}`);
  }

  /** The first difference of an object from the sent content: by its ETag, if that is an MD5, or else by reading it. */
  async #findFlaw(
    content: CopiedContent,
    made: S3Facts,
    etag: string,
    isSizeEnough: boolean,
  ): Promise<string | undefined> {
    const wrong = findMismatch({ bytes: content.bytes }, { bytes: made.bytes });
    if (wrong !== undefined) return wrong;
    return bareEtag(made.etag) === etag || isSizeEnough ? undefined : findMismatch(content, await this.sum());
  }
}

/** What was sent, and the ETag that services give to it whose ETags are MD5s. */
interface Sent {
  readonly content: SummedContent;
  readonly etag: string;
  /** The ETag that the service tells of what it has made of the parts. */
  readonly made?: string | undefined;
}

const bareEtag = (etag: string) => etag.replaceAll('"', '').toLowerCase();

const md5Header = (md5: string) => ({ 'Content-MD5': Buffer.from(md5, 'hex').toString('base64') });

/** Cuts content into parts of a size; the last one may be shorter. */
async function* cutContent(content: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Buffer<ArrayBuffer>> {
  let part = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  for await (const chunk of content) {
    for (let used = 0; used < chunk.length;) {
      const piece = chunk.subarray(used, used + partBytes - filled);
      part.set(piece, filled);
      [filled, used] = [filled + piece.length, used + piece.length];
      if (filled < partBytes) continue;
      yield part;
      [part, filled] = [Buffer.allocUnsafe(partBytes), 0];
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
