import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse, newReplicaSetup, register, type ReplicaSetup } from '../support/replicas.ts';
import {
  asRoot,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
let setup: ReplicaSetup;
/** Holds nothing but what these tests put there. */
let rse: string;

interface Entry {
  readonly scope: string;
  readonly name: string;
  readonly rse: string;
  readonly state: string;
  readonly [key: string]: unknown;
}

beforeAll(async () => {
  setup = await newReplicaSetup(`/${uniqueName()}`);
  rse = await newStorageRse({ prefix: `/log-${setup.scope}` });
  await register(rse, setup.scope, ['bad.1', 'bad.2', 'odd', 'odder']);
  await declare(['bad.1', 'bad.2'], 'burnt');
  for (const names of [['odd', 'odder'], ['odder'], ['odder', 'bad.1']]) await suspect(names);
});

const on = (name: string) => ({ scope: setup.scope, name, rse });
const declare = async (names: readonly string[], reason?: string) =>
  expectStatus(await root.post('/replicas/bad', { replicas: names.map(on), reason }), 201);
const suspect = async (names: readonly string[], reason?: string) =>
  expectStatus(await root.post('/replicas/suspicious', { pfns: names.map(on), reason }), 201);
const get = async (path: string) => {
  const answer = await root.get(path);
  expectStatus(answer, 200);
  return answer;
};
const log = async (query: string) => (await get(`/replicas/bad/states?rse=${rse}&${query}`)).lines() as Entry[];
const names = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);

