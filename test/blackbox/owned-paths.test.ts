import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  addProtocol,
  everywhere,
  expectStatus,
  files,
  list,
  newStorageRse,
  register,
  states,
} from '../support/replicas.ts';
import { allow, newRule, ruleOf } from '../support/rules.ts';
import { asRoot, expectCreated, expectEmpty, expectError, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
let scope: string;
let tape: string;

beforeAll(async () => {
  [scope, tape] = await Promise.all([newScope(), newStorageRse({ deterministic: false })]);
  const impl = 'rucio.rse.protocols.gfal.Default';
  await addProtocol(tape, 'davs', { hostname: 'h', port: 443, prefix: '/p', impl, domains: everywhere });
  await addProtocol(tape, 'root', { hostname: 'h', port: 1094, prefix: '//p', impl, domains: everywhere });
});

const pfnOf = (path: string) => `davs://h:443/p/${path}`;
const add = (entries: readonly object[], rse = tape) => root.post('/replicas', { rse, files: entries });
const one = (name: string, path: string) => files(scope, [name], { pfn: pfnOf(path) });

describe('a path on an RSE that is not deterministic', () => {
  it('belongs to one file, in all spellings and by all protocols', async () => {
    const [owner, thief] = [uniqueName('f'), uniqueName('f')];
    const path = `data/${owner}/a b.root`;
    await register(tape, scope, [owner], { pfn: pfnOf(path) });
    const spellings = [
      path,
      `/${path}`,
      path.replace('a b', 'a%20b'),
      path.replace('a b', '%61%20b'),
      path.toUpperCase(),
    ];
    const pfns = [...spellings.map(pfnOf), `root://h:1094//p/${path}`, `root://h//p/${path}`];
    for (const pfn of pfns) {
      const answer = await add(files(scope, [thief], { pfn }));
      expectError(answer, 400, 'InvalidPath', new RegExp(`of ${scope}:${thief} belongs to ${scope}:${owner} `));
    }
    expectError(await root.get(`/dids/${scope}/${thief}`), 404, 'DataIdentifierNotFound');
    expectCreated(await add(one(owner, path)));
    expect(Object.keys((await list(scope, [owner], { schemes: ['davs'] }))[0]?.pfns ?? {})).toEqual([pfnOf(path)]);
  });

  it('is given to one of two files that ask for it in one request, or at once', async () => {
    const [a, b, path] = [uniqueName('f'), uniqueName('f'), uniqueName('p')];
    const both = await add([...one(a, path), ...one(b, path.toUpperCase())]);
    expectError(
      both,
      400,
      'InvalidPath',
      `${scope}:${b} and ${scope}:${a} have the same path on an RSE in this request`,
    );
    const answers = await Promise.all([a, b].map((name) => add(one(name, path))));
    expect(answers.map(({ status }) => status).toSorted((first, second) => first - second)).toEqual([201, 400]);
  });

  it('does not become that of another by a report, and is free once its replica is gone', async () => {
    const [a, b, path] = [uniqueName('f'), uniqueName('f'), uniqueName('p')];
    await register(tape, scope, [a], { pfn: pfnOf(path) });
    await register(tape, scope, [b], { pfn: pfnOf(`${path}.b`) });
    const move = (name: string, to: string) =>
      root.put('/replicas', { rse: tape, files: [{ scope, name, state: 'A', path: to }] });
    expectError(await move(b, `/${path}`), 400, 'InvalidPath', new RegExp(`belongs to ${scope}:${a} `));
    // Another spelling of its own path, then another one.
    for (const to of [path.toUpperCase(), `${path}.moved`]) expectEmpty(await move(a, to));
    expectEmpty(await move(b, path));
    expectEmpty(
      await root.delete('/replicas', {
        rse: tape,
        files: [
          { scope, name: a },
          { scope, name: b },
        ],
      }),
    );
    expect(await states(scope, a)).toEqual({});
    const next = uniqueName('f');
    for (const each of [path, `${path}.moved`]) {
      expectCreated(await add(one(`${next}${each.length}`, each)));
    }
  });

  it('is found by its PFN, in its spelling alone', async () => {
    const [name, path] = [uniqueName('f'), uniqueName('P')];
    await register(tape, scope, [name], { pfn: pfnOf(path) });
    const find = async (pfn: string) => (await root.post('/replicas/dids', { rse: tape, pfns: [pfn] })).lines();
    expect(await find(pfnOf(path))).toEqual([{ [pfnOf(path)]: { scope, name } }]);
    expect(await find(pfnOf(path.toLowerCase()))).toEqual([]);
  });
});

describe('the path of a file on a deterministic RSE', () => {
  it('belongs to one file, also if the algorithm makes it of several names', async () => {
    const rse = await newStorageRse({ prefix: '/id' });
    expectCreated(await root.post(`/rses/${rse}/attr/lfn2pfn_algorithm`, { value: 'identity' }));
    const outer = `user.${uniqueName('b').slice(0, 12)}`;
    const inner = `${outer}.sub`;
    for (const each of [outer, inner]) expectCreated(await root.post(`/scopes/root/${each}`));
    await register(rse, inner, ['f']);
    const answer = await root.post('/replicas', { rse, files: files(outer, ['sub/f']) });
    expectError(answer, 400, 'InvalidPath', new RegExp(`of ${outer}:sub/f belongs to ${inner}:f `));
    await register(rse, outer, ['sub/g']);
    expectEmpty(await root.delete('/replicas', { rse, files: [{ scope: inner, name: 'f' }] }));
    await register(rse, outer, ['sub/f']);
  });
});

describe('the path of a copy that a rule asks for', () => {
  let outer: string;
  let inner: string;
  let home: string;
  let rse: string;

  beforeEach(async () => {
    outer = `user.${uniqueName('b').slice(0, 12)}`;
    inner = `${outer}.sub`;
    for (const each of [outer, inner]) expectCreated(await root.post(`/scopes/root/${each}`));
    [home, rse] = [await newStorageRse(), await newStorageRse({ prefix: '/id' })];
    expectCreated(await root.post(`/rses/${rse}/attr/lfn2pfn_algorithm`, { value: 'identity' }));
    await allow('root', rse);
    await register(home, outer, ['sub/f', 'sub/g', 'free']);
    await register(home, inner, ['f', 'g']);
  });

  const shown = async (id: string) => {
    const { state, error } = await ruleOf(id);
    return [state, error];
  };
  const taken = (owner: string) => [
    'STUCK',
    `The path '${outer.replace('.', '/')}/sub/f' on the RSE belongs to ${owner}`,
  ];
  const dids = (...names: [string, string][]) => names.map(([scopeOf, name]) => ({ scope: scopeOf, name }));

  it('belongs to one file: a rule on another says why it is stuck, and is repaired once the path is free', async () => {
    await register(rse, inner, ['f']);
    const rule = await newRule({ scope: outer, name: 'sub/f' }, rse);
    expect(await shown(rule)).toEqual(taken(`${inner}:f`));
    expect(await states(outer, 'sub/f')).toEqual({ [home]: 'AVAILABLE', [rse]: 'UNAVAILABLE' });
    expect((await root.get(`/requests/list?src_rse=*&dst_rse=${rse}&request_states=Q`)).lines()).toEqual([]);
    expectEmpty(await root.delete('/replicas', { rse, files: dids([inner, 'f']) }));
    expectEmpty(await root.put(`/rules/${rule}`, { options: { boost_rule: true } }));
    await expect.poll(() => shown(rule), { timeout: 30_000 }).toEqual(['REPLICATING', null]);
    expectError(await root.post('/replicas', { rse, files: files(inner, ['f']) }), 400, 'InvalidPath');
  });

  it('holds up no other file of a dataset, whichever of two has the path', async () => {
    const name = uniqueName('ds');
    expectStatus(await root.post(`/dids/${outer}/${name}`, { type: 'DATASET' }), 201);
    const content = dids([outer, 'free'], [outer, 'sub/f'], [inner, 'f']);
    expectStatus(await root.post(`/dids/${outer}/${name}/dids`, { dids: content }), 201);
    const rule = await newRule({ scope: outer, name }, rse);
    const { state, locks_replicating_cnt: copied, locks_stuck_cnt: stuck } = await ruleOf(rule);
    expect([state, copied, stuck]).toEqual(['STUCK', 2, 1]);
    const later = dids([outer, 'sub/g'], [inner, 'g']);
    expectStatus(await root.post(`/dids/${outer}/${name}/dids`, { dids: later }), 201);
    const counts = async () => {
      const now = await ruleOf(rule);
      return [now['locks_replicating_cnt'], now['locks_stuck_cnt']];
    };
    await expect.poll(counts, { timeout: 30_000 }).toEqual([3, 2]);
  });

  it('is given to one of two rules at the same time', async () => {
    const rules = await Promise.all([
      newRule({ scope: outer, name: 'sub/f' }, rse),
      newRule({ scope: inner, name: 'f' }, rse),
    ]);
    const found = await Promise.all(rules.map(async (id) => (await ruleOf(id)).state));
    expect(found.toSorted()).toEqual(['REPLICATING', 'STUCK']);
  });

  it('is free again when the rule is gone', async () => {
    const rule = await newRule({ scope: outer, name: 'sub/f' }, rse, { purge_replicas: true });
    expectError(await root.post('/replicas', { rse, files: files(inner, ['f']) }), 400, 'InvalidPath');
    expectEmpty(await root.put(`/rules/${rule}`, { options: { lifetime: 0 } }));
    await expect.poll(async () => (await root.get(`/rules/${rule}`)).status, { timeout: 30_000 }).toBe(404);
    expectEmpty(await root.delete('/replicas', { rse, files: dids([outer, 'sub/f']) }));
    await register(rse, inner, ['f']);
  });

  it('is not written over where another file has it, too, of a catalogue that allowed that', async () => {
    const old = await newStorageRse({ prefix: '/old' });
    await allow('root', old);
    await register(old, outer, ['sub/f', 'free']);
    await register(old, inner, ['f']);
    const rule = await newRule({ scope: outer, name: 'sub/f' }, old);
    await newRule({ scope: outer, name: 'free' }, old);
    expectCreated(await root.post(`/rses/${old}/attr/lfn2pfn_algorithm`, { value: 'identity' }));
    const bad = dids([outer, 'sub/f'], [outer, 'free']).map((did) => Object.assign(did, { rse: old }));
    expectStatus(await root.post('/replicas/bad/dids', { dids: bad, rse: old, reason: 'rotten', state: 'BAD' }), 201);
    const leased = await root.post('/requests/lease', { holder: 'test', dst_rse: old, seconds: 60 });
    expect((leased.json() as { name: string }[]).map(({ name }) => name)).toEqual(['free']);
    const reason = `${inner}:f has the same path on this RSE, and would be overwritten.`;
    expect(await shown(rule)).toEqual(['STUCK', reason]);
  });
});
