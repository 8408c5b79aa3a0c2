import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { hostilePath } from '../support/hostile-paths.ts';
import { addProtocol, everywhere, files, list, newStorageRse, register, states } from '../support/replicas.ts';
import { asRoot, expectCreated, expectError, newScope, uniqueName } from '../support/server.ts';
import { volumeOf } from '../support/volume.ts';

const root = asRoot();
let scope: string;
/** Deterministic, and not; below `davs://h:443/p/`. */
let [disk, tape]: string[] = [];

beforeAll(async () => {
  [scope, disk, tape] = await Promise.all([newScope(), newStorageRse(), newStorageRse({ deterministic: false })]);
  for (const rse of [disk, tape])
    await addProtocol(rse, 'davs', davs({ hostname: `${rse}.example.org`.toLowerCase() }));
  // The rules of datasets of DIRAC may use any such RSE.
  await root.post(`/rses/${tape}/attr/ANY`, { value: true });
  await root.post(`/accounts/root/limits/local/${tape}`, { bytes: -1 });
});

const davs = (more: object = {}) => ({
  hostname: 'h',
  port: 443,
  prefix: '/p',
  impl: 'rucio.rse.protocols.gfal.Default',
  domains: everywhere,
  ...more,
});
const pfnOf = (path: string) => `davs://${tape?.toLowerCase()}.example.org:443/p/${path}`;
const one = (name: string, more: object = {}) => files(scope, [name], more);

/** Each kind of hostile spelling, and some more by chance. */
const spellings = () => [
  '../a',
  'a/../../b',
  'a/.',
  './a',
  'a//b',
  'a/',
  '/',
  '',
  '..',
  ...fc.sample(hostilePath, volumeOf('hostileNames')),
];

