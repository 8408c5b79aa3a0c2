import { beforeAll, describe, expect, it } from 'vitest';

import {
  expectStatus,
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
  setup = await newReplicaSetup(`/${uniqueName()}`);
});

async function newFile(rse = setup.one, more: object = {}): Promise<string> {
  const name = uniqueName('f');
  await register(rse, setup.scope, [name], more);
  return name;
}
const on = (name: string, rse = setup.one) => ({ scope: setup.scope, name, rse });
const pfnOf = async (name: string, rse = setup.one) => {
  const pfns = (await root.get(`/rses/${rse}/lfns2pfns?lfn=${setup.scope}:${name}`)).json() as Record<string, string>;
  return pfns[`${setup.scope}:${name}`] ?? '';
};
const declare = (replicas: unknown, more: object = {}) => root.post('/replicas/bad', { replicas, ...more });
const result = async (request: Promise<{ status: number; text: string; json(): unknown }>) => {
  const answer = await request;
  expectStatus(answer as never, 201);
  return answer.json();
};

interface Entry {
  readonly name: string;
  readonly rse: string;
  readonly state: string;
}
/** The log entries of a file, the oldest first. */
async function log(name: string, query = ''): Promise<string[]> {
  const lines = (await root.get(`/replicas/bad/states?rse=${setup.one}${query}`)).lines() as Entry[];
  return lines.filter((entry) => entry.name === name).map(({ state }) => state);
}

