import { createHash, createHmac } from 'node:crypto';

import { SignatureV4 } from '@smithy/signature-v4';

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

/** Signs a request to an S3 service by the query of its URL (Signature Version 4). */
export async function signS3({ method, url, lifetimeSeconds, now }: SignableRequest, keys: S3Keys): Promise<string> {
  const signer = new SignatureV4({
    service: 's3',
    region: keys.region,
    credentials: { accessKeyId: keys.accessKey, secretAccessKey: keys.secretKey },
    sha256: Sha256,
    // S3 signs the path as it is sent.
    uriEscapePath: false,
    applyChecksum: false,
  });
  const path = toCanonicalPath(url.pathname);
  const { query = {} } = await signer.presign(
    {
      method,
      protocol: 'https:',
      hostname: url.hostname,
      path,
      query: {},
      // The service gets the content of the request from whoever has the URL.
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
function toCanonicalPath(path: string): string {
  const escapeRest = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return path
    .split('/')
    .map((part) => escapeRest(decodeURIComponent(part)))
    .join('/');
}
