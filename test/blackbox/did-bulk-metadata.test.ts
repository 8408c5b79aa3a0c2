import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  type Client,
  expectCreated,
  expectError,
  newAccount,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
let alice: Client;
let scope: string;

beforeAll(async () => {
  alice = await newAccount();
  scope = await newScope({ owner: alice.account });
});

const at = (name: string, suffix = '') => `/dids/${scope}/${name}${suffix}`;
const named = (...names: readonly string[]) => names.map((name) => ({ scope, name }));
const each = (names: readonly string[], more: object) => names.map((name) => Object.assign({ scope, name }, more));

async function addMany(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => uniqueName('ds'));
  const body = names.map((name) => ({ scope, name, type: 'DATASET' }));
  expect((await alice.post('/dids/', body)).status).toBe(201);
  return names;
}

const bulk = (body: object, headers: Record<string, string> = {}) => alice.post('/dids/bulkmeta', body, { headers });

describe('read metadata of many DIDs (dids 2.18)', () => {
  it('answers every existing DID once, with its scope and name, and skips the others', async () => {
    const [one = '', two = ''] = await addMany(2);
    expectCreated(await alice.post(at(one, '/meta'), { meta: { shift: 'night', project: 'p' } }));
    const rows = (await bulk({ dids: named(one, two, one, 'nothing'), plugin: 'json' })).lines();
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        { scope, name: one, shift: 'night' },
        { scope, name: two },
      ]),
    );
    const columns = (await bulk({ dids: named(one) })).lines() as object[];
    expect(columns).toMatchObject([{ name: one, project: 'p' }]);
    expect(Object.keys(columns[0] ?? {})).toHaveLength(42);
  });

  it('inherits missing values from the nearest ancestor, in the order of the request', async () => {
    const [dataset = ''] = await addMany(1);
    const [inner, outer] = [uniqueName('inner'), uniqueName('outer')];
    for (const name of [inner, outer]) expect((await alice.post(at(name), { type: 'CONTAINER' })).status).toBe(201);
    expect((await alice.post(at(inner, '/dids'), { dids: named(dataset) })).status).toBe(201);
    expect((await alice.post(at(outer, '/dids'), { dids: named(inner) })).status).toBe(201);
    expectCreated(await alice.post(at(dataset, '/meta'), { meta: { own: 1, shared: 'dataset' } }));
    expectCreated(await alice.post(at(inner, '/meta'), { meta: { shared: 'inner', middle: null } }));
    expectCreated(await alice.post(at(outer, '/meta'), { meta: { shared: 'outer', middle: 2, top: 3 } }));
    const answer = await bulk({ dids: named('nothing', outer, dataset), plugin: 'JSON', inherit: true });
    expect(answer.lines()).toEqual([
      { scope, name: 'nothing' },
      { scope, name: outer, shared: 'outer', middle: 2, top: 3 },
      { scope, name: dataset, own: 1, shared: 'dataset', middle: null, top: 3 },
    ]);
  });

  it('is a stream, and a JSON list for a client that takes nothing but JSON (6 #14)', async () => {
    const [name = ''] = await addMany(1);
    const body = { dids: named(name), plugin: 'JSON' };
    for (const accept of ['*/*', 'application/x-json-stream', 'application/json, application/x-json-stream']) {
      const answer = await bulk(body, { Accept: accept });
      expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
      expect(answer.text).toBe(`{"scope": "${scope}", "name": "${name}"}\n`);
    }
    const list = await bulk(body, { Accept: 'application/json; charset=utf-8' });
    expect(list.headers.get('Content-Type')).toBe('application/json');
    expect(list.json()).toEqual([{ scope, name }]);
    expect((await bulk({ dids: [] }, { Accept: 'application/json' })).json()).toEqual([]);
    expectError(await bulk(body, { Accept: 'text/html' }), 406, 'UnsupportedRequestedContentType');
  });

  it('is 404 only when none of the scopes exists (6 #13)', async () => {
    const unknown = [{ scope: 'no-such-scope', name: 'x' }];
    expectError(await bulk({ dids: unknown }), 404, 'DataIdentifierNotFound');
    expect((await bulk({ dids: [...unknown, ...named('nothing')] })).text).toBe('');
    expect((await bulk({ dids: [] })).text).toBe('');
  });
});

