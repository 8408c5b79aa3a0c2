import { forEachLimited } from '../../parallel.ts';
import { readElement, type S3Client } from './s3-client.ts';
import { describeCopy, type S3Facts, type S3Place } from './s3-object.ts';

/** How large objects are copied. */
export interface PartSettings {
  /** Larger objects are copied in parts. */
  readonly maxSingleBytes: number;
  readonly minPartBytes: number;
  /** Parts of an object that are copied at the same time. */
  readonly parallelParts: number;
}

/** S3 copies at most 5 GiB by one request. */
export const usualParts: PartSettings = {
  maxSingleBytes: 5 * 2 ** 30,
  minPartBytes: 256 * 2 ** 20,
  parallelParts: 8,
};

/** The maximum number of parts in S3. */
const maxParts = 10_000;

/** Timeout for aborting a failed copy. */
const abortMs = 10_000;

/** A copy of an object. */
export interface PartCopy {
  readonly source: S3Place;
  readonly facts: S3Facts;
  readonly destination: S3Place;
  /** The id of this attempt to copy; no two are the same. */
  readonly attempt: string;
  /** Conditions of the object at the destination. */
  readonly conditions: Readonly<Record<string, string>>;
}

/**
 * Copies an object in parts. It appears when all are there; if one fails, all are deleted.
 *
 * @throws The errors of {@link S3Client.send}.
 */
export async function copyInParts(
  client: S3Client,
  copy: PartCopy,
  settings: PartSettings,
  signal: AbortSignal,
): Promise<void> {
  const { facts, destination, attempt, conditions } = copy;
  const uploadId = await beginParts(client, destination, describeCopy(facts, attempt));
  const failing = new AbortController();
  const parts = client.withSignal(AbortSignal.any([signal, failing.signal]));
  try {
    const etags = await copyParts(parts, copy, { uploadId, settings, failing });
    await completeParts(client, destination, { uploadId, etags, conditions });
  } catch (error) {
    await abortParts(client, destination, uploadId);
    throw error;
  }
}

/** Begins an object in parts. @returns The id of the upload. */
export async function beginParts(
  client: S3Client,
  place: S3Place,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const { text } = await client.send(place, { method: 'POST', query: { uploads: '' }, headers });
  const uploadId = readElement(text, 'UploadId');
  if (uploadId === undefined) throw new Error('The storage began no copy in parts.');
  return uploadId;
}

/** Makes an object of its parts. @param end.etags Those of the parts. @returns Its ETag, if the service tells. @throws S3Error if a part or a condition does not hold. */
export async function completeParts(
  client: S3Client,
  place: S3Place,
  end: {
    readonly uploadId: string;
    readonly etags: readonly string[];
    readonly conditions: Readonly<Record<string, string>>;
  },
): Promise<string | undefined> {
  const { uploadId, etags, conditions } = end;
  const list = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
  const { text } = await client.send(place, { method: 'POST', query: { uploadId }, headers: conditions, body });
  return readElement(text, 'ETag');
}

/** Deletes parts, which would cost money for ever. Without an answer the life cycle of the bucket has to delete them. */
export async function abortParts(client: S3Client, place: S3Place, uploadId: string): Promise<void> {
  const abort = client.forCleaning(AbortSignal.timeout(abortMs));
  await abort.send(place, { method: 'DELETE', query: { uploadId } }).catch(() => undefined);
}

interface Upload {
  readonly uploadId: string;
  readonly settings: PartSettings;
  /** Stops the other parts. */
  readonly failing: AbortController;
}

/** Copies the parts; all requests are over when it returns or throws. */
async function copyParts(
  client: S3Client,
  { source, facts, destination }: PartCopy,
  upload: Upload,
): Promise<string[]> {
  const { uploadId, settings, failing } = upload;
  const size = Number(facts.bytes);
  const partBytes = Math.max(settings.minPartBytes, Math.ceil(size / maxParts));
  const starts = Array.from({ length: Math.ceil(size / partBytes) }, (_value, index) => index * partBytes);
  const etags: string[] = [];
  await forEachLimited([...starts.entries()], settings.parallelParts, async ([index, start]) => {
    const headers = {
      'x-amz-copy-source': source.copySource,
      'x-amz-copy-source-if-match': facts.etag,
      'x-amz-copy-source-range': `bytes=${start}-${Math.min(size, start + partBytes) - 1}`,
    };
    const query = { partNumber: String(index + 1), uploadId };
    try {
      const { text } = await client.send(destination, { method: 'PUT', query, headers });
      etags[index] = readElement(text, 'ETag') ?? '';
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  });
  return etags;
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
