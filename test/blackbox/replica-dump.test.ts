import { beforeAll, describe, expect, it } from 'vitest';

import {
  expectStatus,
  files,
  newReplicaSetup,
  newStorageRse,
  register,
  type ReplicaSetup,
} from '../support/replicas.ts';
import { asRoot, expectError, newAccount, newScope } from '../support/server.ts';
import { expectPages } from '../support/walk.ts';

const root = asRoot();
let setup: ReplicaSetup;
beforeAll(async () => {
  setup = await newReplicaSetup();
});

const dump = async (rse: string, as = root) => {
  const answer = await as.get(`/replicas/dump?rse=${rse}`);
  expectStatus(answer, 200);
  return answer.lines() as Readonly<Record<string, unknown>>[];
};

describe('GET /replicas/dump (Dapple)', () => {
  it('has every replica on an RSE in any state, with path, size and checksums, by scope and name', async () => {
    const rse = await newStorageRse({ prefix: '/dump' });
    const other = await newScope();
    expect(await dump(rse)).toEqual([]);
    await register(rse, setup.scope, ['b', 'a'], { md5: '0123456789abcdef0123456789abcdef' });
    await register(rse, other, ['dir/c'], { state: 'C' });
    await register(setup.one, setup.scope, ['d']);
    const lines = await dump(rse, await newAccount({ admin: true }));
    const names = lines.map(({ scope, name }) => `${String(scope)}:${String(name)}`);
    expect(names).toEqual([`${setup.scope}:a`, `${setup.scope}:b`, `${other}:dir/c`].toSorted());
    const pfns = (await root.get(`/rses/${rse}/lfns2pfns?lfn=${setup.scope}:a`)).json() as Record<string, string>;
    const pfn = pfns[`${setup.scope}:a`] ?? '';
    expect(lines.find(({ name }) => name === 'a')).toEqual({
      scope: setup.scope,
      name: 'a',
      path: pfn.replace('file://localhost/dump/', ''),
      bytes: 10,
      adler32: '0cc737eb',
      md5: '0123456789abcdef0123456789abcdef',
      state: 'AVAILABLE',
      updated_at: expect.stringMatching(/ UTC$/),
    });
    expect(lines.find(({ name }) => name === 'dir/c')).toMatchObject({ state: 'COPYING', md5: null });
  });

  it('has the paths that clients have chosen where paths are not computed', async () => {
    const rse = await newStorageRse({ prefix: '/odd', deterministic: false });
    await register(rse, setup.scope, ['odd'], { pfn: 'file://localhost/odd/path/of/it' });
    expect(await dump(rse)).toMatchObject([{ name: 'odd', path: 'path/of/it' }]);
  });

  it('comes in pages, in the same order', async () => {
    const rse = await newStorageRse();
    const names = Array.from({ length: 30 }, (_none, index) => `page.${index}`);
    expectStatus(await root.post('/replicas', { rse, files: files(setup.scope, names) }), 201);
    await expectPages(root, `/replicas/dump?rse=${rse}`, 30);
  });

  it('is for administrators, and needs the name of an RSE', async () => {
    const denied = `Account ${setup.alice.account} can not dump the replicas on ${setup.one}. `;
    expectError(await setup.alice.get(`/replicas/dump?rse=${setup.one}`), 401, 'AccessDenied', denied);
    expectError(await root.get('/replicas/dump?rse=NONE'), 404, 'RSENotFound');
    expectStatus(await root.get('/replicas/dump'), 400);
  });
});
