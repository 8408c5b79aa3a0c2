import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
let alice: Client;
let bob: Client;
let scope: string;
let rse: string;

beforeAll(async () => {
  [alice, bob] = await Promise.all([newAccount(), newAccount()]);
  scope = await newScope({ owner: alice.account });
  rse = uniqueName('disk').toUpperCase();
  expect((await root.post(`/rses/${rse}`)).status).toBe(201);
  expect((await root.post(`/accounts/${alice.account}/limits/local/${rse}`, { bytes: -1 })).status).toBe(201);
});

const at = (name: string, suffix = '') => `/dids/${scope}/${name}${suffix}`;
const named = (...names: readonly string[]) => names.map((name) => ({ scope, name }));
const each = (names: readonly string[], more: object) => names.map((name) => Object.assign({ scope, name }, more));

async function add(type: 'DATASET' | 'CONTAINER', more: object = {}): Promise<string> {
  const name = uniqueName(type);
  expect((await alice.post(at(name), { type, ...more })).status).toBe(201);
  return name;
}

async function addFiles(count: number, meta: object = {}): Promise<{ dataset: string; files: string[] }> {
  const files = Array.from({ length: count }, () => uniqueName('file'));
  const dids = each(files, { bytes: 10, adler32: '0cc737eb', meta });
  return { dataset: await add('DATASET', { dids, rse }), files };
}

const attach = async (parent: string, ...children: readonly string[]) => {
  expect((await alice.post(at(parent, '/dids'), { dids: named(...children) })).status).toBe(201);
};

const detach = async (parent: string, ...children: readonly string[]) =>
  expectEmpty(await alice.delete(at(parent, '/dids'), { dids: named(...children) }));

describe('history of content (dids 2.9)', () => {
  it('has a row for every attachment that has ended, also for the same child twice', async () => {
    const { dataset, files } = await addFiles(2);
    const [file = ''] = files;
    expect((await alice.get(at(dataset, '/dids/history'))).text).toBe('');
    await detach(dataset, file);
    await attach(dataset, file);
    await detach(dataset, file);
    const date = expect.stringMatching(/ UTC$/);
    const dates = { deleted_at: date, created_at: date, updated_at: date };
    const row = { scope, name: file, type: 'FILE', bytes: 10, adler32: '0cc737eb', md5: null, ...dates };
    expect((await alice.get(at(dataset, '/dids/history'))).lines()).toEqual([row, row]);
    expectError(await alice.get(at('nothing', '/dids/history')), 404, 'DataIdentifierNotFound');
  });
});

describe('lookup by GUID (dids 2.20)', () => {
  it('answers the file, and to a Rucio client the datasets that hold it', async () => {
    const guid = crypto.randomUUID();
    const { dataset, files } = await addFiles(1, { guid });
    const second = await add('DATASET');
    await attach(second, ...files);
    const digits = guid.replaceAll('-', '').toUpperCase();
    const file = { scope, name: files[0], type: 'FILE', bytes: 10, adler32: '0cc737eb', md5: null };
    for (const text of [guid, digits]) expect((await alice.get(`/dids/${text}/guid`)).lines()).toEqual([file]);
    const headers = { 'User-Agent': 'rucio-clients/41.0.0' };
    const rows = (await alice.get(`/dids/${guid}/guid`, { headers })).lines();
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining(named(dataset, second)));
  });

  it('follows a GUID that is changed, and is 404 for unknown and malformed ones', async () => {
    const [before, after] = [crypto.randomUUID(), crypto.randomUUID()];
    const { files } = await addFiles(1, { guid: before });
    expectCreated(await alice.post(at(files[0] ?? '', '/meta/guid'), { value: after }));
    expect((await alice.get(`/dids/${after}/guid`)).lines()).toHaveLength(1);
    expectError(
      await alice.get(`/dids/${before}/guid`),
      404,
      'DataIdentifierNotFound',
      `No file associated to GUID : ${before}`,
    );
    expectError(await alice.get('/dids/xyz/guid'), 404, 'DataIdentifierNotFound', 'No file associated to GUID : xyz');
  });
});

