import { type Integer, parseInteger } from '../../integer.ts';
import { type CopiedContent, findMismatch } from '../mismatch.ts';
import type { CopyPlace } from '../mover.ts';
import { toCanonicalPath } from './sign-s3.ts';

/** An object of an S3 service, by its address. */
export interface S3Place {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  /** Its value in `x-amz-copy-source`: bucket and key. */
  readonly copySource: string;
  /** The service that can copy between two objects with one request: the endpoint, or AWS as a whole. */
  readonly service: string;
}

/**
 * Finds the object of one end of a copy. The attribute `s3_url_style` says where the bucket is: in the path, or in the
 * host (`host`).
 *
 * @returns undefined if the URL names none.
 */
export function findS3Place({ url: text, rse }: CopyPlace): S3Place | undefined {
  const url = text === undefined ? null : URL.parse(text);
  if (url === null) return undefined;
  const { origin, host, hostname } = url;
  const path = toCanonicalPath(url.pathname);
  const isInHost = rse.attributes['s3_url_style'] === 'host';
  const [bucket, endpoint] = isInHost ? splitHost(host) : ['', host];
  const copySource = isInHost ? `/${bucket}${path}` : path;
  if (!/^\/[^/]+\/./.test(copySource)) return undefined;
  const partition = /\.amazonaws\.com(\.cn)?$/.exec(hostname);
  return { origin, path, copySource, service: partition?.[0] ?? endpoint };
}

/** The object of another name, of plain letters, whose key is beside that of an object. */
export function siblingOf(place: S3Place, name: string): S3Place {
  const beside = (path: string) => path.slice(0, path.lastIndexOf('/') + 1) + name;
  return { ...place, path: beside(place.path), copySource: beside(place.copySource) };
}

/** Whether two addresses are those of one object: its bucket may be in the path or in the host. */
export const isSameObject = (one: S3Place, other: S3Place) =>
  one.service === other.service && one.copySource === other.copySource;

/** The bucket and the endpoint of a host. The name of a bucket on AWS may hold dots. */
function splitHost(host: string): readonly [bucket: string, endpoint: string] {
  const [, bucket = '', endpoint = ''] = /^(.+?)\.(s3[.-].+)$/.exec(host) ?? /^([^.]+)\.(.+)$/.exec(host) ?? [];
  return [bucket, endpoint];
}

/** Facts about an object according to its service. */
export interface S3Facts extends CopiedContent {
  readonly bytes: Integer;
  readonly etag: string;
  /** Checksums of the whole object by their kind, such as `crc64nvme`. */
  readonly checksums: ReadonlyMap<string, string>;
  /** The attempt that wrote it, if Dapple did: an object with another one was written anew. */
  readonly writtenBy?: string | undefined;
  /** Headers that describe it, for its copy. */
  readonly description: Readonly<Record<string, string>>;
}

/** Metadata of a copy that name the ETag of its source, for people, and the attempt that made it. */
const ownHeaders = { copiedFrom: 'x-amz-meta-dapple-copied-from', writtenBy: 'x-amz-meta-dapple-written-by' } as const;
const ownHeaderNames: ReadonlySet<string> = new Set(Object.values(ownHeaders));

const described = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
]);
const checksumHeader = /^x-amz-checksum-(crc\w+|sha\d+)$/;

/** Reads the answer to HEAD. */
export function readFacts(headers: Headers): S3Facts {
  const etag = headers.get('etag') ?? '';
  const pairs = [...headers];
  return {
    bytes: readLength(headers),
    etag,
    md5: isMd5(etag, headers) ? etag.replaceAll('"', '').toLowerCase() : undefined,
    // A checksum of checksums, `...-3`, depends on how the parts were cut.
    checksums: new Map(
      pairs.flatMap(([name, value]) => {
        const kind = checksumHeader.exec(name)?.[1];
        return kind === undefined || /-\d+$/.test(value) ? [] : [[kind, value] as const];
      }),
    ),
    writtenBy: headers.get(ownHeaders.writtenBy) ?? undefined,
    description: Object.fromEntries(
      pairs.filter(
        ([name, value]) =>
          (described.has(name) || (name.startsWith('x-amz-meta-') && !ownHeaderNames.has(name))) &&
          /^[\x20-\x7e]*$/.test(value),
      ),
    ),
  };
}

/** Whether an ETag is the MD5 of the content: of objects in one part, unless their keys are in KMS or with the customer. */
function isMd5(etag: string, headers: Headers): boolean {
  const encryption = headers.get('x-amz-server-side-encryption');
  const isReadable = encryption === null || encryption === 'AES256';
  return (
    /^"?[0-9a-f]{32}"?$/i.test(etag) && isReadable && !headers.has('x-amz-server-side-encryption-customer-algorithm')
  );
}

/** @throws Error if the service does not tell the size. */
function readLength(headers: Headers): Integer {
  const text = headers.get('content-length') ?? '';
  if (!/^\d{1,19}$/.test(text)) throw new Error('The storage does not tell the size of an object.');
  return parseInteger(text);
}

/** The headers that a copy gets: the description of its source, the ETag of the source, and the id of the attempt. */
export function describeCopy({ description, etag }: S3Facts, attempt: string): Record<string, string> {
  return { ...description, [ownHeaders.copiedFrom]: etag, ...describeUpload(attempt) };
}

/** The header that an uploaded object gets: the id of the attempt. */
export function describeUpload(attempt: string): Record<string, string> {
  return { [ownHeaders.writtenBy]: attempt };
}

/** Whether an object was written after another one that had its name. */
export function isNewer(found: S3Facts, former: S3Facts | undefined): boolean {
  return found.writtenBy !== undefined && found.writtenBy !== former?.writtenBy;
}

/**
 * The first difference of two objects in the facts that the service reports; `unknown`: it reports no checksum of one kind for both;
 * undefined: their contents are the same.
 */
export function compareObjects(copy: S3Facts, source: S3Facts): { readonly other: string } | 'unknown' | undefined {
  const wrong = findMismatch(source, copy);
  if (wrong !== undefined) return { other: wrong };
  const kinds = [...copy.checksums].filter(([kind]) => source.checksums.has(kind));
  const different = kinds.find(([kind, value]) => source.checksums.get(kind) !== value);
  if (different !== undefined) return { other: `The copy has another ${different[0]} than its source.` };
  const isMd5Known = copy.md5 !== undefined && source.md5 !== undefined;
  return kinds.length > 0 || isMd5Known || BigInt(copy.bytes) === 0n ? undefined : 'unknown';
}
