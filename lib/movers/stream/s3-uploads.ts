import { type Leftover, partKey } from '../leftovers.ts';
import { readElements } from '../read-xml.ts';
import { readElement, type S3Client } from '../s3/s3-client.ts';
import type { S3Place } from '../s3/s3-object.ts';
import { toCanonicalPath } from '../s3/sign-s3.ts';

/** An upload in parts that is not over. */
export interface FoundUpload extends Leftover {
  /** The object that it would make. */
  readonly place: S3Place;
}

/** A part that the service has. */
export interface FoundPart {
  readonly bytes: number;
  readonly etag: string;
}

/** The most entries that an answer holds: it is short enough to be read whole. */
const pageSize = 100;

/** The most pages that are read. */
const maxPages = 100;

/** The bucket of an object, and its key. */
export function splitPlace(place: S3Place): { readonly bucket: S3Place; readonly key: string } {
  const [, bucket = '', key = ''] = /^\/([^/]+)\/(.*)$/s.exec(place.copySource) ?? [];
  const isInPath = place.path === place.copySource;
  const path = isInPath ? `/${bucket}` : '/';
  return { bucket: { ...place, path, copySource: `/${bucket}/` }, key: decodeURIComponent(key) };
}

/** Lists the uploads of objects whose keys begin with a text. */
export async function listUploads(client: S3Client, bucket: S3Place, prefix: string): Promise<FoundUpload[]> {
  const found: FoundUpload[] = [];
  let markers: Record<string, string> = {};
  for (let page = 0; page < maxPages; page += 1) {
    const query = { uploads: '', prefix, 'max-uploads': String(pageSize), ...markers };
    const { text } = await client.send(bucket, { method: 'GET', query });
    for (const entry of readElements(text, 'upload')) {
      const [key, name] = [entry.get('key'), entry.get('uploadid')];
      if (key === undefined || name === undefined) continue;
      const writtenAt = Date.parse(entry.get('initiated') ?? '');
      const place = placeOf(bucket, key);
      const age = Number.isNaN(writtenAt) ? {} : { writtenAt };
      found.push({ key: partKey(place.copySource), name, place, ...age });
    }
    const next = readElement(text, 'NextKeyMarker');
    if (readElement(text, 'IsTruncated') !== 'true' || next === undefined) break;
    markers = { 'key-marker': next, 'upload-id-marker': readElement(text, 'NextUploadIdMarker') ?? '' };
  }
  return found;
}

function placeOf(bucket: S3Place, key: string): S3Place {
  const escaped = toCanonicalPath(`/${encodeURIComponent(key).replaceAll('%2F', '/')}`);
  const root = bucket.path === '/' ? '' : bucket.path;
  return { ...bucket, path: root + escaped, copySource: bucket.copySource.slice(0, -1) + escaped };
}

/** Lists the parts of an upload by their numbers. */
export async function listParts(client: S3Client, place: S3Place, uploadId: string): Promise<Map<number, FoundPart>> {
  const parts = new Map<number, FoundPart>();
  let marker: Record<string, string> = {};
  for (let page = 0; page < maxPages; page += 1) {
    const query = { uploadId, 'max-parts': String(pageSize), ...marker };
    const { text } = await client.send(place, { method: 'GET', query });
    for (const entry of readElements(text, 'part')) {
      const etag = entry.get('etag') ?? '';
      parts.set(Number(entry.get('partnumber')), { bytes: Number(entry.get('size')), etag });
    }
    const next = readElement(text, 'NextPartNumberMarker');
    if (readElement(text, 'IsTruncated') !== 'true' || next === undefined) break;
    marker = { 'part-number-marker': next };
  }
  return parts;
}
