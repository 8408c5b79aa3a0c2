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
  it('counts available files and bytes of a dataset on each RSE', async () => {
    const { scope, one, two } = setup;
    const lines = await get('full');
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
    expectEmpty(await root.put('/replicas', { rse: one, files: [{ scope, name: 'x', state: 'U' }] }));
    expect(await get(dataset)).toMatchObject([share(one, 1, 2)]);
    expectEmpty(await root.delete(`/dids/${scope}/${dataset}/dids`, { dids: [{ scope, name: 'x' }] }));
    expect(await get(dataset)).toMatchObject([share(one, 1, 1)]);
  });

  it('is empty for other types, empty datasets and unknown DIDs', async () => {
    for (const name of ['empty', 'cnt', 'a', 'none']) expect(await get(name)).toEqual([]);
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
    expect(await get(dataset)).toMatchObject(own);
    expect(await get(dataset, '?deep=True')).toMatchObject([...own, ...own]);
    expectError(await root.get(`/replicas/${scope}/full/datasets?deep=x`), 400, 'TypeError');
  });
});

describe('POST /replicas/datasets_bulk (replication 1.6)', () => {
  const post = (dids: unknown) => root.post('/replicas/datasets_bulk', { dids });

  it('answers many datasets in their order, and skips other DIDs', async () => {
    const { scope, one, two } = setup;
    const second = uniqueName('ds');
    await collect('DATASET', scope, second, ['a']);
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
  it('finds the datasets with files on an RSE, with their numbers', async () => {
    const { scope } = setup;
    const rse = await newStorageRse();
    const names = Array.from({ length: 40 }, (_, index) => `spread.${index}`);
    await register(rse, scope, names);
    await register(rse, scope, ['lost'], { state: 'D' });
    const datasets = [uniqueName('ds'), uniqueName('ds'), uniqueName('ds')];
    await collect('DATASET', scope, datasets[0] ?? '', names);
    await collect('DATASET', scope, datasets[1] ?? '', ['spread.7', 'a', 'b']);
    await collect('DATASET', scope, datasets[2] ?? '', ['lost', 'a']);
    const lines = (await root.get(`/replicas/rse/${rse}`)).lines() as Line[];
    expect(lines.toSorted((a, b) => (a.name === datasets[0] ? -1 : b.name === datasets[0] ? 1 : 0))).toMatchObject([
      { ...share(rse, 40, 40), scope, name: datasets[0] },
      { ...share(rse, 1, 3), scope, name: datasets[1] },
    ]);
  });

  it('finds them among many attachments of other files', async () => {
    const { scope, one } = setup;
    const rse = await newStorageRse();
    const crowd = Array.from({ length: 900 }, (_, index) => `crowd.${String(index).padStart(4, '0')}`);
    await register(one, scope, crowd);
    await collect('DATASET', scope, 'crowd', crowd);
    await register(rse, scope, ['crowd.0899', 'zz']);
    await collect('DATASET', scope, 'last', ['zz']);
    const lines = (await root.get(`/replicas/rse/${rse}`)).lines() as Line[];
    expect(lines.map(({ name }) => name).toSorted()).toEqual(['crowd', 'last']);
  });

  it('answers nothing for an empty RSE, and RSENotFound for an unknown one', async () => {
    const rse = await newStorageRse();
    const answer = await root.get(`/replicas/rse/${rse}`);
    expect(`${answer.status} ${answer.text}`).toBe('200 ');
    expectError(await root.get('/replicas/rse/NONE'), 404, 'RSENotFound', "RSE 'NONE' cannot be found in vo 'def'");
  });
});
