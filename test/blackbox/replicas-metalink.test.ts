import { beforeAll, describe, expect, it } from 'vitest';

import { addProtocol, collect, expectStatus, files, newStorageRse, register } from '../support/replicas.ts';
import { asRoot, expectError, newScope } from '../support/server.ts';

const root = asRoot();
const metalink = 'application/metalink4+xml';
const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n<metalink xmlns="urn:ietf:params:xml:ns:metalink">\n';
let scope: string;
let disk: string;

beforeAll(async () => {
  [scope, disk] = await Promise.all([newScope(), newStorageRse({ prefix: '/data' })]);
  const posix = { hostname: 'web', impl: 'rucio.rse.protocols.webdav.Default', prefix: '/a&b' };
  await addProtocol(disk, 'https', { ...posix, domains: { wan: { read: 2 } } });
  await addProtocol(disk, 's3', { ...posix, domains: { wan: { read: 0 } } });
  await register(disk, scope, ['f.1'], { md5: '61e7d212cfe1776e49be2f97b69b7f4d' });
  expectStatus(await root.post('/replicas', { rse: disk, files: [{ scope, name: 'f.2', bytes: 7 }] }), 201);
  await collect('DATASET', scope, 'ds', ['f.1', 'f.2']);
  await collect('CONTAINER', scope, 'cnt', ['ds']);
});

const list = (names: readonly string[], more: object = {}, accept = metalink) =>
  root.post(
    '/replicas/list',
    { dids: names.map((name) => ({ scope, name })), ...more },
    { headers: { Accept: accept } },
  );
const path = async (name: string) => {
  const answer = await root.get(`/rses/${disk}/lfns2pfns?lfn=${scope}:${name}&operation=read&scheme=file`);
  const pfns = answer.json() as Record<string, string>;
  return pfns[`${scope}:${name}`]?.replace('file://localhost/data/', '') ?? '';
};

describe('POST /replicas/list as a metalink (replication 1.4)', () => {
  it('is Rucio’s text, with all schemes that clients know', async () => {
    const answer = await list(['f.1'], { resolve_parents: true });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe(metalink);
    expect(answer.text).toBe(
      `${prolog} <file name="f.1">
  <parents>
   <did>${scope}:ds</did>
   <did>${scope}:cnt</did>
  </parents>
  <identity>${scope}:f.1</identity>
  <hash type="adler32">0cc737eb</hash>
  <hash type="md5">61e7d212cfe1776e49be2f97b69b7f4d</hash>
  <size>10</size>
  <glfn name="/generic/rucio/${scope}:f.1"></glfn>
  <url location="${disk}" domain="wan" priority="1" client_extract="false">file://localhost/data/${await path('f.1')}</url>
  <url location="${disk}" domain="wan" priority="2" client_extract="false">https://web:0/a&amp;b/${await path('f.1')}</url>
 </file>
</metalink>
`,
    );
  });

  it('omits missing checksums, parents and PFNs', async () => {
    const { text } = await list(['f.2'], { schemes: ['srm'] });
    expect(text).toBe(
      `${prolog} <file name="f.2">
  <identity>${scope}:f.2</identity>
  <size>7</size>
  <glfn name="/generic/rucio/${scope}:f.2"></glfn>
 </file>
</metalink>
`,
    );
  });

  it('has only its root element when nothing was found', async () => {
    for (const names of [[], ['none']]) expect((await list(names)).text).toBe(`${prolog}</metalink>\n`);
  });

  it('has the files of collections, and marks files in archives', async () => {
    const { text } = await list(['cnt'], { schemes: ['https'] });
    expect([...text.matchAll(/<identity>(.*)<\/identity>/g)].map(([, did]) => did)).toEqual([
      `${scope}:f.1`,
      `${scope}:f.2`,
    ]);
    await register(disk, scope, ['z.zip']);
    expectStatus(await root.post(`/dids/${scope}/z.zip/dids`, { dids: files(scope, ['in/side']) }), 201);
    const url = `<url location="${disk}" domain="zip" priority="1" client_extract="true">https://web:0/a&amp;b/`;
    expect((await list(['in/side'], { schemes: ['https'] })).text).toContain(
      `  ${url}${await path('z.zip')}?xrdcl.unzip=in%2Fside</url>\n`,
    );
  });

  it('is chosen by Accept as in Rucio, also when the request fails', async () => {
    const lines = 'application/x-json-stream';
    for (const accept of [
      metalink,
      `${metalink}, */*`,
      `*/*;q=0.5, ${metalink}`,
      `text/html, ${metalink}`,
      `application/*, ${metalink}`,
      `${lines};q=0.2, ${metalink};q=0.25`,
      `${lines};q=0, ${metalink};q=0.001`,
    ]) {
      expect((await list([], {}, accept)).headers.get('Content-Type')).toBe(metalink);
    }
    for (const accept of ['*/*', 'application/*', `${metalink}, ${lines}`, `${metalink};q=0.1, */*`]) {
      expect((await list([], {}, accept)).headers.get('Content-Type')).toBe(lines);
    }
    expectError(
      await list([], {}, 'application/json'),
      406,
      'UnsupportedRequestedContentType',
      `The requested content type application/json is not supported. Use ['application/x-json-stream', '${metalink}'].`,
    );
    expectError(await list(['f.1'], { rse_expression: '((' }), 400, 'InvalidRSEExpression');
  });
});

