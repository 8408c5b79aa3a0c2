import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

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

/** Answer of a WebDAV server about a file. */
const fileEntry =
  '<D:multistatus xmlns:D="DAV:"><D:response><D:propstat><D:prop><D:resourcetype/></D:prop>' +
  '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>';

/** The requests that were made, with the status that the next ones get. */
let requests: { readonly method: string; readonly url: URL; readonly headers: Headers }[];
let status: number;
beforeEach(() => {
  [requests, status] = [[], 204];
});

/** Every server there is: connections to any address end here, without TLS. */
let wireScheme = '';
const server = http.createServer(({ method = '', url = '', headers }, response) => {
  requests.push({
    method,
    url: new URL(`${wireScheme}//${headers.host}${url}`),
    headers: new Headers(headers as Record<string, string>),
  });
  const isQuestion = method === 'PROPFIND' && status === 204;
  response.writeHead(isQuestion ? 207 : status).end(isQuestion ? fileEntry : undefined);
});
const agents = [http.globalAgent, https.globalAgent] as const;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const connectTo = (given: string) => () => {
    wireScheme = given;
    return connect(port, '127.0.0.1');
  };
  http.globalAgent = Object.assign(new http.Agent(), { createConnection: connectTo('http:') });
  https.globalAgent = Object.assign(new https.Agent(), { createConnection: connectTo('https:') });
});
afterAll(() => {
  [http.globalAgent, https.globalAgent] = agents;
  server.close();
});

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
const yes = async () => true;
/** Deletes a file; tells what became of it. */
const remove = async (at: Rse, did = file, path?: string) =>
  (await openReplicaDeleter(at, [])?.delete(did, path, yes))?.outcome;
/** A name with the marks of a URL: cut off at one of them, it would be that of another file. */
const encoded = '/bucket/data/beam/raw%20data/100%25%3F%23%C3%A4.root';

describe('the storage of an RSE, for deletions', () => {
  it('of S3 is asked by a URL that is signed for the deletion of one object', async () => {
    const s3 = rse('S3', [protocol('https', { port: 443 })], { sign_url: 's3' });
    expect(await remove(s3)).toBe('deleted');
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
    await expect(remove(s3)).rejects.toMatchObject({ name: 'StorageRefusal' });
  });

  it.each([
    ['davs', 'https:'],
    ['https', 'https:'],
    ['dav', 'http:'],
    ['http', 'http:'],
  ])('of %s is asked by WebDAV, with the token of the RSE', async (scheme, wire) => {
    const dav = rse('DAV', [protocol(scheme, { port: 8443 })]);
    expect(await remove(dav)).toBe('deleted');
    expect(requests.map(({ method }) => method)).toEqual(['PROPFIND', 'DELETE']);
    for (const { url, headers } of requests) {
      expect([url.protocol, url.host, url.pathname]).toEqual([wire, 'store.example.org:8443', encoded]);
      expect(headers.get('Authorization')).toBe('Bearer token');
    }
    status = 404;
    await expect(remove(dav)).rejects.toMatchObject({ name: 'StorageRefusal' });
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
      const found = await remove(rse('NONE', protocols));
      return found === undefined ? undefined : requests.at(-1)?.url.hostname;
    };
    expect(await askedOf([at('a', 'davs', 2), at('b', 'davs', 1), at('c', 'root', 1)])).toBe('b');
    expect(await askedOf([at('a', 'davs', undefined, 1)])).toBe('a');
    expect(await askedOf([at('a', 'root', 1), at('b', 'davs', undefined)])).toBeUndefined();
  });

  it('is not asked about a path that may be a folder or lead out of the prefix, however it came into the catalogue', async () => {
    const names = [
      'a/../../../../x',
      'folder/',
      './f',
      'a/./f',
      '%2e%2e/x',
      'a%2F..%2Fx',
      '%252e%252e/f',
      'f\n',
      'f\0',
      'a\\..\\x',
    ];
    const paths = ['', '/', '//', '/folder/', '/..', '/./f'];
    for (const scheme of ['davs', 'https', 'file']) {
      for (const attributes of [{}, { sign_url: 's3' }]) {
        const at = rse('S3', [protocol(scheme)], attributes);
        for (const name of names)
          await expect(remove(at, { scope: 'beam', name }), name).rejects.toThrow('nothing is deleted');
        const odd = { ...at, deterministic: false };
        for (const path of [...paths, ...names])
          await expect(remove(odd, file, path), path).rejects.toThrow('nothing is deleted');
      }
    }
    expect(requests).toEqual([]);
  });

  it('is not asked for a replica whose place is unknown', async () => {
    const odd = { ...rse('DAV', [protocol('davs')]), deterministic: false };
    expect(await remove(odd)).toBe('absent');
    expect(requests).toEqual([]);
    expect(await remove(odd, file, '/a/b')).toBe('deleted');
    expect(requests[0]?.url.pathname).toBe('/bucket/data/a/b');
  });
});
