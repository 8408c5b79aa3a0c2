import { beforeAll, describe, expect, it } from 'vitest';

import {
  collect,
  expectStatus,
  files,
  newStorageRse,
  newReplicaSetup,
  register,
  type ReplicaSetup,
} from '../support/replicas.ts';
import { allow, newRule, update } from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicaSetup;

interface Line {
  readonly rse: string;
  readonly name: string;
  readonly [key: string]: unknown;
}

beforeAll(async () => {
  setup = await newReplicaSetup();
  const { scope, one, two } = setup;
  await allow('root', one, two);
  await register(one, scope, ['a', 'b', 'c']);
  await register(two, scope, ['a']);
  await register(two, scope, ['b'], { state: 'C' });
  await collect('DATASET', scope, 'full', ['a', 'b', 'c']);
  await collect('DATASET', scope, 'empty', []);
  await collect('CONTAINER', scope, 'cnt', ['full']);
});

const get = async (name: string, query = '') => {
  const answer = await root.get(`/replicas/${setup.scope}/${name}/datasets${query}`);
  expectStatus(answer, 200);
  expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
  return answer.lines() as Line[];
};
const share = (rse: string, available: number, of: number) => ({
  rse,
  length: of,
  bytes: of * 10,
  available_length: available,
  available_bytes: available * 10,
  state: available === of ? 'AVAILABLE' : 'UNAVAILABLE',
});
const byRse = (a: { rse: string }, b: { rse: string }) => (a.rse < b.rse ? -1 : 1);

describe('GET /replicas/{scope}/{name}/datasets (replication 1.6)', () => {
  it('shows the RSEs on which a rule keeps the dataset, however many files are there', async () => {
    const { scope, one, two } = setup;
    const dataset = uniqueName('ds');
    await collect('DATASET', scope, dataset, ['a', 'b', 'c']);
    expect(await get(dataset)).toEqual([]);
    const id = await newRule({ scope, name: dataset }, two, {});
    expect(await get(dataset)).toMatchObject([share(two, 1, 3)]);
    await newRule({ scope, name: dataset }, one, {});
    expect(await get(dataset)).toMatchObject([share(one, 3, 3), share(two, 1, 3)].toSorted(byRse));
    expectEmpty(await update(id, { lifetime: 0 }));
    await expect.poll(() => get(dataset)).toMatchObject([share(one, 3, 3)]);
  });

  it('counts available files and bytes of a dataset on every RSE when it goes deep', async () => {
    const { scope, one, two } = setup;
    const lines = await get('full', '?deep=True');
    expect(lines).toMatchObject([share(one, 3, 3), share(two, 1, 3)].toSorted(byRse));
    const { id } = (await root.get(`/rses/${one}`)).json() as { id: string };
    const date = expect.stringMatching(/ UTC$/);
    expect(lines.find(({ rse }) => rse === one)).toEqual({
      scope,
      name: 'full',
      ...share(one, 3, 3),
      rse_id: id,
      created_at: date,
      updated_at: date,
      accessed_at: null,
    });
  });

  it('counts changes at once', async () => {
    const { scope, one } = setup;
    const dataset = uniqueName('ds');
    await register(one, scope, ['x', 'y']);
    await collect('DATASET', scope, dataset, ['x', 'y']);
    await newRule({ scope, name: dataset }, one, {});
    expectEmpty(await root.put('/replicas', { rse: one, files: [{ scope, name: 'x', state: 'U' }] }));
    for (const query of ['', '?deep=1']) expect(await get(dataset, query)).toMatchObject([share(one, 1, 2)]);
    expectEmpty(await root.delete(`/dids/${scope}/${dataset}/dids`, { dids: [{ scope, name: 'x' }] }));
    for (const query of ['', '?deep=1']) expect(await get(dataset, query)).toMatchObject([share(one, 1, 1)]);
  });

  it('is empty for other types and empty datasets, and 404 for unknown DIDs', async () => {
    for (const query of ['', '?deep=True']) {
      for (const name of ['empty', 'cnt', 'a']) expect(await get(name, query)).toEqual([]);
      const unknown = await root.get(`/replicas/${setup.scope}/none/datasets${query}`);
      expectError(unknown, 404, 'DataIdentifierNotFound', `Data identifier '${setup.scope}:none' not found`);
    }
    const vp = await root.get(`/replicas/${setup.scope}/full/datasets_vp`);
    expect(`${vp.status} ${vp.text}`).toBe('200 ');
    expectError(await root.get('/replicas/x/datasets'), 400, 'ValueError');
  });

  it('counts files in archives when it goes deep, in lines of their own', async () => {
    const { scope, one, two } = setup;
    const [zip, again, member] = [`${uniqueName('a')}.zip`, `${uniqueName('b')}.zip`, uniqueName('m')];
    await register(one, scope, [zip, again]);
    await register(two, scope, [again]);
    for (const archive of [zip, again]) {
      expectStatus(await root.post(`/dids/${scope}/${archive}/dids`, { dids: files(scope, [member]) }), 201);
    }
    const dataset = uniqueName('ds');
    await collect('DATASET', scope, dataset, [member, 'a']);
    const own = [share(one, 1, 2), share(two, 1, 2)].toSorted(byRse);
    expect(await get(dataset, '?deep=True')).toMatchObject([...own, ...own]);
    expectEmpty(await root.put('/replicas', { rse: two, files: [{ scope, name: again, state: 'T' }] }));
    expect(await get(dataset, '?deep=True')).toMatchObject([...own, share(one, 1, 2)]);
    expectEmpty(
      await root.put('/replicas', { rse: one, files: [zip, again].map((name) => ({ scope, name, state: 'T' })) }),
    );
    expect(await get(dataset, '?deep=True')).toMatchObject(own);
    expectError(await root.get(`/replicas/${scope}/full/datasets?deep=x`), 400, 'TypeError');
  });
});

