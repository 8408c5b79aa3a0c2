import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, expectError, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
let scope: string;

beforeAll(async () => {
  scope = await newScope();
});

describe('names of DIDs (dids 1.6, 4.1)', () => {
  const prefix = uniqueName();

  it.each(['a/b/c', 'a.../..b', 'dids', 'a/dids', 'a/status', 'meta', 'guid', 'x'.repeat(231)])(
    'keeps %s exactly, in every route that takes a name',
    async (tail) => {
      const name = `${prefix}${tail.length > 200 ? '' : '/'}${tail}`;
      const path = `/dids/${scope}/${encodeURIComponent(name)}`;
      expect((await root.post(path, { type: 'CONTAINER' })).status).toBe(201);
      expect((await root.get(path)).json()).toMatchObject({ name });
      const inner = uniqueName();
      expect((await root.post(`/dids/${scope}/${inner}`, { type: 'CONTAINER', dids: [{ scope, name }] })).status).toBe(
        201,
      );
      expect((await root.get(`/dids/${scope}/${inner}/dids`)).lines()).toMatchObject([{ name }]);
      expect((await root.get(`${path}/parents`)).lines()).toMatchObject([{ name: inner }]);
      expect((await root.get(`${path}/dids`)).status).toBe(200);
      expect((await root.get(`${path}/files`)).status).toBe(200);
      expect((await root.put(`${path}/status`, { open: false })).status).toBe(200);
      expect((await root.get(`/dids/${scope}/?name=${encodeURIComponent(name)}`)).status).toBe(200);
      expect((await root.delete(`/dids/${scope}/${inner}/dids`, { dids: [{ scope, name }] })).status).toBe(200);
    },
  );

  it.each([(name: string) => `/vo/${name}/f`, (name: string) => `/${name}`])(
    'keeps a logical file name of DIRAC, which names its scope',
    async (nameIn) => {
      const name = nameIn(scope);
      const path = `/dids/${scope}/${encodeURIComponent(name)}`;
      expect((await root.post(path, { type: 'DATASET' })).status).toBe(201);
      expect((await root.get(path)).json()).toMatchObject({ name });
    },
  );

  it('reads escaped and plain slashes alike', async () => {
    const name = `${uniqueName()}/x/y`;
    expect((await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' })).status).toBe(201);
    for (const path of [
      `${scope}/${name}`,
      `${scope}/${encodeURIComponent(name)}`,
      encodeURIComponent(`${scope}/${name}`),
    ]) {
      expect((await root.get(`/dids/${path}`)).json()).toMatchObject({ scope, name });
    }
  });

  it.each([
    'per%cent',
    'a+b',
    'a b',
    'ünïcode',
    '日本',
    'a#b',
    '.dot',
    '-dash',
    'a\nb',
    'a"b',
    'a\u0000b',
    'x'.repeat(251),
    'trailing/',
    'double//slash',
    'a/../b',
    './a',
    'a/.',
    '/',
    '//a',
  ])('refuses %j, and writes nothing', async (name) => {
    const path = `/dids/${scope}/${encodeURIComponent(name)}`;
    expectError(await root.post(path, { type: 'DATASET' }), 400, 'InvalidObject', /^Problem validating did: /);
    expectError(await root.post('/dids', [{ scope, name, type: 'DATASET' }]), 400, 'InvalidObject');
    const parent = uniqueName();
    await root.post(`/dids/${scope}/${parent}`, { type: 'DATASET' });
    expectError(await root.post(`/dids/${scope}/${parent}/dids`, { dids: [{ scope, name }] }), 400, 'InvalidObject');
    expectError(await root.get(path), 404, 'DataIdentifierNotFound');
    for (const suffix of ['/dids', '/files', '/parents'])
      expectError(await root.get(path + suffix), 404, 'DataIdentifierNotFound');
    expectError(await root.put(`${path}/status`, { open: false }), 404, 'DataIdentifierNotFound');
    expectError(await root.post(`${path}/dids`, { dids: [{ scope, name: 'x' }] }), 404, 'DataIdentifierNotFound');
  });

  it('keeps names that begin with a slash, as the logical file names of some experiments do', async () => {
    const name = `/store/${uniqueName()}/file.root`;
    const path = `/dids/${scope}/${encodeURIComponent(name)}`;
    expect((await root.post(path, { type: 'DATASET' })).status).toBe(201);
    expect((await root.get(path)).json()).toMatchObject({ scope, name });
  });

  it.each(['%', '%zz', '%ff', 'a%c3'])('refuses the broken escape %s', async (escape) => {
    expectError(await root.get(`/dids/${scope}/a${escape}`), 400, 'ValueError', /percent-encoding is broken/);
  });

  it('decodes once: %252F is the text %2F, which no name can hold', async () => {
    expectError(
      await root.get(`/dids/${scope}/a%252Fb`),
      404,
      'DataIdentifierNotFound',
      `Data identifier '${scope}:a%2Fb' not found`,
    );
  });
});
