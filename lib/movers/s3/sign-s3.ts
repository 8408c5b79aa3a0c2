import { createHash, createHmac, hash } from 'node:crypto';

import { SignatureV4 } from '@smithy/signature-v4';

import type { StorageRse } from '../mover.ts';

/** A request to sign. */
export interface SignableRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly lifetimeSeconds: number;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** The keys of an S3 service. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

/** Finds the keys of an RSE. @throws Error with the name `ConfigurationError` if it has none. */
export type FindS3Keys = (rse: StorageRse) => Promise<S3Keys>;

/** Why there are no keys of an RSE; undefined: there are. */
export async function findKeyObstacle(findKeys: FindS3Keys, rse: StorageRse): Promise<string | undefined> {
  try {
    await findKeys(rse);
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConfigurationError') return error.message;
    throw error;
  }
}

/** SHA-256 for the library, plain or with a key. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): never {
    throw new Error('a signature hashes each text once');
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Tells the library that the content is not signed. Services assume so; the header is not sent. */
const payloadHeader = 'x-amz-content-sha256';
const payloadHeaders: Set<string> = new Set([payloadHeader]);

function makeSigner({ region, accessKey, secretKey }: S3Keys, applyChecksum: boolean): SignatureV4 {
  return new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    sha256: Sha256,
    // S3 signs the path as it is sent.
    uriEscapePath: false,
    applyChecksum,
  });
}

/** Signs a request to an S3 service by the query of its URL (Signature Version 4). */
export async function signS3({ method, url, lifetimeSeconds, now }: SignableRequest, keys: S3Keys): Promise<string> {
  const signer = makeSigner(keys, false);
  const path = toCanonicalPath(url.pathname);
  const { query = {} } = await signer.presign(
    {
      method,
      protocol: 'https:',
      hostname: url.hostname,
      path,
      query: {},
      // The holder of the URL sends the content of the request, which is not known here.
      headers: { host: url.host, [payloadHeader]: 'UNSIGNED-PAYLOAD' },
    },
    {
      expiresIn: lifetimeSeconds,
      signingDate: new Date(now),
      unhoistableHeaders: payloadHeaders,
      unsignableHeaders: payloadHeaders,
    },
  );
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return `https://${url.host}${path}?${pairs.join('&')}`;
}

/** The path as the service writes it before it checks the signature: all but letters, digits and `-._~/` escaped. */
export function toCanonicalPath(path: string): string {
  return path
    .split('/')
    .map((part) => escapeRest(decodeURIComponent(part)))
    .join('/');
}

function escapeRest(text: string): string {
  const escapeMark = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, escapeMark);
}

/** A request of Dapple itself to an S3 service, whose headers and content are signed. */
export interface S3Request {
  readonly method: string;
  /** The address of the service: scheme, host and port. */
  readonly origin: string;
  /** As {@link toCanonicalPath} makes it. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Signs a request by its headers; they are valid for a quarter of an hour. @returns Its URL and all its headers. */
export async function signS3Headers({ method, origin, path, query, headers, body }: S3Request, keys: S3Keys) {
  const { host, hostname, protocol } = new URL(origin);
  // The library takes bytes of this kind for content that is not signed.
  const hashed = body instanceof Uint8Array ? { [payloadHeader]: hash('sha256', body) } : {};
  const all = { ...headers, ...hashed, host };
  const request = { method, protocol, hostname, path, query: { ...query }, headers: all, body };
  const signed = await makeSigner(keys, true).sign(request);
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${escapeRest(value)}`);
  const { host: _host, ...sent } = signed.headers;
  return { url: `${origin}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`, headers: sent };
}