describe('POST /replicas/datasets_bulk (replication 1.6)', () => {
  const post = (dids: unknown) => root.post('/replicas/datasets_bulk', { dids });

  it('answers many datasets in their order, and skips other DIDs', async () => {
    const { scope, one, two } = setup;
    const second = uniqueName('ds');
    await collect('DATASET', scope, second, ['a']);
    for (const name of [second, 'full']) for (const rse of [one, two]) await newRule({ scope, name }, rse, {});
    const dids = [second, 'none', 'full', 'cnt', second].map((name) => ({ scope, name }));
    const lines = (await post(dids)).lines() as Line[];
    expect(lines.map(({ name }) => name)).toEqual([second, second, 'full', 'full']);
    expect(lines.slice(0, 2)).toMatchObject([share(one, 1, 1), share(two, 1, 1)].toSorted(byRse));
  });

  it('refuses an empty list and invalid DIDs', async () => {
    expectError(await post([]), 400, 'ValueError', 'List of DIDs is empty');
    expectError(await post([{ scope: 's' }]), 400, 'InvalidObject');
    expectError(await post([{ scope: 's', name: 'n', colour: 1 }]), 400, 'InvalidObject');
    expectError(await root.post('/replicas/datasets_bulk', {}), 400, 'KeyError', "'dids' not defined");
  });
});

describe('GET /replicas/rse/{rse} (replication 1.6)', () => {
  it('finds the datasets that a rule keeps on an RSE, each once, with their numbers', async () => {
    const { scope, alice } = setup;
    const rse = await newStorageRse();
    await allow('root', rse);
    await allow(alice.account, rse);
    const names = Array.from({ length: 40 }, (_, index) => `spread.${index}`);
    await register(rse, scope, names);
    const [all, some, free] = [uniqueName('ds'), uniqueName('ds'), uniqueName('ds')] as const;
    await collect('DATASET', scope, all, names);
    await collect('DATASET', scope, some, ['spread.7', 'a', 'b']);
    await collect('DATASET', scope, free, names);
    await newRule({ scope, name: all }, rse, {});
    await newRule({ scope, name: all }, rse, {}, alice);
    await newRule({ scope, name: some }, rse, {});
    const list = async () => (await root.get(`/replicas/rse/${rse}`)).lines() as Line[];
    await expect.poll(async () => (await list()).length).toBe(2);
    expect((await list()).toSorted((a, b) => (a.name === all ? -1 : b.name === all ? 1 : 0))).toMatchObject([
      { ...share(rse, 40, 40), scope, name: all },
      { ...share(rse, 1, 3), scope, name: some },
    ]);
  });

  it('answers nothing for an empty RSE, and RSENotFound for an unknown one', async () => {
    const rse = await newStorageRse();
    const answer = await root.get(`/replicas/rse/${rse}`);
    expect(`${answer.status} ${answer.text}`).toBe('200 ');
    expectError(await root.get('/replicas/rse/NONE'), 404, 'RSENotFound', "RSE 'NONE' cannot be found in vo 'def'");
  });
});
