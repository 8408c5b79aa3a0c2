import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse } from '../support/replicas.ts';
import { asRoot, expectError, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
/** Names that an object has without having them. */
const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'isPrototypeOf'];
const proto = '__proto__';
const entry = (key: string, value: string) => `{${JSON.stringify(key)}:${value}}`;

let scope: string;
beforeAll(async () => {
  scope = await newScope();
});

async function newDid(): Promise<string> {
  const name = uniqueName('ds');
  expectStatus(await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' }), 201);
  return `${scope}/${name}`;
}

const send = (method: 'post' | 'put', path: string, rawBody: string) => root[method](path, undefined, { rawBody });

const metadataOf = async (did: string, plugin = 'JSON') =>
  new Map(Object.entries(JSON.parse((await root.get(`/dids/${did}/meta?plugin=${plugin}`)).text) as object));

describe('free metadata', () => {
  it.each(inherited)('may have the key %s: it is set, shown, searched for and deleted', async (key) => {
    const did = await newDid();
    expect((await metadataOf(did)).has(key)).toBe(false);
    expectStatus(await send('post', `/dids/${did}/meta/${key}`, '{"value": "one"}'), 201);
    expect((await metadataOf(did)).get(key)).toBe('one');
    expectStatus(await send('post', `/dids/${did}/meta`, `{"meta": ${entry(key, '"two"')}}`), 201);
    expect((await metadataOf(did, 'ALL')).get(key)).toBe('two');
    const found = await root.get(`/dids/${scope}/dids/search?type=all&${key}=two`);
    expect(found.text).toContain(did.split('/')[1]);
    expectStatus(await root.delete(`/dids/${did}/meta?key=${key}`), 200);
    expect((await metadataOf(did)).has(key)).toBe(false);
    expectStatus(await root.delete(`/dids/${did}/meta?key=${key}`), 404);
  });

  it(`never has the key ${proto}, on any route, nested values have it as it is`, async () => {
    const did = await newDid();
    const name = did.split('/')[1] ?? '';
    const meta = entry(proto, '{"a": 1}');
    const refused = [
      await send('post', `/dids/${did}/meta/${proto}`, '{"value": "one"}'),
      await send('post', `/dids/${did}/meta`, `{"meta": ${meta}}`),
      await send('post', `/dids/${scope}/${uniqueName('ds')}`, `{"type": "DATASET", "meta": ${meta}}`),
      await send(
        'post',
        '/dids',
        `[{"scope": "${scope}", "name": "${uniqueName('ds')}", "type": "DATASET", "meta": ${meta}}]`,
      ),
      await send('post', '/dids/bulkdidsmeta', `{"dids": [{"scope": "${scope}", "name": "${name}", "meta": ${meta}}]}`),
    ];
    for (const answer of refused) expectError(answer, 400, 'InvalidMetadata', /__proto__/);
    expect((await metadataOf(did)).size).toBe(0);
    const nested = `{"${proto}": {"a": ["${proto}", {"${proto}": null, "constructor": 1}]}}`;
    expectStatus(await send('post', `/dids/${did}/meta`, `{"meta": {"nested": ${nested}}}`), 201);
    const shown = (await metadataOf(did)).get('nested');
    expect(JSON.stringify(shown)).toBe(JSON.stringify(JSON.parse(nested)));
  });

  it('is refused where names of options, domains and DIDs would be left out', async () => {
    const rse = await newStorageRse();
    const option = entry(proto, '{"a": "b"}');
    const impl = '"hostname": "h", "port": 1, "prefix": "/p", "impl": "rucio.rse.protocols.gfal.Default"';
    for (const answer of [
      await send('post', '/config', option),
      await send('post', `/rses/${rse}/protocols/davs`, `{${impl}, "domains": {"${proto}": {"read": 1}}}`),
      await send('post', `/rses/${rse}/protocols/davs`, `{${impl}, "domains": {"wan": {"${proto}": 1}}}`),
    ])
      expectError(answer, 400, 'InvalidObject', /__proto__/);
  });

  it('of new files may have such keys as well, but not that one', async () => {
    const rse = await newStorageRse();
    const file = (meta: string) => `{"scope": "${scope}", "name": "${uniqueName('f')}", "bytes": 1, "meta": ${meta}}`;
    const body = (meta: string) => `{"rse": "${rse}", "files": [${file(meta)}]}`;
    expectError(await send('post', '/replicas', body(entry(proto, '1'))), 400, 'InvalidMetadata', /__proto__/);
    expectStatus(await send('post', '/replicas', body(entry('constructor', '1'))), 201);
  });
});

describe('attributes, options and limits by such names', () => {
  const all = [...inherited, proto];

  it.each(all)('%s: an attribute of an RSE, of an account, and an option', async (key) => {
    const rse = await newStorageRse();
    const account = uniqueName('acc');
    expectStatus(await root.post(`/accounts/${account}`, { type: 'USER', email: 'a@example.org' }), 201);
    for (const path of [`/rses/${rse}/attr`, `/accounts/${account}/attr`]) {
      expect((await root.get(path)).text).not.toContain(`"${key}"`);
      const set = await root.post(`${path}/${key}`, { key, value: 'v' });
      if (set.status === 201) expect((await root.get(path)).text).toContain(`"${key}"`);
      else expect([400, 404]).toContain(set.status);
    }
    expect((await root.get(`/rses/?expression=${key}=v`)).status).toBeLessThan(500);
    const section = uniqueName('section');
    const put = await root.put(`/config/${section}/${key}/v`);
    expect(put.status).toBeLessThan(500);
    if (put.status < 300) expect((await root.get(`/config/${section}/${key}`)).text).toContain('v');
    expect((await root.get(`/config/${key}`)).status).toBe(404);
    expect((await root.get(`/config/${key}/${key}`)).status).toBe(404);
    expect((await root.put(`/rses/${rse}/limits`, { name: key, value: 1 })).status).toBeLessThan(500);
    const usage = await root.get(`/accounts/${key}/usage`);
    expect(usage.status).toBeLessThan(500);
  });
});
