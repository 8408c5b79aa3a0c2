import { beforeAll, describe, expect, it } from 'vitest';

import {
  collect,
  expectStatus,
  files,
  list,
  newStorageRse,
  newReplicaSetup,
  register,
  type ReplicaSetup,
} from '../support/replicas.ts';
import { asRoot, expectEmpty, expectError, newScope, nobody, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicaSetup;
/** In the order of their names: two on both RSEs, three on the first one in other states. */
const [a, b, copying, lost, away] = ['a', 'b', 'c', 'd', 'e'];
const all = [a, b, copying, lost, away] as string[];

beforeAll(async () => {
  setup = await newReplicaSetup();
  const { scope, one, two } = setup;
  await register(one, scope, ['a', 'b']);
  await register(two, scope, ['a', 'b']);
  await register(one, scope, ['c'], { state: 'C' });
  await register(one, scope, ['d'], { state: 'D' });
  await register(one, scope, ['e'], { state: 'U' });
  await collect('DATASET', scope, 'ds', all);
  await collect('DATASET', scope, 'other', ['b']);
  await collect('CONTAINER', scope, 'inner', ['ds']);
  await collect('CONTAINER', scope, 'outer', ['inner', 'other'].slice(0, 1));
  await collect('CONTAINER', scope, 'beside', ['ds', 'other']);
});

const post = (body: unknown, query = '', headers: Record<string, string> = {}) =>
  root.post(`/replicas/list${query}`, body, { headers });
const names = (lines: readonly { name: string }[]) => lines.map(({ name }) => name);

describe('POST /replicas/list (replication 1.4)', () => {
  it('finds files of a dataset in archives, those without a replica of their own too', async () => {
    const { scope, one, two } = setup;
    const [zip, alone, both, dataset] = [`${uniqueName('a')}.zip`, uniqueName('m'), uniqueName('n'), uniqueName('ds')];
    await register(one, scope, [zip]);
    await register(two, scope, [both]);
    expectStatus(await root.post(`/dids/${scope}/${zip}/dids`, { dids: files(scope, [alone, both]) }), 201);
    await collect('DATASET', scope, dataset, [alone, both]);
    expect(await list(scope, [dataset])).toMatchObject([
      { name: alone, states: { [one]: 'AVAILABLE' } },
      { name: both, states: { [one]: 'AVAILABLE', [two]: 'AVAILABLE' } },
    ]);
    const [line] = await list(scope, [dataset]);
    expect(Object.values(line?.pfns ?? {})).toMatchObject([{ rse: one, domain: 'zip', client_extract: true }]);
    expect(names(await list(scope, [dataset], { resolve_archives: false }))).toEqual([both]);
  });

  it('answers the replicas of files, with PFNs, RSEs and states', async () => {
    const { scope, one, two } = setup;
    const [line] = await list(scope, ['a']);
    const answer = await root.get(`/rses/${one}`);
    const { id } = answer.json() as { id: string };
    expect(Object.keys(line ?? {})).toEqual(['scope', 'name', 'bytes', 'md5', 'adler32', 'pfns', 'rses', 'states']);
    expect(line).toMatchObject({ scope, name: 'a', bytes: 10, md5: null, adler32: '0cc737eb' });
    expect(line?.states).toEqual({ [one]: 'AVAILABLE', [two]: 'AVAILABLE' });
    expect(Object.keys(line?.rses ?? {}).toSorted()).toEqual([one, two].toSorted());
    const pfn = line?.rses[one]?.[0] ?? '';
    expect(pfn).toMatch(new RegExp(`^file://localhost/one/${scope}/[0-9a-f]{2}/[0-9a-f]{2}/a$`));
    expect(line?.pfns[pfn]).toEqual({
      rse_id: id,
      rse: one,
      type: 'DISK',
      volatile: false,
      domain: 'wan',
      priority: 1,
      client_extract: false,
    });
  });

  it('always lists a named file, and a file of a collection only with a matching replica', async () => {
    const { scope, one } = setup;
    expect(names(await list(scope, ['ds']))).toEqual(['a', 'b']);
    expect(await list(scope, ['c'])).toMatchObject([{ name: 'c', pfns: {}, rses: {}, states: {} }]);
    expect(names(await list(scope, ['ds', 'c']))).toEqual(['a', 'b', 'c']);
    const every = await list(scope, ['ds'], { all_states: true });
    expect(every.map(({ name, states }) => [name, states[one]])).toEqual([
      ['a', 'AVAILABLE'],
      ['b', 'AVAILABLE'],
      ['c', 'COPYING'],
      ['d', 'BAD'],
      ['e', 'UNAVAILABLE'],
    ]);
    expect(names(await list(scope, ['ds'], { unavailable: true }))).toEqual(['a', 'b', 'c', 'e']);
  });

  it('skips unknown DIDs, and accepts an empty list', async () => {
    expect(names(await list(setup.scope, ['none', 'a']))).toEqual(['a']);
    expect(await list('nowhere', ['a'])).toEqual([]);
    expect(await list('a#b', ['/x'])).toEqual([]);
    for (const body of [{}, { dids: [] }]) {
      const answer = await post(body);
      expect(`${answer.status} ${answer.text}`).toBe('200 ');
      expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    }
  });

  it('lists each file once, by scope and name, through all levels and whatever the order of the request', async () => {
    const { scope } = setup;
    expect(names(await list(scope, ['b', 'beside', 'outer', 'a', 'ds', 'a']))).toEqual(['a', 'b']);
    const [first = '', second = ''] = [await newScope(), await newScope()].toSorted();
    await register(setup.one, second, ['a', 'c']);
    await register(setup.one, first, ['b', 'd']);
    const both = uniqueName('both');
    expect((await root.post(`/dids/${scope}/${both}`, { type: 'DATASET' })).status).toBe(201);
    const children = [
      ['a', second],
      ['b', first],
      ['c', second],
      ['d', first],
    ].map(([name, from]) => ({ scope: from, name }));
    expect((await root.post(`/dids/${scope}/${both}/dids`, { dids: children })).status).toBe(201);
    const lines = await list(scope, [both]);
    expect(lines.map((line) => [line.scope, line.name])).toEqual([
      [first, 'b'],
      [first, 'd'],
      [second, 'a'],
      [second, 'c'],
    ]);
  });

  it('lists large collections that share files in order and once, with few in memory', async () => {
    const scope = await newScope();
    const some = Array.from({ length: 900 }, (_, index) => `f.${String((index * 7919) % 900).padStart(4, '0')}`);
    await register(setup.one, scope, some);
    const datasets = Array.from({ length: 4 }, (_, index) => `ds.${index}`);
    for (const [index, dataset] of datasets.entries()) {
      await collect('DATASET', scope, dataset, some.slice(index * 84, index * 84 + 650));
    }
    await collect('CONTAINER', scope, 'all', datasets);
    expect(names(await list(scope, ['all', 'ds.3', 'f.0001']))).toEqual(some.toSorted());
  });

  it('filters by an RSE expression', async () => {
    const { scope, one, two } = setup;
    const [line] = await list(scope, ['a'], { rse_expression: two });
    expect(line?.states).toEqual({ [two]: 'AVAILABLE' });
    expect(names(await list(scope, ['ds'], { rse_expression: `${one}|${two}`, all_states: true }))).toEqual(all);
    const none = await post({ dids: [{ scope, name: 'a' }], rse_expression: 'NOSUCHRSE' });
    expectError(none, 400, 'InvalidRSEExpression', 'RSE Expression resulted in an empty set.');
    expectError(await post({ dids: [{ scope, name: 'a' }], rse_expression: '((' }), 400, 'InvalidRSEExpression');
  });

  it('leaves out RSEs that are not readable, unless that is ignored', async () => {
    const rse = await newStorageRse({ prefix: '/', availability_read: false });
    const name = uniqueName('f');
    await register(rse, setup.scope, [name]);
    expect((await list(setup.scope, [name]))[0]?.states).toEqual({});
    expect((await list(setup.scope, [name], { ignore_availability: true }))[0]?.states).toEqual({ [rse]: 'AVAILABLE' });
    // The older option means this as well, whatever its value.
    expect((await list(setup.scope, [name], { unavailable: false }))[0]?.states).toEqual({ [rse]: 'AVAILABLE' });
    expect((await list(setup.scope, [name], { unavailable: true, ignore_availability: false }))[0]?.states).toEqual({});
  });

  it('names all ancestors of a file when asked to', async () => {
    const { scope } = setup;
    const [line] = await list(scope, ['a'], { resolve_parents: true });
    const above = ['ds', 'inner', 'outer', 'beside'].map((name) => `${scope}:${name}`);
    expect(line?.parents?.toSorted()).toEqual(above.toSorted());
    expect(line?.parents?.indexOf(`${scope}:inner`)).toBeGreaterThan(line?.parents?.indexOf(`${scope}:ds`) ?? 9);
    const lines = await list(scope, ['other'], { resolve_parents: true });
    expect(lines[0]?.parents?.toSorted()).toEqual([...above, `${scope}:other`].toSorted());
    expect((await list(scope, ['a']))[0]).not.toHaveProperty('parents');
  });

  it('draws files at random', async () => {
    const { scope } = setup;
    const drawn = new Set<string>();
    for (let run = 0; run < 40 && drawn.size < 5; run += 1) {
      const lines = await list(scope, ['ds'], { nrandom: 2, all_states: true });
      expect(lines).toHaveLength(2);
      expect(names(lines)).toEqual(names(lines).toSorted());
      for (const name of names(lines)) drawn.add(name);
    }
    expect([...drawn].toSorted()).toEqual(all);
    expect(names(await list(scope, ['ds'], { nrandom: '9', all_states: true }))).toEqual(all);
    expect(names(await list(scope, ['ds'], { nrandom: 0 }))).toEqual(['a', 'b']);
    expect(await list(scope, ['ds'], { nrandom: -1 })).toEqual([]);
  });

  it('leaves out replicas that have not changed since a time', async () => {
    const { scope, one } = setup;
    for (const before of [0, 1e9, '2020-01-01T00:00:00']) {
      expect((await list(scope, ['a'], { updated_after: before }))[0]?.states).toHaveProperty(one);
    }
    expect(await list(scope, ['ds'], { updated_after: 4_102_444_800 })).toEqual([]);
    const vague = await post({ dids: [{ scope, name: 'a' }], updated_after: 'yesterday' });
    expectError(vague, 400, 'ValueError', "time data 'yesterday' does not match format '%Y-%m-%dT%H:%M:%S'");
  });

  it.each([
    ['no list', { dids: 5 }],
    ['an entry that is no DID', { dids: [5] }],
    ['an entry without a name', { dids: [{ scope: 's' }] }],
    ['another key', { dids: [{ scope: 's', name: 'n', colour: 'red' }] }],
    ['too many DIDs', { dids: Array.from({ length: 1001 }, () => ({ scope: 's', name: 'n' })) }],
    ['a site that is no text', { client_location: { site: 5 } }],
    ['schemes that are none', { schemes: 5 }],
  ])('refuses %s', async (_what, body) => {
    expectError(await post(body), 400, 'InvalidObject');
  });

  it('tolerates other keys of a DID, and refuses invalid flags and bodies', async () => {
    const { scope } = setup;
    const did = { ...files(scope, ['a'])[0], type: 'FILE', state: 'A', pfn: 'x' };
    expect((await post({ dids: [did] })).lines()).toHaveLength(1);
    expectError(await post({ all_states: 'x' }), 400, 'TypeError', "'all_states' must be a boolean type.");
    expectError(await post({ all_states: null }), 400, 'KeyError', "'all_states' not defined");
    expectError(await post([]), 400, 'TypeError', 'body must be a json dictionary');
    expectError(await nobody.post('/replicas/list', {}), 401, 'CannotAuthenticate', 'Token must be set.');
  });

  it('does not show a deleted replica', async () => {
    const name = uniqueName('f');
    await register(setup.one, setup.scope, [name]);
    expectEmpty(await root.delete('/replicas', { rse: setup.one, files: [{ scope: setup.scope, name }] }));
    expect(await list(setup.scope, [name], { all_states: true })).toEqual([]);
  });
});