describe('GET /replicas/bad/states (replication 1.8)', () => {
  it('lists the log in order of time, with RSE, state and dates', async () => {
    const entries = await log('');
    expect(names(entries.filter(({ state }) => state === 'SUSPICIOUS')).toSorted()).toEqual(
      ['bad.1', 'odd', 'odder', 'odder', 'odder'].toSorted(),
    );
    const { id } = (await root.get(`/rses/${rse}`)).json() as { id: string };
    const date = expect.stringMatching(/ UTC$/);
    const [entry] = await log('state=B');
    expect(entry).toEqual({
      scope: setup.scope,
      name: expect.stringMatching(/^bad\.[12]$/),
      rse,
      rse_id: id,
      state: 'BAD',
      created_at: date,
      updated_at: date,
    });
  });

  it('filters by state and period', async () => {
    expect(names(await log('state=B')).toSorted()).toEqual(['bad.1', 'bad.2']);
    expect(await log('state=L')).toEqual([]);
    expect(await log('younger_than=2020-01-01T00:00:00.000000')).toHaveLength(7);
    expect(await log('older_than=2020-01-01T00:00:00.000000')).toEqual([]);
    expect(await log('younger_than=2100-01-01T00:00:00&older_than=2020-01-01T00:00:00')).toEqual([]);
  });

  it('comes in pages', async () => {
    const all = await log('');
    const paged: Entry[] = [];
    let path: string | undefined = `/replicas/bad/states?rse=${rse}&limit=3`;
    while (path !== undefined) {
      const answer = await get(path);
      const page = answer.lines() as Entry[];
      expect(page.length).toBeLessThanOrEqual(3);
      paged.push(...page);
      path = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(paged).toEqual(all);
  });

  it('lists PFNs instead', async () => {
    const pfns = (await get(`/replicas/bad/states?rse=${rse}&state=B&list_pfns=True`)).lines() as string[];
    expect(pfns.map((pfn) => pfn.replace(/^.*\//, '')).toSorted()).toEqual(['bad.1', 'bad.2']);
    expect(pfns[0]).toMatch(new RegExp(`^file://localhost/log-${setup.scope}/`));
  });

  it('refuses invalid states, times and RSEs', async () => {
    expectError(
      await root.get('/replicas/bad/states?state=BAD'),
      400,
      'ValueError',
      "'BAD' is not a valid BadFilesStatus",
    );
    expectError(await root.get('/replicas/bad/states?younger_than=x'), 400, 'ValueError');
    expectError(await root.get('/replicas/bad/states?rse=NONE'), 404, 'RSENotFound');
  });
});

describe('GET /replicas/bad/summary (replication 1.8)', () => {
  const summary = async (query = '') =>
    (await get(`/replicas/bad/summary?rse_expression=${rse}${query}`)).lines() as Record<string, unknown>[];

  it('counts entries by day, RSE and reason', async () => {
    const lines = await summary();
    expect(lines.find(({ reason }) => reason === 'burnt')).toMatchObject({ rse, BAD: 2 });
    expect(lines.find(({ reason }) => reason === null)).toMatchObject({ rse, SUSPICIOUS: 5 });
    expect(lines[0]?.['created_at']).toMatch(/ 00:00:00 UTC$/);
  });

  it('filters by period', async () => {
    expect(await summary('&from_date=2020-01-01')).toHaveLength(2);
    expect(await summary('&from_date=2100-01-01')).toEqual([]);
    expect(await summary('&to_date=2020-01-01')).toEqual([]);
    expectError(await root.get('/replicas/bad/summary?from_date=x'), 400, 'ValueError');
    expectError(await root.get('/replicas/bad/summary?rse_expression=NOSUCH'), 400, 'InvalidRSEExpression');
  });
});

describe('suspicious replicas (replication 1.8)', () => {
  const list = async (query = '') => {
    const answer = await get(`/replicas/suspicious?rse_expression=${rse}${query}`);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    return answer.json() as Entry[];
  };

  it('are listed with how often they were declared, unless they are bad', async () => {
    const entries = await list();
    expect(entries.map(({ name, cnt }) => [name, cnt])).toEqual([
      ['odd', 1],
      ['odder', 3],
    ]);
    expect(Object.keys(entries[0] ?? {})).toEqual(['scope', 'name', 'rse', 'rse_id', 'cnt', 'created_at']);
    expect(names(await list('&nattempts=1'))).toEqual(['odder']);
    expect(await list('&nattempts=3')).toEqual([]);
  });

  it('are those of the last ten days, or since a time', async () => {
    expect(names(await list('&younger_than=2020-01-01T00:00:00'))).toEqual(['odd', 'odder']);
    expect(await list('&younger_than=2100-01-01T00:00:00')).toEqual([]);
    expectError(await root.get('/replicas/suspicious?younger_than=x'), 400, 'ValueError');
    expectError(await root.get('/replicas/suspicious?nattempts=x'), 400, 'ValueError');
    expectError(await root.get('/replicas/suspicious?rse_expression=NOSUCH'), 400, 'InvalidRSEExpression');
  });

  it('are declared by anybody; the answer lists unknown ones', async () => {
    const own = uniqueName('f');
    await register(rse, setup.scope, [own]);
    const answer = await setup.alice.post('/replicas/suspicious', { pfns: [own, 'none'].map(on), reason: 'r' });
    expectStatus(answer, 201);
    expect(answer.json()).toEqual({ [rse]: [`(${setup.scope}, 'none') Unknown replica`] });
    const unknown = await root.post('/replicas/suspicious', { pfns: ['file://nowhere/x'] });
    expect(unknown.json()).toEqual({ unknown: ['file://nowhere/x'] });
    expectEmpty(await root.delete('/replicas', { rse, files: [{ scope: setup.scope, name: own }] }));
    expect(names(await list())).not.toContain(own);
  });
});

describe('POST /replicas/quarantine (replication 1.8)', () => {
  const post = (body: object, as = root) => as.post('/replicas/quarantine', body);

  it('takes paths, with or without scope and name, repeatedly', async () => {
    const { id } = (await root.get(`/rses/${rse}`)).json() as { id: string };
    const replicas = [{ path: '/a/b' }, { path: '/a/c', ...on('odd') }, { path: '/a/d', scope: null, name: 'x' }];
    for (const where of [{ rse }, { rse_id: id }, { rse }]) expectEmpty(await post({ ...where, replicas }));
    expectEmpty(await post({}));
    expectEmpty(await post({ rse, replicas: [] }));
  });

  it('needs one RSE, a path and an admin', async () => {
    const either = 'Either RSE name or RSE id must be specified, but not both';
    const replicas = [{ path: '/a' }];
    expectError(await post({ replicas }), 400, 'InputValidationError', either);
    expectError(await post({ replicas, rse, rse_id: 'x' }), 400, 'InputValidationError', either);
    expectError(await post({ replicas: [{}], rse }), 400, 'InputValidationError', 'Replica info must include path');
    expectError(await post({ replicas, rse: 'NONE' }), 404, 'RSENotFound');
    expectError(await post({ replicas, rse_id: 'none' }), 404, 'RSENotFound');
    const denied = `Account ${setup.alice.account} can not quarantine replicas. `;
    expectError(await post({ replicas, rse }, setup.alice), 403, 'AccessDenied', denied);
    expectEmpty(await post({ replicas, rse }, await newAccount({ admin: true })));
  });
});

describe('POST /replicas/dids (replication 1.8)', () => {
  const post = (body: object) => root.post('/replicas/dids', body);
  const pfn = async (scope: string, name: string, where = rse) => {
    const pfns = (await root.get(`/rses/${where}/lfns2pfns?lfn=${scope}:${name}`)).json() as Record<string, string>;
    return pfns[`${scope}:${name}`] ?? '';
  };

  it('reads scope and name from PFNs, whether the file exists or not', async () => {
    const dids = [
      ['data', 'f'],
      ['data', 'dir/f.1'],
      ['user.jdoe', 'a.root'],
      ['group.x.y', 'deep/er/f'],
    ] as const;
    const pfns = await Promise.all(dids.map(([scope, name]) => pfn(scope, name)));
    expect((await post({ rse, pfns })).lines()).toEqual(
      dids.map(([scope, name], index) => ({ [pfns[index] ?? '']: { scope, name } })),
    );
    const plain = await newStorageRse({ prefix: '/plain' });
    expectStatus(await root.post(`/rses/${plain}/attr/lfn2pfn_algorithm`, { value: 'identity' }), 201);
    const identity = await pfn('user.jdoe', 'dir/f', plain);
    expect((await post({ rse: plain, pfns: [identity, 'file://localhost/plain/s/x/y'] })).lines()).toEqual([
      { [identity]: { scope: 'user.jdoe', name: 'dir/f' } },
      { 'file://localhost/plain/s/x/y': { scope: 's', name: 'x/y' } },
    ]);
    const strange = `file://localhost/log-${setup.scope}/s/x/y/z/f`;
    expect((await post({ rse, pfns: [strange] })).lines()).toEqual([{ [strange]: { scope: 's', name: 'f' } }]);
  });

  it('asks the catalogue where paths are not computed', async () => {
    const scope = await newScope();
    const odd = await newStorageRse({ deterministic: false, prefix: '/odd' });
    await register(odd, scope, ['f'], { pfn: 'file://localhost/odd/path/of/f' });
    const pfns = ['file://localhost/odd/path/of/f', 'file://localhost/odd/path/of/none'];
    expect((await post({ rse: odd, pfns })).lines()).toEqual([{ [pfns[0] ?? '']: { scope, name: 'f' } }]);
    expectCreated(await root.post(`/rses/${odd}/protocols/davs`, { impl: 'x', domains: {}, hostname: 'h' }));
  });

  it('refuses PFNs that are not of the RSE', async () => {
    expectError(await post({ rse, pfns: ['srm://x/y'] }), 404, 'RSEProtocolNotSupported');
    expectError(await post({ rse, pfns: ['file://localhost/elsewhere/y'] }), 400, 'RSEFileNameNotSupported');
    expectError(await post({ rse: 'NONE', pfns: [] }), 404, 'RSENotFound');
    expectError(await post({ pfns: [] }), 400, 'KeyError', "'rse' not defined");
    expect((await post({ rse })).text).toBe('');
  });
});