describe('files of many DIDs (dids 2.11)', () => {
  it('lists those of every DID through all levels, each with the DID that was asked for', async () => {
    const { dataset, files } = await addFiles(3);
    const container = await add('CONTAINER');
    await attach(container, dataset);
    const [file = ''] = files;
    const dids = named(container, 'nothing', file, dataset);
    const rows = (await alice.post('/dids/bulkfiles', { dids })).lines() as { parent_name: string }[];
    expect(rows.map(({ parent_name }) => parent_name)).toEqual([
      container,
      container,
      container,
      file,
      dataset,
      dataset,
      dataset,
    ]);
    const common = { bytes: 10, adler32: '0cc737eb', guid: null, events: null, parent_scope: scope };
    expect(rows[3]).toEqual({ scope, name: file, ...common, parent_name: file });
    expect((await alice.post('/dids/bulkfiles', {})).text).toBe('');
  });
});

describe('new DIDs (dids 2.22)', () => {
  it('are at most 1000, of the type that was asked for, and 400 for an unknown type', async () => {
    await add('DATASET');
    const rows = (await alice.get('/dids/new?type=dataset')).lines() as { did_type: string; type: string }[];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(1000);
    expect(rows.every(({ did_type, type }) => did_type === 'DATASET' && type === 'DATASET')).toBe(true);
    expectError(await alice.get('/dids/new?type=magic'), 400, 'ValueError');
  });
});

describe('samples (dids 2.21)', () => {
  const size = async (name: string) => (await alice.get(at(name))).json();

  it('draws files into an open dataset of the caller: a number, all but a number, or all there are', async () => {
    const { dataset, files } = await addFiles(5);
    const container = await add('CONTAINER');
    const copy = await add('DATASET');
    await attach(copy, ...files);
    await attach(container, dataset, copy);
    for (const [nbfiles, count] of [
      ['2', 2],
      ['0', 0],
      ['-2', 3],
      ['50', 5],
    ] as const) {
      const output = uniqueName('sample');
      expectCreated(await alice.post(`/dids/${scope}/${container}/${scope}/${output}/${nbfiles}/sample`));
      expect(await size(output)).toMatchObject({
        length: count,
        bytes: 10 * count,
        open: true,
        account: alice.account,
      });
      const names = ((await alice.get(at(output, '/dids'))).lines() as { name: string }[]).map(({ name }) => name);
      expect(files).toEqual(expect.arrayContaining(names));
    }
    const output = uniqueName('sample');
    const body = { input_scope: scope, input_name: dataset, output_scope: scope, output_name: output };
    expectCreated(await alice.post('/dids/sample', { ...body, nbfiles: 4 }));
    expect(await size(output)).toMatchObject({ length: 4 });
    expectError(await alice.post('/dids/sample', { ...body, nbfiles: 4 }), 409, 'DataIdentifierAlreadyExists');
    expectError(await alice.post('/dids/sample', body), 400, 'KeyError', "'nbfiles' not defined");
    expectError(await alice.post('/dids/sample', { ...body, nbfiles: 'two' }), 400, 'ValueError');
  });

  it('needs the permission on the output scope, an input that exists and a good name', async () => {
    const { dataset } = await addFiles(1);
    const denial = `Account ${bob.account} can not bulk add data identifier. `;
    expectError(await bob.post(`/dids/${scope}/${dataset}/${scope}/x/1/sample`), 401, 'AccessDenied', denial);
    expectError(await alice.post(`/dids/${scope}/nothing/${scope}/x/1/sample`), 404, 'DataIdentifierNotFound');
    expectError(
      await root.post(`/dids/${scope}/${dataset}/no-scope/x/1/sample`),
      404,
      'ScopeNotFound',
      'Scope not found!',
    );
    expectError(await alice.post(`/dids/${scope}/${dataset}/${scope}/bad%20name/1/sample`), 400, 'InvalidObject');
  });
});

