import { beforeAll, describe, expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
import { asRoot, expectCreated, expectEmpty, expectError, newAccount, newScope } from '../support/server.ts';

const root = asRoot();
let disk: string;
let tape: string;
let scope: string;

async function add(rse: string, scheme: string, body: object): Promise<void> {
  const defaults = { impl: 'rucio.rse.protocols.webdav.Default', hostname: 'h', port: 443, prefix: '/p' };
  expectCreated(await root.post(`/rses/${rse}/protocols/${scheme}`, { ...defaults, ...body }));
}

const ask = (rse: string, query: string) => root.get(`/rses/${rse}/lfns2pfns?${query}`);

beforeAll(async () => {
  [disk, tape, scope] = await Promise.all([addRse(), addRse({ deterministic: false }), newScope()]);
  await add(disk, 'root', {
    domains: { lan: { read: 2 }, wan: { read: 1, write: 3, delete: 0, third_party_copy_read: 2 } },
  });
  await add(disk, 'davs', {
    domains: { lan: { read: 1, write: 0 }, wan: { read: 2, write: 1, delete: 1, third_party_copy_read: 1 } },
  });
  await add(disk, 'https', { domains: { wan: { read: 2 } } });
  await add(tape, 'root', { domains: { wan: { read: 1, write: 1 } } });
});

describe('GET /rses/{rse}/lfns2pfns (rses 1.28, 6.3)', () => {
  it('answers the PFN of each LFN, whether the file exists or not', async () => {
    const answer = await ask(disk, 'lfn=data18.x:f.root&lfn=user.jdoe:f.root&lfn=data18.x:f.root&lfn=a:b:c');
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.json()).toEqual({
      'data18.x:f.root': 'davs://h:443/p/data18.x/8e/8f/f.root',
      'user.jdoe:f.root': 'davs://h:443/p/user/jdoe/30/79/f.root',
      'a:b:c': 'davs://h:443/p/a/02/cc/b:c',
    });
  });

  it('takes any name: with slashes, blanks and other letters; none that names no file', async () => {
    const names = [
      '',
      'a/',
      '../a',
      'a%2f..%2fb',
      'a\r\nb',
      '/belle/a/b.root',
      'name with space',
      '\u00e9.txt',
      'a+b%20c',
    ];
    const answer = await ask(disk, names.map((name) => `lfn=test:${encodeURIComponent(name)}`).join('&'));
    expect(answer.json()).toEqual({
      'test:/belle/a/b.root': 'davs://h:443/p/test/e1/54//belle/a/b.root',
      'test:name with space': 'davs://h:443/p/test/7b/c6/name with space',
      'test:\u00e9.txt': 'davs://h:443/p/test/94/6f/\u00e9.txt',
      'test:a+b%20c': 'davs://h:443/p/test/75/09/a+b%20c',
    });
  });

  it.each([
    ['', 'davs'],
    ['operation=read', 'root'],
    ['operation=Delete', 'root'],
    ['operation=third_party_copy_read', 'davs'],
    ['domain=lan', 'davs'],
    ['domain=ALL', 'davs'],
    ['scheme=root', 'root'],
    ['scheme=', 'davs'],
    ['scheme=root,https&operation=read', 'root'],
    ['scheme=https,davs&operation=read', 'davs'],
  ])('by %j chooses %s', async (query, scheme) => {
    expect((await ask(disk, `lfn=s:n&${query}`)).json()).toEqual({ 's:n': `${scheme}://h:443/p/s/83/01/n` });
  });

  it.each(['operation=third_party_copy_write', 'domain=lan&operation=delete', 'scheme=https', 'scheme=ROOT'])(
    'by %j finds no protocol',
    async (query) => {
      expectError(
        await ask(disk, `lfn=s:n&${query}`),
        404,
        'RSEProtocolNotSupported',
        new RegExp(`^No protocol for provided settings found : RSE ${disk}, `),
      );
    },
  );

  it('finds no protocol on an RSE without any', async () => {
    expectError(await ask(await addRse(), 'lfn=s:n'), 404, 'RSEProtocolNotSupported');
  });

  it.each(['LAN', '', 'all'])('the domain %j is unknown', async (domain) => {
    const message = `Domain ${domain} not supported`;
    expectError(await ask(disk, `lfn=s:n&domain=${domain}`), 404, 'RSEProtocolDomainNotSupported', message);
  });

  it.each(['list', '', 'constructor'])('the operation %j is unknown', async (operation) => {
    const message = `Operation ${operation} is not supported`;
    expectError(await ask(disk, `lfn=s:n&operation=${operation}`), 404, 'RSEOperationNotSupported', message);
  });

  it('needs a colon in each LFN', async () => {
    expectError(
      await ask(disk, 'lfn=s:n&lfn=plain&lfn=other'),
      400,
      'InvalidPath',
      'LFN(s) in invalid format: plain, other',
    );
    expectError(await ask('NONE', 'lfn=plain'), 400, 'InvalidPath');
  });

  it('without an LFN is 404', async () => {
    expectError(await ask(disk, ''), 404, 'ReplicaNotFound', 'No replicas found');
  });

  it('of an unknown or a disabled RSE is 404; other media types are 406', async () => {
    const gone = await addRse();
    const { id } = (await root.get(`/rses/${gone}`)).json() as { id: string };
    expectEmpty(await root.delete(`/rses/${gone}`));
    expectError(await ask('NONE', 'lfn=s:n'), 404, 'RSENotFound', `RSE 'NONE' cannot be found in vo 'def'`);
    expectError(await ask(gone, 'lfn=s:n'), 404, 'RSENotFound', `RSE with id '${id}' cannot be found`);
    const headers = { Accept: 'application/x-json-stream' };
    expectError(await root.get(`/rses/${disk}/lfns2pfns?lfn=s:n`, { headers }), 406, 'UnsupportedRequestedContentType');
  });

  it('goes by the algorithm that the RSE names, which must exist', async () => {
    const rse = await addRse();
    await add(rse, 'davs', { domains: { wan: { write: 1 } } });
    expectCreated(await root.post(`/rses/${rse}/attr/lfn2pfn_algorithm`, { value: 'identity' }));
    expect((await ask(rse, 'lfn=user.jdoe:f')).json()).toEqual({ 'user.jdoe:f': 'davs://h:443/p/user/jdoe/f' });
    for (const value of ['belleii', 'Hash', true, 7]) {
      const known = "known are 'default', 'hash', 'identity'";
      const message = `Problem validating rse_attribute: '${value}' is no lfn2pfn_algorithm; ${known}`;
      expectError(await root.post(`/rses/${rse}/attr/lfn2pfn_algorithm`, { value }), 400, 'InvalidObject', message);
      const imported = await root.post('/import', { rses: { [rse]: { lfn2pfn_algorithm: value } } });
      expectError(imported, 400, 'InvalidObject');
      const attributes = { lfn2pfn_algorithm: value };
      expectError(await root.post('/import', { rses: { [rse]: { attributes } } }), 400, 'InvalidObject');
    }
    expect((await ask(rse, 'lfn=user.jdoe:f')).json()).toEqual({ 'user.jdoe:f': 'davs://h:443/p/user/jdoe/f' });
    for (const value of ['default', '', null])
      expectCreated(await root.post(`/rses/${rse}/attr/lfn2pfn_algorithm`, { value }));
    expect((await ask(rse, 'lfn=user.jdoe:f')).text).toMatch(/\/p\/user\/jdoe\/..\/..\/f"/);
  });

  it('follows a change of the protocols at once', async () => {
    const rse = await addRse();
    await add(rse, 'davs', { domains: { wan: { write: 1 } } });
    const answers: unknown[] = [];
    for (const prefix of ['/a', '/b', '/c']) {
      expectEmpty(await root.put(`/rses/${rse}/protocols/davs/h/443`, { prefix }));
      answers.push((await ask(rse, 'lfn=s:n')).json());
    }
    expect(answers).toEqual(['a', 'b', 'c'].map((prefix) => ({ 's:n': `davs://h:443/${prefix}/s/83/01/n` })));
  });

  it('is allowed for every account, whatever the availability', async () => {
    const rse = await addRse({ availability: 0 });
    await add(rse, 'davs', { domains: { wan: { write: 1 } } });
    const alice = await newAccount();
    expect((await alice.get(`/rses/${rse}/lfns2pfns?lfn=s:n`)).status).toBe(200);
  });
});

describe('GET /rses/{rse}/lfns2pfns of a non-deterministic RSE (rses 6.3)', () => {
  it('answers the paths of replicas, and leaves out files without one', async () => {
    const pfn = 'root://h:443/p/dir1/dir2/f1.data';
    const file = { scope, name: 'f1', bytes: 1, pfn };
    expect((await root.post(`/dids/${scope}/set`, { type: 'DATASET', rse: tape, dids: [file] })).status).toBe(201);
    const elsewhere = { scope, name: 'f2', bytes: 1 };
    expect((await root.post(`/dids/${scope}/more`, { type: 'DATASET', rse: disk, dids: [elsewhere] })).status).toBe(
      201,
    );

    const others = ['f2', 'nothing', 'set', 'no%20name', ''].map((name) => `&lfn=${scope}:${name}`).join('');
    expect((await ask(tape, `lfn=${scope}:f1${others}`)).json()).toEqual({ [`${scope}:f1`]: pfn });
    expectError(await ask(tape, `lfn=${scope}:f2`), 404, 'ReplicaNotFound', 'No replicas found');
  });
});