describe('POST /replicas/bad (replication 1.8)', () => {
  it('makes replicas BAD, named by file and RSE or its id, and notes it once', async () => {
    const [first, second] = [await newFile(), await newFile()];
    const { id } = (await root.get(`/rses/${setup.one}`)).json() as { id: string };
    const byId = { scope: setup.scope, name: second, rse_id: id };
    const answer = await declare([on(first), byId], { reason: 'broken' });
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(await result(Promise.resolve(answer))).toEqual({});
    for (const name of [first, second]) {
      expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'BAD' });
      expect(await log(name)).toEqual(['BAD']);
    }
    expect(await result(declare([on(first), on('none')]))).toEqual({
      [setup.one]: [`${setup.scope}:${first} Already declared`, `(${setup.scope}, 'none') Unknown replica`],
    });
    expect(await log(first)).toEqual(['BAD']);
  });

  it('finds replicas by their PFNs, also where the path is not computed', async () => {
    const name = await newFile();
    expect(await result(declare([await pfnOf(name)]))).toEqual({});
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'BAD' });
    expect(await result(root.post('/replicas/bad', { pfns: [await pfnOf(name), await pfnOf('a/none')] }))).toEqual({
      [setup.one]: [`${setup.scope}:${name} Already declared`, `(${setup.scope}, 'a/none') Unknown replica`],
    });

    const rse = await newStorageRse({ deterministic: false, prefix: `/nd-${setup.scope}/` });
    const base = `file://localhost/nd-${setup.scope}`;
    const other = await newFile(rse, { pfn: `${base}/x/1` });
    expect(await result(declare([`${base}/x/1`, `${base}/x/2`]))).toEqual({ [rse]: [`${base}/x/2 Unknown replica`] });
    expect(await states(setup.scope, other)).toEqual({ [rse]: 'BAD' });
    expect(await result(declare([`${base}/x/1`]))).toEqual({ [rse]: [`${base}/x/1 Already declared`] });
    expectEmpty(
      await root.put('/replicas', { rse, files: [{ scope: setup.scope, name: other, state: 'A', path: 'y/1' }] }),
    );
    expect(await result(declare([`${base}/x/1`]))).toEqual({ [rse]: [`${base}/x/1 Unknown replica`] });
    expect(await result(declare([`${base}/y/1`]))).toEqual({});
    expectEmpty(await root.delete('/replicas', { rse, files: [{ scope: setup.scope, name: other }] }));
    expect(await result(declare([`${base}/y/1`]))).toEqual({ [rse]: [`${base}/y/1 Unknown replica`] });
  });

  it('repeats a declaration when forced, which ends when the replica is available or deleted', async () => {
    const name = await newFile();
    const put = (state: string) =>
      root.put('/replicas', { rse: setup.one, files: [{ scope: setup.scope, name, state }] });
    await declare([on(name)]);
    expectEmpty(await put('C'));
    expect(await result(declare([on(name)], { force: true }))).toEqual({});
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'BAD' });
    expect(await log(name)).toEqual(['BAD']);
    expectEmpty(await put('A'));
    expect(await log(name)).toEqual(['RECOVERED']);
    expect(await result(declare([on(name)]))).toEqual({});
    expect(await log(name)).toEqual(['RECOVERED', 'BAD']);
    expectEmpty(await root.delete('/replicas', { rse: setup.one, files: [{ scope: setup.scope, name }] }));
    expect(await log(name)).toEqual(['RECOVERED', 'DELETED']);
  });

  it('declares 200 replicas at once', async () => {
    const names = Array.from({ length: 200 }, () => uniqueName('f'));
    await register(setup.two, setup.scope, names);
    expect(await result(declare(names.map((name) => on(name, setup.two))))).toEqual({});
    expect(await states(setup.scope, names[199] ?? '')).toEqual({ [setup.two]: 'BAD' });
  });

  it.each([
    ['nothing', {}, 201],
    ['both kinds', { replicas: ['x://y/z', { scope: 's', name: 'n', rse: 'X' }] }, 400, 'InvalidType'],
    ['no RSE', { replicas: [{ scope: 's', name: 'n' }] }, 400, 'InvalidType'],
    ['several schemes', { replicas: ['a://b/c', 'd://e/f'] }, 400, 'InvalidType'],
    ['what is neither', { replicas: [5] }, 400, 'InvalidObject'],
    ['a long reason', { replicas: [], reason: 'x'.repeat(256) }, 400, 'InvalidObject'],
    ['an unknown RSE', { replicas: [{ scope: 's', name: 'n', rse: 'X' }] }, 404, 'RSENotFound'],
    ['an unknown id', { replicas: [{ scope: 's', name: 'n', rse_id: '0' }] }, 404, 'RSENotFound'],
    ['a PFN of no RSE', { replicas: ['file://nowhere/x'] }, 404, 'ReplicaNotFound', 'Not all replicas found'],
    ['what is no PFN', { replicas: ['garbage'] }, 404, 'ReplicaNotFound', 'Not all replicas found'],
  ])('answers %s', async (_what, body, status, name?: string, message?: string) => {
    const answer = await root.post('/replicas/bad', body);
    if (name === undefined) expect(`${answer.status} ${answer.text}`).toBe(`${status} {}`);
    else expectError(answer, status, name, message);
  });

  it('refuses a PFN that several RSEs have, and takes the longest prefix', async () => {
    const prefix = `/twice-${setup.scope}`;
    const [, inner] = [await newStorageRse({ prefix }), await newStorageRse({ prefix: `${prefix}/inner` })];
    const deep = `file://localhost${prefix}/inner/x/y`;
    expect(Object.keys((await result(declare([deep]))) as object)).toEqual([inner]);
    await newStorageRse({ prefix: `${prefix}/inner/` });
    expectError(await declare([deep]), 400, 'RucioException', /^ERROR, multiple matches : file:/);
  });

  it('is for root', async () => {
    const admin = await newAccount({ admin: true });
    const denied = `Account ${admin.account} can not declare bad replicas in RSE ${setup.one}. `;
    expectError(await admin.post('/replicas/bad', { replicas: [on('x')] }), 401, 'AccessDenied', denied);
  });
});

