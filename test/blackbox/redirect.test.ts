import { beforeAll, describe, expect, it } from 'vitest';

import { addProtocol, collect, expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { asRoot, call, expectError, newScope, nobody } from '../support/server.ts';

const root = asRoot();
const impl = 'rucio.rse.protocols.gfal.Default';
const metalink = 'application/metalink4+xml';
let scope: string;
let near: string;
let far: string;

beforeAll(async () => {
  [scope, near, far] = await Promise.all([newScope(), newStorageRse(), newStorageRse()]);
  const domains = { lan: { read: 1 }, wan: { read: 1 } };
  await addProtocol(near, 'davs', { hostname: 'near', impl, prefix: '/d', domains, port: 443 });
  await addProtocol(far, 's3', { hostname: 'far', impl, prefix: '/d', domains, port: 443 });
  await addProtocol(far, 'root', { hostname: 'far', impl, prefix: '/d', domains, port: 1094 });
  expectStatus(await root.post(`/rses/${far}/attr/site`, { value: `FAR-${scope}` }), 201);
  await register(near, scope, ['f', 'dir/only']);
  await register(far, scope, ['f']);
  await register(far, scope, ['lost'], { state: 'D' });
  await collect('DATASET', scope, 'ds', ['f', 'dir/only']);
});

const target = async (path: string) => {
  const answer = await nobody.get(`/redirect/${scope}/${path}`);
  expect(`${answer.status} ${answer.text}`).toBe('303 ');
  return new URL(answer.headers.get('Location') ?? '').origin;
};

describe('GET /redirect/{scope}/{name} (replication 1.11)', () => {
  it('redirects any caller to a PFN, with https in place of davs and s3', async () => {
    const seen = new Set<string>();
    for (let run = 0; run < 60 && seen.size < 2; run += 1) seen.add(await target('f'));
    expect([...seen].toSorted()).toEqual(['https://far', 'https://near']);
    expect(await target('dir/only')).toBe('https://near');
    expect(await target('dir%2Fonly')).toBe('https://near');
    expect(await target('ds?sort=geoip')).toMatch(/^https:/);
  });

  it('links to the metalink of the same file', async () => {
    const answer = await nobody.get(`/redirect/${scope}/f?schemes=https&schemes=s3&select=geoip`);
    const link = `</redirect/${scope}/f/metalink?schemes=https,s3&select=geoip>; rel=describedby; type="application/metalink+xml"`;
    expect(answer.headers.get('Link')).toBe(link);
    const [, path = ''] = /^<([^>]*)>/.exec(link) ?? [];
    expect((await nobody.get(path, { headers: { Accept: metalink } })).status).toBe(200);
  });

  it('filters by RSE, site or schemes', async () => {
    for (let run = 0; run < 4; run += 1) {
      expect(await target(`f?rse=${far}`)).toBe('https://far');
      expect(await target(`f?site=FAR-${scope}`)).toBe('https://far');
      expect(await target(`f?site=NONE%7Csite%3DFAR-${scope}`)).toBe('https://far');
      expect(await target('f?schemes=davs')).toBe('https://near');
    }
    const answer = await nobody.get(`/redirect/${scope}/f?schemes=root`);
    expect(answer.headers.get('Location')).toMatch(/^root:\/\/far:1094\//);
  });

  it('goes to no RSE that is closed for reading', async () => {
    const closed = await newStorageRse();
    await addProtocol(closed, 'davs', {
      hostname: 'closed',
      impl,
      prefix: '/d',
      domains: { wan: { read: 1 } },
      port: 443,
    });
    await register(closed, scope, ['two', 'shut']);
    await register(near, scope, ['two']);
    expectStatus(await root.put(`/rses/${closed}`, { availability_read: false }), 201);
    for (let run = 0; run < 8; run += 1) expect(await target('two')).toBe('https://near');
    const unfit = 'no redirection possible - no valid RSE for HTTP redirection found';
    for (const path of ['shut', `two?rse=${closed}`]) {
      expectError(await nobody.get(`/redirect/${scope}/${path}`), 404, 'ReplicaNotFound', unfit);
    }
    const list = await nobody.get(`/redirect/${scope}/two/metalink`, { headers: { Accept: metalink } });
    expect(list.text).toContain('davs://near');
    expect(list.text).not.toContain('davs://closed');
  });

  it('fails without a file, a replica or a protocol', async () => {
    const none = 'no redirection possible - file does not exist';
    expectError(await nobody.get(`/redirect/${scope}/none`), 404, 'ReplicaNotFound', none);
    const unfit = 'no redirection possible - no valid RSE for HTTP redirection found';
    for (const path of ['lost', 'f?rse=NONE', 'f?site=NONE', 'f?schemes=srm']) {
      const answer = await nobody.get(`/redirect/${scope}/${path}`);
      expectError(answer, 404, 'ReplicaNotFound', unfit);
      expect(answer.headers.get('Link')).toMatch(/^<\/redirect\//);
    }
    expectError(await nobody.get(`/redirect/${scope}/f?sort=x`), 404, 'SortingAlgorithmNotSupported');
    expectError(await nobody.get('/redirect/x'), 400, 'ValueError');
  });
});

describe('GET /redirect/{scope}/{name}/metalink (replication 1.11)', () => {
  it('answers anybody a metalink with the PFNs by RSE', async () => {
    const answer = await nobody.get(`/redirect/${scope}/f/metalink`, { headers: { Accept: metalink } });
    expect(answer.headers.get('Content-Type')).toBe(metalink);
    expect(answer.text).toContain(`  <glfn name="/atlas/rucio/${scope}:f"></glfn>\n`);
    const urls = [...answer.text.matchAll(/<url location="([^"]+)" priority="(\d)">(\w+):/g)];
    expect(urls.map(([, at, , scheme]) => `${at} ${scheme}`).toSorted()).toEqual(
      [`${near} davs`, `${far} root`].toSorted(),
    );
    expect(urls.map(([, , priority]) => priority)).toEqual(['1', '2']);
    expect((await nobody.get(`/redirect/${scope}/ds/metalink`)).text.match(/<file /g)).toHaveLength(2);
  });

  it('needs a valid token for more than a hundred attachments', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `many/${index}`);
    await register(near, scope, names);
    await collect('DATASET', scope, 'many', names);
    await collect('DATASET', scope, 'few', names.slice(1));
    const list = (name: string, token?: string) =>
      call('GET', `/redirect/${scope}/${name}/metalink`, token === undefined ? {} : { token });
    const refusal = 'The DID holds more than 100 attachments: show a token to list them';
    for (const token of [undefined, 'none']) expectError(await list('many', token), 401, 'AccessDenied', refusal);
    expect((await list('many', await root.token())).text.match(/<file /g)).toHaveLength(101);
    expect((await list('few')).text.match(/<file /g)).toHaveLength(100);
    expect(await target('many')).toBe('https://near');
  });

  it('fails for an unknown DID and for other media types', async () => {
    const none = 'no redirection possible - cannot find the DID';
    expectError(await nobody.get(`/redirect/${scope}/none/metalink`), 404, 'ReplicaNotFound', none);
    const json = { headers: { Accept: 'application/json' } };
    expectError(await nobody.get(`/redirect/${scope}/f/metalink`, json), 406, 'UnsupportedRequestedContentType');
  });
});

describe('POST /traces/ (access 6.3)', () => {
  it('accepts JSON from any caller', async () => {
    for (const body of [{ eventType: 'touch' }, [{ eventType: 'no such type' }, {}], 5]) {
      const answer = await nobody.post('/traces/', body);
      expect(`${answer.status} ${answer.text}`).toBe('201 Created');
      expect(answer.headers.get('Content-Type')).toBe('application/octet-stream');
    }
  });

  it('refuses what is no JSON', async () => {
    const message = 'Expecting value: line 1 column 1 (char 0)';
    expectError(await nobody.post('/traces/'), 400, 'JSONDecodeError', message);
    expectError(await nobody.post('/traces', undefined, { rawBody: 'no JSON' }), 400, 'JSONDecodeError', message);
  });
});
