import { createHmac, createSign } from 'node:crypto';

import { clock } from '../../clock.ts';
import type { SignOperation, SignService } from '../../contract/schemas/credentials.ts';
import { fail } from '../../errors.ts';
import { type S3Keys, type SignableRequest, signS3 } from '../../movers/s3/sign-s3.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { findRseCredentials, type RseCredentials } from './rse-credentials.ts';

/** Purpose of a signed URL. */
export interface SigningWish {
  readonly service: SignService;
  readonly operation: SignOperation;
  readonly url: string;
  readonly lifetimeSeconds: number;
}

/** The longest lifetime: that of S3's signatures. */
const maxLifetimeSeconds = 7 * 86_400;

const methods = { read: 'GET', write: 'PUT', delete: 'DELETE' } as const;

/**
 * Signs a URL with the credentials of its RSE, so that anybody who has the URL may do one operation on one object
 * (spec/access.md 6.7).
 *
 * @throws UnsupportedOperation (400) for a URL that is not of the RSE, and a lifetime that is not allowed;
 *   ConfigurationError (400) if the RSE has no credentials of the service.
 */
export async function signUrl(rse: Rse, { service, operation, url: text, lifetimeSeconds }: SigningWish) {
  if (!(lifetimeSeconds >= 1 && lifetimeSeconds <= maxLifetimeSeconds)) {
    fail('UnsupportedOperation', `The lifetime of a signed URL is 1 to ${maxLifetimeSeconds} seconds`);
  }
  const request = { method: methods[operation], url: readUrl(rse, text), lifetimeSeconds, now: clock.wallTime() };
  const found = await findRseCredentials(rse);
  switch (service) {
    case 's3':
      requireObject(rse, request.url);
      return signS3(request, requireS3Keys(rse, found));
    case 'gcs':
      return signGcs(request, found?.gcs ?? failWithoutCredentials(rse, service));
    case 'swift':
      return signSwift(request, found?.tempurl_key ?? failWithoutCredentials(rse, service));
  }
}

/**
 * Reads a URL. It must be one of the RSE: below the prefix of one of its protocols. Otherwise a caller could use the
 * credentials for other objects.
 */
function readUrl(rse: Rse, text: string): URL {
  if (text === '') fail('UnsupportedOperation', 'URL must not be empty');
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    fail('UnsupportedOperation', `'${text}' is no URL that can be signed`);
  }
  const path = decodePath(url.pathname);
  if (path === undefined || path.split('/').some((part) => part === '.' || part === '..')) {
    fail('UnsupportedOperation', `'${text}' is no URL that can be signed`);
  }
  const isOfRse = rse.protocols.some(
    ({ scheme, hostname, port, prefix }) =>
      scheme === 'https' &&
      hostname.toLowerCase() === url.hostname &&
      Number(url.port || 443) === (port || 443) &&
      url.pathname.startsWith(folderOf(prefix)),
  );
  return isOfRse ? url : fail('UnsupportedOperation', `'${text}' is no URL of the RSE ${rse.rse}`);
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A prefix as a path that ends with a slash, so that no neighbour begins with it. */
function folderOf(prefix: string | null | undefined): string {
  const path = `/${prefix ?? ''}/`.replaceAll(/\/+/g, '/');
  return new URL(path, 'https://host').pathname;
}

/** @throws UnsupportedOperation (400) for a URL that names a bucket and no object. */
function requireObject(rse: Rse, { pathname }: URL): void {
  const style = rse.attributes['s3_url_style'] ?? 'path';
  if (style !== 'path' && style !== 'host') {
    fail('UnsupportedOperation', 'Not a valid RSE S3 URL style (allowed values: path|host)');
  }
  const parts = pathname.split('/').slice(style === 'path' ? 2 : 1);
  if (parts.join('') === '') {
    fail('UnsupportedOperation', `Not a valid ${style === 'path' ? 'Path' : 'Host'}-Style S3 URL`);
  }
}

/** The keys of an RSE for S3. @throws ConfigurationError (400) if it has none. */
export async function findS3Keys(rse: Pick<Rse, 'id' | 'rse'>): Promise<S3Keys> {
  return requireS3Keys(rse, await findRseCredentials(rse));
}

function requireS3Keys(rse: Pick<Rse, 'rse'>, found: RseCredentials | undefined): S3Keys {
  const { access_key: accessKey, secret_key: secretKey, region = 'us-east-1' } = found ?? {};
  if (accessKey === undefined || secretKey === undefined) failWithoutCredentials(rse, 's3');
  return { accessKey, secretKey, region };
}

function failWithoutCredentials({ rse }: Pick<Rse, 'rse'>, service: SignService): never {
  return fail('ConfigurationError', `There are no credentials of the RSE ${rse} for ${service}`);
}

type ServiceAccount = NonNullable<RseCredentials['gcs']>;

/** Google Cloud Storage: the older signature with the key of a service account, as Rucio makes it. */
function signGcs({ method, url, lifetimeSeconds, now }: SignableRequest, account: ServiceAccount): string {
  const expires = Math.floor(now / 1_000) + lifetimeSeconds;
  const text = `${method}\n\n\n${expires}\n${url.pathname}`;
  const signature = createSign('RSA-SHA256').update(text).sign(account.private_key, 'base64');
  const query = `GoogleAccessId=${account.client_email}&Expires=${expires}&Signature=${encodeURIComponent(signature)}`;
  return `https://${url.host}${url.pathname}?${query}`;
}

/** Swift's temporary URL. The signature covers the path as the service decodes it. */
function signSwift({ method, url, lifetimeSeconds, now }: SignableRequest, key: string): string {
  const expires = Math.floor(now / 1_000) + lifetimeSeconds;
  const text = `${method}\n${expires}\n${decodeURIComponent(url.pathname)}`;
  const signature = createHmac('sha1', key).update(text).digest('hex');
  return `https://${url.host}${url.pathname}?temp_url_sig=${signature}&temp_url_expires=${expires}`;
}