describe('archives (dids 2.6 C, 2.27)', () => {
  it('list their members; an archive marks itself and every dataset that holds it, open or closed', async () => {
    const [archive, before, after] = [`${uniqueName('a')}.zip`, await add('DATASET'), await add('DATASET')];
    const dids = [{ scope, name: archive, bytes: 100 }];
    expect((await alice.post(at(before, '/dids'), { dids, rse })).status).toBe(201);
    expectEmpty(await alice.put(at(before, '/status'), { open: false }));
    const members = [uniqueName('m'), uniqueName('m')].toSorted((a, b) => a.localeCompare(b));
    const elements = each(members, { bytes: 5, adler32: '0cc737eb' });
    expect((await alice.post(at(archive, '/dids'), { dids: elements })).status).toBe(201);
    await attach(after, archive);

    const rows = each(members, { bytes: 5, adler32: '0cc737eb', md5: null });
    expect((await alice.get(`/archives/${scope}/${archive}/files`)).lines()).toEqual(rows);
    for (const name of [archive, before, after]) {
      expect((await alice.get(at(name, '/meta'))).json()).toMatchObject({ is_archive: true });
    }
    expect((await alice.get(at(before))).json()).toMatchObject({ length: 1, open: false });
    const [member = ''] = members;
    expect((await alice.get(at(member, '/meta'))).json()).toMatchObject({ constituent: true, is_archive: null });
    expect((await alice.get(at(member, '/parents'))).text).toBe('');
    expect((await alice.get(at(archive, '/dids'))).text).toBe('');
  });

  it('are empty for other DIDs and unknown ones', async () => {
    const { dataset } = await addFiles(1);
    const answer = await alice.get(`/archives/${scope}/${dataset}/files`);
    expect(`${answer.status} ${answer.text}`).toBe('200 ');
    expectError(await alice.get(`/archives/${scope}/nothing.zip/files`), 404, 'DataIdentifierNotFound');
  });
});

describe('followers (dids 2.26)', () => {
  it('can follow repeatedly and unfollow; only the account itself and admins may unfollow', async () => {
    const name = await add('DATASET');
    expectCreated(await alice.post(at(name, '/follow'), { account: bob.account }));
    expectCreated(await alice.post(at(name, '/follow'), { account: bob.account }));
    const answer = await alice.get(at(name, '/follow'));
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.lines()).toEqual([{ user: bob.account }]);
    expectError(await alice.delete(at(name, '/follow'), { account: bob.account }), 401, 'AccessDenied');
    expectEmpty(await bob.delete(at(name, '/follow'), { account: bob.account }));
    expectEmpty(await root.delete(at(name, '/follow'), { account: bob.account }));
    const unfollowed = await alice.get(at(name, '/follow'));
    expect(`${unfollowed.status} ${unfollowed.text}`).toBe('200 ');
    expectError(await alice.get(at('nothing', '/follow')), 404, 'DataIdentifierNotFound');
    expectError(await alice.post(at('nothing', '/follow'), { account: bob.account }), 404, 'DataIdentifierNotFound');
    expectError(await alice.post(at(name, '/follow'), { account: 'nobody-here' }), 404, 'AccountNotFound');
  });
});

describe('resurrect (dids 2.23)', () => {
  it('restores expired DIDs, all or none, for root and admins', async () => {
    const [expired, living] = [await add('DATASET', { lifetime: -10 }), await add('DATASET')];
    const body = named(expired, living);
    const message = `Deleted Data identifier '${scope}:${living}' not found`;
    expectError(await root.post('/dids/resurrect', body), 404, 'DataIdentifierNotFound', message);
    expect((await alice.get(at(expired))).json()).not.toMatchObject({ expired_at: null });
    expectError(await alice.post('/dids/resurrect', named(expired)), 401, 'AccessDenied');
    expectCreated(await root.post('/dids/resurrect', named(expired, expired)));
    expect((await alice.get(at(expired))).json()).toMatchObject({ expired_at: null, open: true });
    expectCreated(await root.post('/dids/resurrect', []));
  });
});