describe('a name that could leave the prefix of a storage, or name a folder', () => {
  it('becomes no DID, by no route, and the error names it', async () => {
    for (const name of spellings()) {
      const dataset = uniqueName();
      const bulk = await root.post('/dids', [
        { scope, name: dataset, type: 'DATASET' },
        { scope, name, type: 'DATASET' },
      ]);
      expectError(bulk, 400, 'InvalidObject', /^Problem validating dids: '/);
      expectError(await root.get(`/dids/${scope}/${dataset}`), 404, 'DataIdentifierNotFound');
      const single = await root.post(`/dids/${scope}/${encodeURIComponent(name)}`, { type: 'CONTAINER' });
      // Of a path of dots alone an HTTP client makes another path.
      if (/\w/.test(name)) expectError(single, 400, 'InvalidObject', /^Problem validating did: '/);
      const replicas = await root.post('/replicas', { rse: disk, files: one(name) });
      expectError(replicas, 400, 'InvalidObject', /^Problem validating dids: '/);
      const attached = { scope, name: dataset, type: 'DATASET', rse: disk, dids: one(name) };
      expectError(await root.post('/dids', [attached]), 400, 'InvalidObject');
      expectError(await root.post('/dids/attachments', [attached]), 400, 'InvalidObject');
      const dirac = { lfn: name, rse: disk, bytes: 1, adler32: '0cc737eb' };
      expectError(await root.post('/dirac/addfiles', { lfns: [dirac] }), 400, 'InvalidObject');
      const sample = { input_scope: scope, input_name: 'x', output_scope: scope, output_name: name, nbfiles: 1 };
      expectError(await root.post('/dids/sample', sample), 400, 'InvalidObject');
    }
  });

  it('is no constituent of an archive', async () => {
    const archive = `${uniqueName()}.zip`;
    await register(disk as string, scope, [archive]);
    const answer = await root.post(`/dids/${scope}/${archive}/dids`, { dids: one('a/../b') });
    expectError(
      answer,
      400,
      'InvalidObject',
      "Problem validating dids: 'a/../b' is no name of a DID: a segment is '..' at dids.0.name",
    );
  });

  it.each(['user..bob', 'user.', 'group.a..b'])('is not in the scope %s, which is refused', async (name) => {
    const answer = await root.post(`/scopes/root/${encodeURIComponent(name)}`);
    expectError(
      answer,
      400,
      'InvalidObject',
      new RegExp(`^Problem validating scope: '${name}' is no name of a scope: `),
    );
  });
});

describe('a PFN that leaves the prefix, names a folder, or has another meaning elsewhere', () => {
  it('is registered with no file, and the error names the file', async () => {
    for (const path of spellings()) {
      const name = uniqueName('f');
      const answer = await root.post('/replicas', { rse: tape, files: one(name, { pfn: pfnOf(path) }) });
      expectError(answer, 400, 'InvalidPath', / names no file: /);
      expect(answer.text, path).toContain(`${scope}:${name}`);
      expectError(await root.get(`/dids/${scope}/${name}`), 404, 'DataIdentifierNotFound');
      const dataset = { scope, name: uniqueName(), type: 'DATASET', rse: tape, dids: one(name, { pfn: pfnOf(path) }) };
      expectError(await root.post('/dids', [dataset]), 400, 'InvalidPath');
      const dirac = { lfn: `/${scope}/${scope}/d/${name}`, rse: tape, bytes: 1, adler32: '0cc737eb', pfn: pfnOf(path) };
      expectError(await root.post('/dirac/addfiles', { lfns: [dirac] }), 400, 'InvalidPath');
    }
  });

  it('is that of no replica, whoever asks', async () => {
    const name = uniqueName('f');
    await register(tape as string, scope, [name], { pfn: pfnOf(name) });
    for (const path of spellings()) {
      const pfns = [pfnOf(path)];
      const found = await root.post('/replicas/dids', { rse: tape, pfns });
      if (!path.includes('//')) expectError(found, 400, 'InvalidPath', / names no file: /);
      expect((await root.post('/replicas/bad', { pfns, reason: 'test' })).status).toBeLessThan(500);
      const dark = await root.post('/replicas/quarantine', { rse: tape, replicas: [{ path }] });
      if (path !== '' && !path.includes('//'))
        expectError(dark, 400, 'InvalidPath', new RegExp(`on ${tape} names no file: `));
    }
    expect(await states(scope, name)).toEqual({ [tape as string]: 'AVAILABLE' });
  });

  it('is not reported by a mover', async () => {
    const name = uniqueName('f');
    await register(tape as string, scope, [name], { pfn: pfnOf(name) });
    for (const path of spellings().filter(Boolean)) {
      const answer = await root.put('/replicas', { rse: tape, files: [{ scope, name, state: 'A', path }] });
      expectError(answer, 400, 'InvalidPath', new RegExp(`of ${scope}:${name} on ${tape} names no file: `));
    }
    expect(Object.keys((await list(scope, [name]))[0]?.pfns ?? {})).toEqual([pfnOf(name)]);
  });

  it('in an object store is any that would be handed out otherwise', async () => {
    const bucket = await newStorageRse({ deterministic: false });
    await addProtocol(bucket, 's3', davs({ prefix: '/bucket/p', impl: 'rucio.rse.protocols.s3boto.Default' }));
    const add = (path: string) =>
      root.post('/replicas', { rse: bucket, files: one(uniqueName('f'), { pfn: `s3://h:443/bucket/p/${path}` }) });
    for (const path of ['/a', 'a//b', '/a/b'])
      expectError(await add(path), 400, 'InvalidPath', /would be another object/);
    expectCreated(await add('a/b'));
  });
});

describe('a protocol that leads elsewhere', () => {
  it.each([
    ['prefix', { prefix: '/p/../q' }],
    ['prefix', { prefix: '/p/%2e%2e/q' }],
    ['prefix', { prefix: '/p\r\nHost: x/' }],
    ['prefix', { prefix: '/p\\..\\' }],
    ['hostname', { hostname: 'h/../x' }],
    ['hostname', { hostname: 'h#' }],
    ['hostname', { hostname: 'h\nx' }],
    ['web_service_path', { extended_attributes: { web_service_path: '/srm/../x?SFN=' } }],
    ['user', { extended_attributes: { user: 'a/b' } }],
  ])('by its %s is not added, and no other becomes one: %j', async (part, more) => {
    const rse = await newStorageRse();
    const message = new RegExp(`^Problem validating protocol of ${rse}: the ${part} `);
    expectError(await root.post(`/rses/${rse}/protocols/davs`, davs(more)), 400, 'InvalidObject', message);
    expectCreated(await root.post(`/rses/${rse}/protocols/davs`, davs()));
    if (part === 'hostname') return;
    expectError(await root.put(`/rses/${rse}/protocols/davs/h/443`, more), 400, 'InvalidObject', message);
  });
});
