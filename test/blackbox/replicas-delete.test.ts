import { beforeAll, describe, expect, it } from 'vitest';

import {
  collect,
  expectStatus,
  files,
  list,
  newStorageRse,
  newReplicaSetup,
  register,
  states,
  type ReplicaSetup,
} from '../support/replicas.ts';
import { asRoot, expectCreated, expectEmpty, expectError, newAccount, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicaSetup;

beforeAll(async () => {
  setup = await newReplicaSetup();
});

const keys = (names: readonly string[]) => names.map((name) => ({ scope: setup.scope, name }));
const remove = (rse: string, names: readonly string[], more: object = {}) =>
  root.delete('/replicas', { rse, files: keys(names), ...more });
const at = (name: string, suffix = '') => `/dids/${setup.scope}/${name}${suffix}`;
const close = async (name: string) => expectEmpty(await root.put(at(name, '/status'), { open: false }));
const names = (lines: unknown[]) => (lines as { name: string }[]).map(({ name }) => name);
const content = async (name: string) => names((await root.get(at(name, '/dids'))).lines());
const history = async (name: string) => names((await root.get(at(name, '/dids/history'))).lines());
const parents = async (name: string) => names((await root.get(at(name, '/parents'))).lines());
const isGone = async (name: string) => expectError(await root.get(at(name)), 404, 'DataIdentifierNotFound');
const show = async (name: string) => (await root.get(at(name))).json() as Record<string, unknown>;

/** New files, in a dataset of a new name if there is one. */
async function newFiles(count: number, dataset?: string): Promise<string[]> {
  const fresh = Array.from({ length: count }, () => uniqueName('f')).toSorted();
  await register(setup.one, setup.scope, fresh);
  if (dataset !== undefined) await collect('DATASET', setup.scope, dataset, fresh);
  return fresh;
}

describe('DELETE /replicas (replication 1.3)', () => {
  it('removes a replica of a file with others, and changes nothing else', async () => {
    const dataset = uniqueName('ds');
    const [name = ''] = await newFiles(1, dataset);
    await register(setup.two, setup.scope, [name]);
    expectEmpty(await remove(setup.one, [name]));
    expect(await states(setup.scope, name)).toEqual({ [setup.two]: 'AVAILABLE' });
    expect(await content(dataset)).toEqual([name]);
    await register(setup.one, setup.scope, [name]);
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE', [setup.two]: 'AVAILABLE' });
  });

  it('removes a file with its last replica: it is detached, with history, and its dataset shrinks', async () => {
    const dataset = uniqueName('ds');
    const [first = '', second = ''] = await newFiles(2, dataset);
    await close(dataset);
    expectEmpty(await remove(setup.one, [first, first]));
    await isGone(first);
    expect(await show(dataset)).toMatchObject({ length: 1, bytes: 10, open: false });
    expect(await content(dataset)).toEqual([second]);
    expect(await history(dataset)).toEqual([first]);
    expect(await list(setup.scope, [first])).toEqual([]);
  });

  it('frees the name of such a file at once', async () => {
    const [name = ''] = await newFiles(1);
    await root.post(at(name, '/meta/colour'), { value: 'red' });
    await root.post(at(name, '/follow'), { account: 'root' });
    expectEmpty(await remove(setup.one, [name]));
    await register(setup.two, setup.scope, [name], { bytes: 77 });
    expect(await show(name)).toMatchObject({ bytes: 77 });
    expect(await states(setup.scope, name)).toEqual({ [setup.two]: 'AVAILABLE' });
    expect((await root.get(at(name, '/meta?plugin=JSON'))).json()).toEqual({});
    expect((await root.get(at(name, '/follow'))).text).toBe('');
  });

  it('detaches an emptied open dataset from its containers, and deletes neither', async () => {
    const [dataset, container] = [uniqueName('ds'), uniqueName('cnt')];
    const [name = ''] = await newFiles(1, dataset);
    await collect('CONTAINER', setup.scope, container, [dataset]);
    expectEmpty(await remove(setup.one, [name]));
    expect(await show(dataset)).toMatchObject({ length: 0, bytes: 0, open: true });
    expect(await parents(dataset)).toEqual([]);
    expect(await content(container)).toEqual([]);
    expect(await history(container)).toEqual([dataset]);
  });

  it('leaves a dataset in its containers that is not empty yet', async () => {
    const [dataset, container] = [uniqueName('ds'), uniqueName('cnt')];
    const [name = ''] = await newFiles(2, dataset);
    await collect('CONTAINER', setup.scope, container, [dataset]);
    expectEmpty(await remove(setup.one, [name]));
    expect(await parents(dataset)).toEqual([container]);
  });

  it('deletes closed collections that it empties, upwards through all levels', async () => {
    const [dataset, open, inner, top] = ['ds', 'open', 'inner', 'top'].map(uniqueName) as [string, ...string[]];
    const doomed = await newFiles(2, dataset);
    await collect('CONTAINER', setup.scope, open ?? '', [dataset]);
    await collect('CONTAINER', setup.scope, inner ?? '', [dataset]);
    await collect('CONTAINER', setup.scope, top ?? '', [inner ?? '']);
    for (const name of [dataset, inner ?? '', top ?? '']) await close(name);
    expectEmpty(await remove(setup.one, doomed));
    for (const name of [dataset, inner ?? '', top ?? '']) await isGone(name);
    expect(await show(open ?? '')).toMatchObject({ open: true });
    expect(await history(open ?? '')).toEqual([dataset]);
    expectCreated(await root.post('/dids/resurrect', keys([dataset])));
    expect(await show(dataset)).toMatchObject({ length: 0, open: false });
  });

  it('brings files back without replicas when they are resurrected', async () => {
    const [name = ''] = await newFiles(1);
    expectEmpty(await remove(setup.one, [name]));
    expectCreated(await root.post('/dids/resurrect', keys([name])));
    expect(await show(name)).toMatchObject({ type: 'FILE', bytes: 10, adler32: '0cc737eb' });
    expect(await states(setup.scope, name)).toEqual({});
  });

  it('deletes more replicas than a transaction takes all or none', async () => {
    const dataset = uniqueName('ds');
    const doomed = await newFiles(300);
    await collect('DATASET', setup.scope, dataset, doomed);
    const [last = ''] = doomed.slice(-1);
    const missing = await remove(setup.one, [...doomed.slice(0, -1), 'none']);
    expectError(missing, 404, 'ReplicaNotFound', "One or several replicas don't exist.");
    expect(await show(dataset)).toMatchObject({ length: 300, bytes: 3_000 });
    expectEmpty(await remove(setup.one, doomed.slice(0, -1)));
    expect(await show(dataset)).toMatchObject({ length: 1, bytes: 10 });
    expect(await content(dataset)).toEqual([last]);
    expect(names(await list(setup.scope, doomed))).toEqual([last]);
  });

  it('is consistent with a concurrent registration of the same files on another RSE', async () => {
    const doomed = await newFiles(30);
    const body = { rse: setup.two, files: files(setup.scope, doomed) };
    const [deleted, registered] = await Promise.all([remove(setup.one, doomed), root.post('/replicas', body)]);
    expectEmpty(deleted);
    expectCreated(registered);
    for (const name of doomed) expect(await states(setup.scope, name)).toEqual({ [setup.two]: 'AVAILABLE' });
  });

  it('is 503 if the RSE does not allow deletion, unless that is ignored', async () => {
    const rse = await newStorageRse({ availability_delete: false });
    const name = uniqueName('f');
    await register(rse, setup.scope, [name]);
    expectError(await remove(rse, [name]), 503, 'ResourceTemporaryUnavailable', /^RSE-\w+ is temporary unavailable/);
    expectEmpty(await remove(rse, [name], { ignore_availability: true }));
  });

  it('is for admins', async () => {
    const [name = ''] = await newFiles(1);
    const body = { rse: setup.one, files: keys([name]) };
    const denied = `Account ${setup.alice.account} can not delete file replicas on ${setup.one}. `;
    expectError(await setup.alice.delete('/replicas', body), 401, 'AccessDenied', denied);
    expectEmpty(await (await newAccount({ admin: true })).delete('/replicas', body));
  });

  it.each([
    ['no RSE', { files: [] }, 400, 'KeyError', "'rse' not defined"],
    ['no files', { rse: 'X' }, 400, 'KeyError', "'files' not defined"],
    ['an empty list', { rse: 'X', files: [] }, 400, 'InvalidObject'],
    ['another key', { rse: 'X', files: [{ scope: 's', name: 'n', colour: 1 }] }, 400, 'InvalidObject'],
    ['an unknown RSE', { rse: 'X', files: [{ scope: 's', name: 'n' }] }, 404, 'RSENotFound'],
  ])('answers %s with an error', async (_what, body, status, name, message?: string) => {
    expectError(await root.delete('/replicas', body), status, name, message);
  });
});

describe('archives that lose their last replica (replication 1.3, dids appendix A #23)', () => {
  async function archive(zip: string, members: readonly string[]): Promise<void> {
    expectStatus(await root.post(at(zip, '/dids'), { dids: files(setup.scope, members) }), 201);
  }
  const isArchive = async (name: string) =>
    ((await root.get(at(name, '/meta'))).json() as { is_archive: unknown }).is_archive;

  it('remove constituents without a replica of their own and without another archive', async () => {
    const [a, b] = [`${uniqueName('a')}.zip`, `${uniqueName('b')}.zip`];
    const [one, two, three, four] = ['m1', 'm2', 'm3', 'm4'].map(uniqueName) as [string, string, string, string];
    await register(setup.one, setup.scope, [a, b, three]);
    await archive(a, [one, two, three]);
    await archive(b, [two, four]);
    const dataset = uniqueName('ds');
    await collect('DATASET', setup.scope, dataset, [one, two, three, four]);

    expectEmpty(await remove(setup.one, [a]));
    await isGone(a);
    await isGone(one);
    expectError(await root.get(`/archives/${setup.scope}/${a}/files`), 404, 'DataIdentifierNotFound');
    expect(await content(dataset)).toEqual([two, three, four].toSorted());
    expect(await history(dataset)).toEqual([one]);

    expectEmpty(await remove(setup.one, [b, three]));
    for (const name of [two, three, four]) await isGone(name);
    expect(await show(dataset)).toMatchObject({ length: 0, bytes: 0 });
  });

  it('keep a constituent whose own replica is deleted, as long as they exist', async () => {
    const [zip, member] = [`${uniqueName('a')}.zip`, uniqueName('m')];
    await register(setup.one, setup.scope, [zip, member]);
    await archive(zip, [member]);
    expectEmpty(await remove(setup.one, [member]));
    expect(await show(member)).toMatchObject({ type: 'FILE' });
    await register(setup.one, setup.scope, [member]);
    expectEmpty(await remove(setup.one, [zip, member]));
    await isGone(member);
  });

  it('unset is_archive of datasets without another archive', async () => {
    const [a, b, plain] = [`${uniqueName('a')}.zip`, `${uniqueName('b')}.tgz`, uniqueName('plain.zip')];
    await register(setup.one, setup.scope, [a, b, plain]);
    await archive(a, [uniqueName('m')]);
    await archive(b, [uniqueName('m')]);
    const [both, only, mixed] = ['both', 'only', 'mixed'].map(uniqueName) as [string, string, string];
    await collect('DATASET', setup.scope, both, [a, b, plain]);
    await collect('DATASET', setup.scope, only, [a]);
    await collect('DATASET', setup.scope, mixed, [a, plain]);
    for (const dataset of [both, only, mixed]) expect(await isArchive(dataset)).toBe(true);
    expectEmpty(await remove(setup.one, [a]));
    expect(await isArchive(both)).toBe(true);
    expect(await isArchive(only)).toBe(false);
    expect(await isArchive(mixed)).toBe(false);
    expectEmpty(await remove(setup.one, [b]));
    expect(await isArchive(both)).toBe(false);
  });
});