describe('metadata in the creation of many DIDs (dids 2.1)', () => {
  it('takes keys and values of any text, and as many as can be set at once', async () => {
    const odd = { "it's": "'", 'a "b" \\ c': 'x\ny', 'ü\n#%': { '': [1e300] }, '': 'empty', '{"json":1}': null };
    const many = Object.fromEntries(Array.from({ length: 195 }, (_value, index) => [`key-number-${index}`, index]));
    const meta = { ...odd, ...many };
    const names = Array.from({ length: 12 }, () => uniqueName('ds'));
    const answer = await alice.post('/dids', each(names, { type: 'DATASET', meta }));
    expect(`${answer.status} ${answer.text}`).toBe('201 Created');
    for (const row of (await bulk({ dids: named(...names), plugin: 'JSON' })).lines() as { name: string }[]) {
      expect(row).toEqual({ ...meta, scope, name: row.name });
    }
  });
});

describe('set metadata of many DIDs (dids 2.19)', () => {
  it('sets that of 1000 DIDs, and of none when one is unknown', async () => {
    const names = await addMany(1000);
    const dids = (meta: object) => each(names, { meta });
    expectCreated(await alice.post('/dids/bulkdidsmeta', { dids: dids({ project: 'p', shift: 'night' }) }));
    const rows = (await bulk({ dids: named(...names), plugin: 'ALL' })).lines() as Record<string, unknown>[];
    expect(rows).toHaveLength(1000);
    expect(rows.every((row) => row['project'] === 'p' && row['shift'] === 'night')).toBe(true);

    const one = [...dids({ shift: 'day' }).slice(1), { scope, name: 'nothing', meta: { shift: 'day' } }];
    expectError(await alice.post('/dids/bulkdidsmeta', { dids: one }), 404, 'DataIdentifierNotFound');
    const after = (await bulk({ dids: named(...names), plugin: 'JSON' })).lines() as Record<string, unknown>[];
    expect(after.every((row) => row['shift'] === 'night')).toBe(true);
  });

  it('sets 200 keys on a DID that is named several times, and refuses more by its name', async () => {
    const [dataset = '', ...others] = await addMany(12);
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_value, index) => [`key${from + index}`, index]));
    const beside = others.map((name) => ({ scope, name, meta: { shift: 'day' } }));
    const entry = (from: number, count: number) => ({ scope, name: dataset, meta: keys(from, count) });
    const tooMany = { dids: [entry(0, 200), entry(200, 200), entry(400, 1), ...beside] };
    const answer = await alice.post('/dids/bulkdidsmeta', tooMany);
    expectError(answer, 400, 'InvalidMetadata');
    expect(answer.text).toContain(`${scope}:${dataset}`);
    expect((await alice.get(at(dataset, '/meta?plugin=JSON'))).json()).toEqual({});
    expectCreated(await alice.post('/dids/bulkdidsmeta', { dids: [entry(0, 100), entry(50, 150), ...beside] }));
    expect(Object.keys((await alice.get(at(dataset, '/meta?plugin=JSON'))).json() as object)).toHaveLength(200);
    expect((await alice.put(at(dataset, '/status'), { open: false })).status).toBe(200);
  });

  it('keeps the later of two values for one DID, and takes files together with their datasets', async () => {
    const [dataset = ''] = await addMany(1);
    const rse = uniqueName('disk').toUpperCase();
    expect((await root.post(`/rses/${rse}`)).status).toBe(201);
    expect((await root.post(`/accounts/${alice.account}/limits/local/${rse}`, { bytes: -1 })).status).toBe(201);
    const names = Array.from({ length: 12 }, () => uniqueName('file'));
    const files = each(names, { bytes: 1 });
    expect((await alice.post(at(dataset, '/dids'), { dids: files, rse })).status).toBe(201);
    const dids = [
      ...each(names, { meta: { events: 2 } }),
      { scope, name: dataset, meta: { project: 'first', shift: 'night' } },
      { scope, name: dataset, meta: { project: 'second' } },
    ];
    expectCreated(await alice.post('/dids/bulkdidsmeta', { dids }));
    expect((await alice.get(at(dataset, '/meta?plugin=ALL'))).json()).toMatchObject({
      project: 'second',
      shift: 'night',
      events: 24,
      length: 12,
    });
  });

  it('is 400 KeyError without metadata, and 401 with a reserved key', async () => {
    const [name = ''] = await addMany(1);
    expectError(await alice.post('/dids/bulkdidsmeta', { dids: named(name) }), 400, 'KeyError', "'meta' not defined");
    const reserved = { dids: [{ scope, name, meta: { account: 'root' } }] };
    expectError(await alice.post('/dids/bulkdidsmeta', reserved), 401, 'AccessDenied');
  });
});
