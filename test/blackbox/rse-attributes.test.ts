import { beforeAll, describe, expect, it } from 'vitest';

import { newRse } from '../support/rses.ts';
import {
  type Answer,
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
} from '../support/server.ts';

const root = asRoot();
const stream = { headers: { Accept: 'application/x-json-stream' } };

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

const set = (name: string, key: string, value: unknown) =>
  root.post(`/rses/${name}/attr/${encodeURIComponent(key)}`, { value });

describe('attributes of an RSE (rses 1.6 to 1.8, 2.3)', () => {
  it.each([
    [true, true],
    ['TrUe', true],
    [false, false],
    ['False', false],
    [1, '1'],
    [0, '0'],
    [1.5, '1.5'],
    ['1', '1'],
    ['', ''],
    ['  true ', '  true '],
    [null, null],
  ])('%j is read back as %j', async (value, read) => {
    const { name } = await newRse();
    expectCreated(await set(name, 'key', value));
    expect((await alice.get(`/rses/${name}/attr/`)).json()).toEqual({ [name]: true, key: read });
  });

  it('integers are exact beyond 2^53', async () => {
    const { name } = await newRse();
    const rawBody = '{"value": 9007199254740993}';
    expectCreated(await root.post(`/rses/${name}/attr/big`, undefined, { rawBody }));
    expect((await root.get(`/rses/${name}/attr`)).json()).toMatchObject({ big: '9007199254740993' });
  });

  it('are overwritten, also by their own kind: true by 1, false by 0', async () => {
    const { name } = await newRse();
    for (const value of [true, 1, false, 0, 'x', 'x', null]) expectCreated(await set(name, 'key', value));
    expect((await root.get(`/rses/${name}/attr/`)).json()).toEqual({ [name]: true, key: null });
    expectCreated(await set(name, 'key', true));
    expectCreated(await set(name, 'key', 1));
    expect((await root.get(`/rses/${name}/attr/`)).json()).toEqual({ [name]: true, key: '1' });
  });

  it('may have any key', async () => {
    const { name } = await newRse();
    const strange = ['a#b', ' ', '%', 'é', "'", 'attr:x', '~x', 'rev', 'constructor', '__proto__', 'k'.repeat(255)];
    for (const key of strange) expectCreated(await set(name, key, 1));
    const found = (await root.get(`/rses/${name}/attr`)).json() as Record<string, unknown>;
    expect(Object.keys(found).toSorted()).toEqual([...strange, name].toSorted());
    for (const key of strange) expectEmpty(await root.delete(`/rses/${name}/attr/${encodeURIComponent(key)}`));
    expect((await root.get(`/rses/${name}/attr`)).json()).toEqual({ [name]: true });
    const message = "RSE attribute 'toString' cannot be found";
    expectError(await root.delete(`/rses/${name}/attr/toString`), 404, 'RSEAttributeNotFound', message);
  });

  it('take the value inside `parameter` too (interface 2.7, rses 9.3)', async () => {
    const { name } = await newRse();
    expectCreated(await root.post(`/rses/${name}/attr/key`, { parameter: { value: 'x' } }));
    expect((await root.get(`/rses/${name}/attr`)).json()).toMatchObject({ key: 'x' });
  });

  it.each([
    ['a list', [1, 2]],
    ['an object', { a: 1 }],
    ['a long text', 'v'.repeat(256)],
  ])('%s is not a valid value', async (_what, value) => {
    const { name } = await newRse();
    expectError(await set(name, 'key', value), 400, 'InvalidObject', /^Problem validating rse_attribute: /);
  });

  it('a missing value, a bad body and a long key are 400', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/attr/key`;
    expectError(await root.post(path, {}), 400, 'KeyError', "'value' not defined");
    expectError(await root.post(path), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await root.post(path, [1]), 400, 'TypeError', 'body must be a json dictionary');
    expectError(await set(name, 'k'.repeat(256), 1), 400, 'InvalidObject', /^Problem validating rse_attribute: /);
  });

  it('an unknown RSE is 404 before the permission is checked', async () => {
    const message = "RSE 'NO-SUCH-RSE' cannot be found in vo 'def'";
    for (const client of [root, alice]) {
      expectError(await client.get('/rses/NO-SUCH-RSE/attr/'), 404, 'RSENotFound', message);
      expectError(await client.post('/rses/NO-SUCH-RSE/attr/key', { value: 1 }), 404, 'RSENotFound', message);
      expectError(await client.delete('/rses/NO-SUCH-RSE/attr/key'), 404, 'RSENotFound', message);
    }
  });

  it('are set and taken away by root and admins', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/attr/key`;
    const denial = (what: string) => `Account ${alice.account} can not ${what} RSE attributes. `;
    expectError(await alice.post(path, { value: 1 }), 401, 'AccessDenied', denial('add'));
    expectError(await alice.delete(path), 401, 'AccessDenied', denial('delete'));
    expectError(await nobody.get(`/rses/${name}/attr/`), 401, 'CannotAuthenticate');
    expectCreated(await admin.post(path, { value: 1 }));
    expectEmpty(await admin.delete(path));
    expectError(await admin.delete(path), 404, 'RSEAttributeNotFound', "RSE attribute 'key' cannot be found");
    expectError(await root.get(`/rses/${name}/attr/`, stream), 406, 'UnsupportedRequestedContentType');
  });

  it('make the RSE match an expression, until they are deleted', async () => {
    const { name } = await newRse();
    const [tag, path] = [`TAG-${name}`, `/rses/?expression=TAG-${name}`];
    expectCreated(await set(name, tag, true));
    expect((await root.get(path)).lines()).toEqual([{ rse: name }]);
    expectEmpty(await root.delete(`/rses/${name}/attr/${tag}`));
    expectError(await root.get(path), 400, 'InvalidRSEExpression');
  });

  it('some are shown among the settings (rses 2.4, 2.5)', async () => {
    const { name } = await newRse();
    const shown = async () => (await root.get(`/rses/${name}`)).json();
    const values = { lfn2pfn_algorithm: 'identity', verify_checksum: 'sometimes', sign_url: 'gcs' };
    for (const [key, value] of Object.entries(values)) expectCreated(await set(name, key, value));
    expect(await shown()).toMatchObject(values);
    for (const key of Object.keys(values)) expectCreated(await set(name, key, ''));
    expect(await shown()).toMatchObject({ lfn2pfn_algorithm: 'hash', verify_checksum: '', sign_url: '' });
    for (const key of Object.keys(values)) expectCreated(await set(name, key, null));
    expect(await shown()).toMatchObject({ lfn2pfn_algorithm: 'hash', verify_checksum: true, sign_url: null });
    expectCreated(await set(name, 'verify_checksum', 'false'));
    expect(await shown()).toMatchObject({ verify_checksum: false });
  });
});

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('many changes of an RSE at once', () => {
  it('are all kept', async () => {
    const { name } = await newRse();
    const properties = { volatile: true, staging_area: true, deterministic: false, qos_class: 'gold', city: 'Bern' };
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_value, index) => set(name, `key-${index}`, index)),
      ...Object.entries(properties).map(([key, value]) => root.put(`/rses/${name}`, { [key]: value })),
      root.put(`/rses/${name}/limits`, { name: 'MinFreeSpace', value: 1 }),
      root.post(`/rses/${name}/qos_policy/FAST`),
    ]);
    for (const { status } of answers) expect([200, 201]).toContain(status);
    const keys = Array.from({ length: 20 }, (_value, index) => [`key-${index}`, String(index)]);
    const attributes = (await root.get(`/rses/${name}/attr/`)).json();
    expect(attributes).toEqual({ [name]: true, city: 'Bern', ...Object.fromEntries(keys) });
    const { city: _city, ...settings } = properties;
    expect((await root.get(`/rses/${name}`)).json()).toMatchObject(settings);
    expect((await root.get(`/rses/${name}/limits`)).json()).toEqual({ MinFreeSpace: 1 });
    expect((await root.get(`/rses/${name}/qos_policy`)).json()).toEqual(['FAST']);
  });

  it('of the same policy or name succeed once', async () => {
    const [one, two] = [await newRse(), await newRse()];
    const taken = `${one.name}-NEW`;
    const policies = await Promise.all(Array.from({ length: 5 }, () => root.post(`/rses/${one.name}/qos_policy/FAST`)));
    expect(statuses(policies)).toEqual([201, 409, 409, 409, 409]);
    const renames = await Promise.all([one, two].map(({ name }) => root.put(`/rses/${name}`, { name: taken })));
    expect(statuses(renames)).toEqual([201, 409]);
    const deletions = await Promise.all(Array.from({ length: 3 }, () => root.delete(`/rses/${taken}`)));
    expect(statuses(deletions)).toEqual([200, 404, 404]);
  });
});
