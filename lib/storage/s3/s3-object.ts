import { type Integer, parseInteger } from '../../integer.ts';
import type { CopiedContent } from '../mismatch.ts';
import type { CopyPlace } from '../mover.ts';
import { toCanonicalPath } from './sign-s3.ts';

/** An object of an S3 service, by its address. */
export interface S3Place {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  /** Its value in `x-amz-copy-source`: bucket and key. */
  readonly copySource: string;
  /** What two objects share that one request can copy: the endpoint, or AWS as a whole. */
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

/** The bucket and the endpoint of a host. The name of a bucket on AWS may hold dots. */
function splitHost(host: string): readonly [bucket: string, endpoint: string] {
  const [, bucket = '', endpoint = ''] = /^(.+?)\.(s3[.-].+)$/.exec(host) ?? /^([^.]+)\.(.+)$/.exec(host) ?? [];
  return [bucket, endpoint];
}

/** What a service tells about an object. */
export interface S3Facts extends CopiedContent {
  readonly bytes: Integer;
  readonly etag: string;
  /** Checksums of the whole object by their kind, such as `crc64nvme`. */
  readonly checksums: ReadonlyMap<string, string>;
  /** The ETag of the object of which Dapple made this one. */
  readonly copiedFrom?: string | undefined;
  /** Headers that describe it, for its copy. */
  readonly description: Readonly<Record<string, string>>;
}

/** Metadata of a copy that names the ETag of its source. */
const copiedFromHeader = 'x-amz-meta-dapple-copied-from';

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
    bytes: parseInteger(headers.get('content-length') ?? '0'),
    etag,
    md5: isMd5(etag, headers) ? etag.replaceAll('"', '').toLowerCase() : undefined,
    // A checksum of checksums, `...-3`, depends on how the parts were cut.
    checksums: new Map(
      pairs.flatMap(([name, value]) => {
        const kind = checksumHeader.exec(name)?.[1];
        return kind === undefined || /-\d+$/.test(value) ? [] : [[kind, value] as const];
      }),
    ),
    copiedFrom: headers.get(copiedFromHeader) ?? undefined,
    description: Object.fromEntries(
      pairs.filter(
        ([name, value]) =>
          (described.has(name) || (name.startsWith('x-amz-meta-') && name !== copiedFromHeader)) &&
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

/** The headers that give a copy the description of its source, and name that. */
export function describeCopy({ description, etag }: S3Facts): Record<string, string> {
  return { ...description, [copiedFromHeader]: etag };
}

/**
 * Whether an object is a copy of another: what both tell about themselves is the same, and that is enough to say so.
 * Undefined: nothing says whether it is one.
 */
export function isCopyOf(copy: S3Facts, source: S3Facts): boolean | undefined {
  if (BigInt(copy.bytes) !== BigInt(source.bytes)) return false;
  const pairs = [...copy.checksums].map(([kind, value]) => [value, source.checksums.get(kind)] as const);
  const known = [...pairs, [copy.md5, source.md5] as const].filter(
    ([one, other]) => one !== undefined && other !== undefined,
  );
  if (known.length > 0) return known.every(([one, other]) => one === other);
  return copy.copiedFrom === source.etag || (copy.etag === source.etag && copy.etag !== '') ? true : undefined;
}