describe('POST /replicas/bad/dids (replication 1.8)', () => {
  it('declares the replicas of files on one RSE', async () => {
    const name = await newFile();
    const dids = [name, 'none'].map((one) => ({ scope: setup.scope, name: one }));
    const body = { dids, rse: setup.one, reason: 'r' };
    expect(await result(root.post('/replicas/bad/dids', body))).toEqual([`${setup.scope}:none Unknown replica`]);
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'BAD' });
    expect(await result(root.post('/replicas/bad/dids', { ...body, dids: dids.slice(0, 1) }))).toEqual([
      `${setup.scope}:${name} Already declared`,
    ]);
  });

  it('refuses what is missing or wrong', async () => {
    const post = (body: object, as = root) => as.post('/replicas/bad/dids', body);
    expectError(await post({ dids: [] }), 400, 'KeyError', "'rse' not defined");
    expectError(await post({ rse: 'X', dids: [{ scope: 's' }] }), 400, 'InvalidObject');
    expectError(await post({ rse: 'X', expires_at: 'soon' }), 400, 'ValueError', /^time data 'soon' does not match/);
    expectError(await post({ rse: 'X' }), 404, 'RSENotFound');
    const denied = `Account ${setup.alice.account} can not declare bad PFN or DIDs. `;
    expectError(await post({ rse: 'X' }, setup.alice), 401, 'AccessDenied', denied);
  });
});

describe('POST /replicas/bad/pfns (replication 1.8)', () => {
  const post = (body: object, as = root) => as.post('/replicas/bad/pfns', body);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace('Z', '000');

  it('declares PFNs bad or suspicious, one or many, and skips those without a replica', async () => {
    const [bad, odd] = [await newFile(), await newFile()];
    expectCreated(await post({ pfns: [await pfnOf(bad), await pfnOf('none'), 'garbage'], state: 'BAD', reason: 'r' }));
    expectCreated(await post({ pfns: await pfnOf(odd), state: 'SUSPICIOUS' }));
    expect([await log(bad), await log(odd)]).toEqual([['BAD'], ['SUSPICIOUS']]);
    expect(await states(setup.scope, bad)).toEqual({ [setup.one]: 'BAD' });
    expect(await states(setup.scope, odd)).toEqual({ [setup.one]: 'AVAILABLE' });
  });

  it('makes replicas unavailable for a time, after which they become available again', async () => {
    const [name, bad] = [await newFile(), await newFile()];
    await declare([on(bad)]);
    const unavailable = async (until: string) =>
      post({ pfns: [await pfnOf(name), await pfnOf(bad)], state: 'TEMPORARY_UNAVAILABLE', expires_at: until });
    expectCreated(await unavailable(inDays(2.5 / 86_400)));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'TEMPORARY_UNAVAILABLE' });
    expect(await states(setup.scope, bad)).toEqual({ [setup.one]: 'BAD' });
    expect(await log(name)).toEqual(['TEMPORARY_UNAVAILABLE']);
    await expect.poll(() => states(setup.scope, name), { timeout: 10_000 }).toEqual({ [setup.one]: 'AVAILABLE' });
    expect(await log(name)).toEqual([]);
    expectCreated(await unavailable(inDays(-1)));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE' });
  });

  it('needs an end for what is temporary, within 30 days, and none for what is bad', async () => {
    const name = 'InputValidationError';
    const temporary = { pfns: [], state: 'TEMPORARY_UNAVAILABLE' };
    const missing = 'When adding a TEMPORARY UNAVAILABLE pfn the expires_at value should be set.';
    expectError(await post(temporary), 400, name, missing);
    const late = 'The given duration of 31 days exceeds the maximum duration of 30 days.';
    expectError(await post({ ...temporary, expires_at: inDays(31.5) }), 400, name, late);
    const needless = "When adding a BAD pfn the expires_at value shouldn't be set.";
    expectError(await post({ pfns: [], state: 'BAD', expires_at: inDays(1) }), 400, name, needless);
    expectError(await post({ ...temporary, expires_at: 'soon' }), 400, 'ValueError');
    expectError(await post({ pfns: [], state: 'FINE' }), 400, 'InvalidObject');
    expectError(await post({ pfns: [5], state: 'BAD' }), 400, 'InvalidObject');
    const denied = `Account ${setup.alice.account} can not declare bad PFNs. `;
    expectError(await post({ pfns: [], state: 'BAD' }, setup.alice), 401, 'AccessDenied', denied);
  });
});