describe('GET /replicas/{scope}/{name} (replication 1.5)', () => {
  it('answers the line of a file, or lines of the files of a collection', async () => {
    const answer = await root.get(`/replicas/${scope}/f.1`);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    const [line] = answer.lines() as { pfns: object; rses: object }[];
    expect(line).toMatchObject({ scope, name: 'f.1', bytes: 10, states: { [disk]: 'AVAILABLE' } });
    expect(Object.keys(line?.pfns ?? {})).toEqual([`s3://web:0/a&b/${await path('f.1')}`]);
    expect((await root.get(`/replicas/${scope}/cnt`)).lines()).toHaveLength(2);
    expect((await root.get(`/replicas/${scope}/in%2Fside`)).lines()).toHaveLength(1);
    expect((await root.get(`/replicas/${scope}/in/side`)).lines()).toHaveLength(1);
  });

  it('shows replicas on RSEs that are not readable, and only available ones', async () => {
    const rse = await newStorageRse({ prefix: '/', availability_read: false });
    await register(rse, scope, ['shut']);
    await register(disk, scope, ['shut'], { state: 'C' });
    expect((await root.get(`/replicas/${scope}/shut`)).lines()).toMatchObject([{ states: { [rse]: 'AVAILABLE' } }]);
  });

  it('limits PFNs, but not RSEs, and takes schemes separated by commas', async () => {
    const [line] = (await root.get(`/replicas/${scope}/f.1?schemes=https,file&limit=1`)).lines() as {
      pfns: object;
      rses: Record<string, string[]>;
    }[];
    expect(Object.keys(line?.pfns ?? {})).toEqual([`file://localhost/data/${await path('f.1')}`]);
    expect(line?.rses[disk]).toHaveLength(2);
  });

  it('has its own form of metalink', async () => {
    const { text } = await root.get(`/replicas/${scope}/f.2`, { headers: { Accept: metalink } });
    expect(text).toBe(
      `${prolog} <file name="f.2">
  <identity>${scope}:f.2</identity>
  <size>7</size>
  <glfn name="/atlas/rucio/${scope}:f.2"></glfn>
  <url location="${disk}" priority="1">file://localhost/data/${await path('f.2')}</url>
  <url location="${disk}" priority="2">https://web:0/a&amp;b/${await path('f.2')}</url>
 </file>
</metalink>
`,
    );
  });

  it('answers nothing for an unknown DID, and an error for an invalid one', async () => {
    const none = await root.get(`/replicas/${scope}/none`);
    expect(`${none.status} ${none.text}`).toBe('200 ');
    expectError(await root.get('/replicas/x'), 400, 'ValueError', /^Could not parse '\/x' \(scope_name='x'\)/);
    expectError(await root.get(`/replicas/${scope}/f.1?select=x`), 404, 'SortingAlgorithmNotSupported');
    expectError(await root.get(`/replicas/${scope}/f.1?limit=x`), 400, 'InvalidObject');
  });
});
