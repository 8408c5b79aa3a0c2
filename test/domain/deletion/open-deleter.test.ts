import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { openReplicaDeleter } from '../../../lib/domain/deletion/open-deleter.ts';
import type { Protocol } from '../../../lib/store/entities/rse-protocol.ts';
import type { Rse } from '../../../lib/store/entities/rse.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-credentials-'));
  const file = join(folder, 'credentials.json');
  const keys = { access_key: 'AKID', secret_key: 'secret', region: 'eu-central-1' };
  writeFileSync(file, JSON.stringify({ S3: keys, DAV: { auth_token: 'token' } }));
  vi.stubEnv('RSE_CREDENTIALS_FILE', file);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The requests that were made, with the status that the next ones get. */
let requests: { readonly method: string; readonly url: URL; readonly headers: Headers }[];
let status: number;
beforeEach(() => {
  [requests, status] = [[], 204];
  vi.stubGlobal('fetch', async (url: string, { method = '', headers = {} }: RequestInit) => {
    requests.push({ method, url: new URL(url), headers: new Headers(headers) });
    return new Response(null, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

const protocol = (scheme: string, more: Partial<Protocol> = {}): Protocol => ({
  scheme,
  hostname: 'store.example.org',
  port: 0,
  impl: 'rucio.rse.protocols.gfal.Default',
  prefix: '/bucket/data',
  domains: { wan: { delete: 1 }, lan: {} },
  extendedAttributes: null,
  ...more,
});
const rse = (name: string, protocols: readonly Protocol[], attributes: Rse['attributes'] = {}): Rse => ({
  id: name,
  rse: name,
  rseType: 'DISK',
  deterministic: true,
  volatile: false,
  stagingArea: false,
  availabilityRead: true,
  availabilityWrite: true,
  availabilityDelete: true,
  location: {},
  attributes: { lfn2pfn_algorithm: 'identity', ...attributes },
  protocols,
  limits: {},
  qosPolicies: [],
  createdAt: 1,
  updatedAt: 1,
  unsettled: [],
});
const file = { scope: 'beam', name: 'raw data/100%?#ä.root' };
/** A name with the marks of a URL: cut off at one of them, it would be that of another file. */
const encoded = '/bucket/data/beam/raw%20data/100%25%3F%23%C3%A4.root';

describe('the storage of an RSE, for deletions', () => {
  it('of S3 is asked by a URL that is signed for the deletion of one object', async () => {
    const s3 = rse('S3', [protocol('https', { port: 443 })], { sign_url: 's3' });
    expect(await openReplicaDeleter(s3, [])?.delete(file, undefined)).toBe('deleted');
    expect(requests.map(({ method, url }) => [method, url.host, url.pathname])).toEqual([
      ['DELETE', 'store.example.org', encoded],
    ]);
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
      'X-Amz-Credential': expect.stringMatching(/^AKID\/\d{8}\/eu-central-1\/s3\/aws4_request$/),
      'X-Amz-Expires': '300',
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('of S3 refuses if the bucket is missing, since it does not say so of an object', async () => {
    status = 404;
    const s3 = rse('S3', [protocol('https', { port: 443 })], { sign_url: 's3' });
    await expect(openReplicaDeleter(s3, [])?.delete(file, undefined)).rejects.toMatchObject({ name: 'StorageRefusal' });
  });

  it.each([
    ['davs', 'https:'],
    ['https', 'https:'],
    ['dav', 'http:'],
    ['http', 'http:'],
  ])('of %s is asked by WebDAV, with the token of the RSE', async (scheme, wire) => {
    const dav = rse('DAV', [protocol(scheme, { port: 8443 })]);
    expect(await openReplicaDeleter(dav, [])?.delete(file, undefined)).toBe('deleted');
    const [{ method, url, headers } = { method: '', url: new URL('x:'), headers: new Headers() }] = requests;
    expect([method, url.protocol, url.host, url.pathname]).toEqual(['DELETE', wire, 'store.example.org:8443', encoded]);
    expect(headers.get('Authorization')).toBe('Bearer token');
    status = 404;
    await expect(openReplicaDeleter(dav, [])?.delete(file, undefined)).rejects.toMatchObject({
      name: 'StorageRefusal',
    });
    expect(requests.at(-1)).toMatchObject({ method: 'PROPFIND' });
    expect(requests.at(-1)?.url.pathname).toBe('/bucket/data/');
  });

  it('is that of the best protocol for deletions in the WAN, else in the LAN, of a scheme that Dapple speaks', async () => {
    const at = (hostname: string, scheme: string, wan: number | undefined, lan?: number) =>
      protocol(scheme, {
        hostname,
        domains: { wan: wan === undefined ? {} : { delete: wan }, lan: lan === undefined ? {} : { delete: lan } },
      });
    const askedOf = async (protocols: readonly Protocol[]) => {
      const found = await openReplicaDeleter(rse('NONE', protocols), [])?.delete(file, undefined);
      return found === undefined ? undefined : requests.at(-1)?.url.hostname;
    };
    expect(await askedOf([at('a', 'davs', 2), at('b', 'davs', 1), at('c', 'root', 1)])).toBe('b');
    expect(await askedOf([at('a', 'davs', undefined, 1)])).toBe('a');
    expect(await askedOf([at('a', 'root', 1), at('b', 'davs', undefined)])).toBeUndefined();
  });

  it('is not asked for a path that leads out of the prefix', async () => {
    for (const scheme of ['davs', 'https', 'file']) {
      for (const attributes of [{}, { sign_url: 's3' }]) {
        const opened = openReplicaDeleter(rse('S3', [protocol(scheme)], attributes), []);
        const deletion = opened?.delete({ scope: 'beam', name: 'a/../../../../x' }, undefined);
        await expect(deletion).rejects.toThrow('leaves its folder');
      }
    }
    expect(requests).toEqual([]);
  });

  it('is not asked for a replica whose place is unknown', async () => {
    const odd = { ...rse('DAV', [protocol('davs')]), deterministic: false };
    expect(await openReplicaDeleter(odd, [])?.delete(file, undefined)).toBe('absent');
    expect(requests).toEqual([]);
    expect(await openReplicaDeleter(odd, [])?.delete(file, '/a/b')).toBe('deleted');
    expect(requests[0]?.url.pathname).toBe('/bucket/data/a/b');
  });
});
