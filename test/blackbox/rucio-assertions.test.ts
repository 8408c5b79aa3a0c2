import { beforeAll, describe, expect, it } from 'vitest';

import { type Answer, asRoot, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
/** Headers that the official client always sends. */
const asClient = { headers: { 'X-Rucio-Script': 'appendix-a' } };
let scope: string;
let rse: string;

beforeAll(async () => {
  scope = await newScope();
  rse = uniqueName('disk').toUpperCase();
  await root.post(`/rses/${rse}`);
});

const at = (name: string, suffix = '') => `/dids/${scope}/${name}${suffix}`;
const file = (name: string, more: object = {}) => ({ scope, name, bytes: 10, adler32: '0cc737eb', ...more });
const key = (name: string) => ({ scope, name });
const ok = (answer: Answer, status = 201) =>
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));

async function add(type: string, body: object = {}): Promise<string> {
  const name = uniqueName(type);
  ok(await root.post(at(name), { type, ...body }));
  return name;
}
/** A dataset with new files. */
async function addFiles(count: number, more: object = {}): Promise<{ dataset: string; files: string[] }> {
  const files = Array.from({ length: count }, () => uniqueName('f'));
  return { dataset: await add('DATASET', { rse, dids: files.map((name) => file(name, more)) }), files };
}
const attachments = (list: object[], ignoreDuplicate = false) =>
  root.post('/dids/attachments', { attachments: list, ignore_duplicate: ignoreDuplicate });
const close = async (name: string) => ok(await root.put(at(name, '/status'), { open: false }), 200);
const search = async (query: string) => (await root.get(`/dids/${scope}/dids/search?${query}`)).lines() as string[];
const filters = (groups: string, more = '') => search(`filters=${encodeURIComponent(groups)}${more}`);

describe("what Rucio's own tests assert (dids appendix A)", () => {
  it('1: creation in an unknown scope is ScopeNotFound, even with metadata and rules', async () => {
    const body = {
      type: 'DATASET',
      meta: { project: 'p' },
      rules: [{ copies: 1, rse_expression: rse, account: 'root' }],
    };
    expectError(await root.post('/dids/nowhere/ds', body), 404, 'ScopeNotFound');
  });

  it('2: a dataset with files that do not exist is DataIdentifierNotFound and is not left behind', async () => {
    expectError(await root.post(at('left'), { type: 'DATASET', dids: [key('none')] }), 404, 'DataIdentifierNotFound');
    expectError(await root.get(at('left')), 404, 'DataIdentifierNotFound');
  });

  it('3: without a PFN, files of a deterministic RSE are registered', async () => {
    const { dataset, files } = await addFiles(2);
    expect((await root.get(at(dataset, '/files'))).lines()).toHaveLength(2);
    expect((await root.get(at(files[0] ?? ''))).json()).toMatchObject({ type: 'FILE', bytes: 10 });
  });

  it('3: with a wrong PFN they are InvalidPath, when created and when attached', async () => {
    const disk = uniqueName('disk').toUpperCase();
    await root.post(`/rses/${disk}`);
    const domains = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };
    const impl = 'rucio.rse.protocols.gfal.Default';
    const protocol = { impl, hostname: 'h.example.org', port: 8443, prefix: '/p', domains };
    ok(await root.post(`/rses/${disk}/protocols/davs`, protocol));
    const dids = [file(uniqueName('f'), { pfn: 'davs://h.example.org:8443/p/wrong' })];
    expectError(await root.post(at(uniqueName()), { type: 'DATASET', rse: disk, dids }), 400, 'InvalidPath');
    expectError(await root.post(at(await add('DATASET'), '/dids'), { rse: disk, dids }), 400, 'InvalidPath');
  });

  it('4: a second creation is DataIdentifierAlreadyExists; 500 datasets with metadata and account go in one call', async () => {
    const name = await add('DATASET');
    expectError(await root.post(at(name), { type: 'DATASET' }), 409, 'DataIdentifierAlreadyExists');
    const dids = Array.from({ length: 500 }, () => ({
      ...key(uniqueName()),
      type: 'DATASET',
      account: 'root',
      meta: { project: 'p' },
    }));
    ok(await root.post('/dids', dids));
    expect((await root.get(at(dids[499]?.name ?? '', '/meta'))).json()).toMatchObject({
      project: 'p',
      account: 'root',
    });
  });

  it('5: containers in bulk with an RSE that does not matter', async () => {
    ok(
      await root.post(
        '/dids',
        [1, 2].map(() => ({ scope, name: uniqueName(), type: 'CONTAINER', rse })),
      ),
    );
  });

  it('6: the lifetime of a rule is a number of seconds', async () => {
    ok(await root.post(`/accounts/root/limits/local/${rse}`, { bytes: 1e12 }));
    const name = await add('DATASET', {
      rules: [{ copies: 1, rse_expression: rse, account: 'root', lifetime: 86_400 }],
    });
    const [rule] = (await root.get(at(name, '/rules'))).lines() as { expires_at: string }[];
    expect(Math.abs(Date.parse(rule?.expires_at ?? '') - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  it('7: an unknown DID is DataIdentifierNotFound; expired_at is a date', async () => {
    expectError(await root.get('/dids/nowhere/none'), 404, 'DataIdentifierNotFound');
    const name = await add('DATASET', { lifetime: 10_000 });
    const { expired_at: date } = (await root.get(at(name))).json() as { expired_at: string };
    expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d UTC$/);
  });

  it('8: attaching again is FileAlreadyExists; duplicates can be ignored, other sizes cannot', async () => {
    const { dataset, files } = await addFiles(2);
    const both = { ...key(dataset), dids: [file(files[0] ?? ''), file(uniqueName())], rse };
    expectError(await attachments([{ ...both, dids: both.dids.slice(0, 1) }]), 409, 'FileAlreadyExists');
    ok(await attachments([both], true));
    expect((await root.get(at(dataset))).json()).toMatchObject({ length: 3 });
    const changed = { ...key(dataset), dids: [file(files[0] ?? '', { bytes: 11 })], rse };
    expectError(await attachments([changed], true), 412, 'FileConsistencyMismatch');
  });

  it('9: files in a container, unknown children, repeated containers and circles are refused', async () => {
    const { files } = await addFiles(1);
    const [a, b] = [await add('CONTAINER'), await add('CONTAINER')];
    expectError(await attachments([{ ...key(a), dids: [key(files[0] ?? '')] }]), 409, 'UnsupportedOperation');
    expectError(await attachments([{ ...key(a), dids: [key('none')] }]), 404, 'DataIdentifierNotFound');
    ok(await attachments([{ ...key(a), dids: [key(b)] }]));
    expectError(await attachments([{ ...key(a), dids: [key(b)] }]), 409, 'DuplicateContent');
    const circle = await attachments([{ ...key(b), dids: [key(a)] }]);
    expectError(circle, 409, 'UnsupportedOperation', /^Circular attachment detected/);
  });

  it('10: datasets and containers do not go into a container in one call; datasets alone do', async () => {
    const [container, inner, dataset] = [await add('CONTAINER'), await add('CONTAINER'), await add('DATASET')];
    const mixed = { dids: [key(inner), key(dataset)] };
    expectError(await root.post(at(container, '/dids'), mixed), 409, 'UnsupportedOperation');
    ok(await root.post(at(container, '/dids'), { dids: [key(dataset)] }));
  });

  it('11: detaching shrinks a closed dataset exactly, never itself, and can be repeated', async () => {
    const { dataset, files } = await addFiles(3);
    await close(dataset);
    const [first = ''] = files;
    const detach = (name: string) => root.delete(at(dataset, '/dids'), { dids: [key(name)] });
    ok(await detach(first), 200);
    expect((await root.get(at(dataset))).json()).toMatchObject({ length: 2, bytes: 20 });
    expectError(await detach(dataset), 409, 'UnsupportedOperation');
    ok(await root.put(at(dataset, '/status'), { open: true }), 200);
    for (let round = 0; round < 2; round += 1) {
      ok(await root.post(at(dataset, '/dids'), { dids: [key(first)] }));
      ok(await detach(first), 200);
    }
  });

  it('12: an unknown status is UnsupportedStatus; nothing goes into a closed dataset until it is reopened', async () => {
    const { dataset, files } = await addFiles(1);
    expectError(await root.put(at(dataset, '/status'), { close: true }), 409, 'UnsupportedStatus');
    await close(dataset);
    expectError(await root.post(at(dataset, '/dids'), { dids: [key(files[0] ?? '')] }), 409, 'UnsupportedOperation');
    ok(await root.put(at(dataset, '/status'), { open: true }), 200);
  });

  it('13, 14: content of a container are its datasets, files of it all files; unknown is DataIdentifierNotFound', async () => {
    const { dataset, files } = await addFiles(2);
    const container = await add('CONTAINER', { dids: [key(dataset)] });
    expect((await root.get(at(container, '/dids'))).lines()).toMatchObject([{ name: dataset, type: 'DATASET' }]);
    const listed = (await root.get(at(container, '/files'))).lines() as { name: string }[];
    expect(listed.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
    expect(listed[0]).toMatchObject({ bytes: 10, adler32: '0cc737eb' });
    for (const suffix of ['/dids', '/files'])
      expectError(await root.get(at('none', suffix)), 404, 'DataIdentifierNotFound');
  });

  it('15: bulkfiles has its eight keys, and passes over unknown DIDs', async () => {
    const { dataset, files } = await addFiles(1);
    const answer = await root.post('/dids/bulkfiles', { dids: [key(dataset), key('none')] });
    expect(answer.lines()).toEqual([
      { ...file(files[0] ?? ''), guid: null, events: null, parent_scope: scope, parent_name: dataset },
    ]);
  });

  it('16: a GUID leads to exactly the dataset', async () => {
    const guid = crypto.randomUUID();
    const { dataset } = await addFiles(1, { meta: { guid } });
    expect((await root.get(`/dids/${guid}/guid`, asClient)).lines()).toEqual([key(dataset)]);
  });

  it('17: a sample of two files out of five', async () => {
    const { dataset } = await addFiles(5);
    await close(dataset);
    const output = uniqueName();
    const names = { input_scope: scope, input_name: dataset, output_scope: scope, output_name: output };
    ok(await root.post('/dids/sample', { ...names, nbfiles: '2' }));
    expect((await root.get(at(output, '/files'))).lines()).toHaveLength(2);
  });

  it('18: bulkmeta knows what exists, keeps its plugins apart, and inherits in the order of the request', async () => {
    const { dataset, files } = await addFiles(1);
    const container = await add('CONTAINER', { dids: [key(dataset)] });
    const [name = ''] = files;
    for (const [did, meta] of [
      [name, 'ofFile'],
      [dataset, 'ofDataset'],
      [container, 'ofContainer'],
    ] as const) {
      ok(await root.post(at(did, `/meta/${meta}`), { value: meta }));
    }
    const bulk = async (names: string[], more: object = {}) =>
      (await root.post('/dids/bulkmeta', { dids: names.map(key), ...more })).lines() as Record<string, unknown>[];
    expect((await bulk([dataset, 'none'])).map((meta) => meta['name'])).toEqual([dataset]);
    expect(await bulk(['none'])).toEqual([]);
    expect(await bulk([dataset], { plugin: 'JSON' })).toEqual([{ ...key(dataset), ofDataset: 'ofDataset' }]);
    expect((await bulk([dataset]))[0]).not.toHaveProperty('ofDataset');
    expect((await bulk([dataset], { plugin: 'ALL' }))[0]).toMatchObject({
      ofDataset: 'ofDataset',
      did_type: 'DATASET',
    });
    expect(await bulk([name, container], { plugin: 'JSON', inherit: true })).toEqual([
      { ...key(name), ofFile: 'ofFile', ofDataset: 'ofDataset', ofContainer: 'ofContainer' },
      { ...key(container), ofContainer: 'ofContainer' },
    ]);
  });

  it('19: free keys are set and deleted one by one', async () => {
    const name = await add('DATASET');
    for (const free of ['a', 'b', 'c']) ok(await root.post(at(name, `/meta/${free}`), { value: free }));
    ok(await root.delete(at(name, '/meta?key=b')), 200);
    expect((await root.get(at(name, '/meta?plugin=JSON'))).json()).toEqual({ a: 'a', c: 'c' });
    expectError(await root.delete(at(name, '/meta?key=b')), 404, 'KeyNotFound');
  });

  it('20: searches by pattern, by type, by columns and by free keys, and downwards into other scopes', async () => {
    const prefix = uniqueName('s');
    const other = await newScope();
    ok(await root.post(`/dids/${other}/${prefix}.far`, { type: 'DATASET' }));
    ok(
      await root.post(at(`${prefix}.x.ds`), {
        type: 'DATASET',
        rse,
        dids: [file(`${prefix}.f`)],
        meta: { project: 'p', run_number: 1, a: 1, b: 2 },
      }),
    );
    ok(await root.post(at(`${prefix}.cont`), { type: 'CONTAINER', dids: [{ scope: other, name: `${prefix}.far` }] }));
    expect(await search(`name=${prefix}*`)).toHaveLength(2);
    expect(await search(`name=*${prefix}*x*ds`)).toEqual([`${prefix}.x.ds`]);
    expect(await search(`name=${prefix}*&type=file`)).toEqual([`${prefix}.f`]);
    expect(await search(`name=${prefix}*&type=container`)).toEqual([`${prefix}.cont`]);
    expectError(await root.get(`/dids/${scope}/dids/search?type=volume`), 409, 'UnsupportedOperation');
    expect((await filters('{}', '&type=all')).length).toBeGreaterThan(3);
    expect(await search(`name=${prefix}.cont&type=all&recursive=True`)).toEqual([`${prefix}.far`, `${prefix}.cont`]);
    expect(await search(`name=${prefix}*&project=p&run_number=1`)).toEqual([`${prefix}.x.ds`]);
    expect(await search(`name=${prefix}*&a=1&b=2`)).toEqual([`${prefix}.x.ds`]);
    expect(await search(`name=${prefix}*&a=1&b=3`)).toEqual([]);
    expect(await search('nobody_has_set_this=1')).toEqual([]);
  });

  it('21: searches by length on closed datasets', async () => {
    const { dataset } = await addFiles(3);
    await close(dataset);
    expect(await search(`name=${dataset}&length.gt=2`)).toEqual([dataset]);
    expect(await search(`name=${dataset}&length=3`)).toEqual([dataset]);
    expect(await search(`name=${dataset}&length.lt=1`)).toEqual([]);
  });

  it('22: alternatives with times of creation', async () => {
    const name = await add('DATASET');
    const from = "'Sat, 01 Jan 2000 00:00:00 UTC'";
    const to = "'Fri, 01 Jan 2100 00:00:00 UTC'";
    const never = `{'name': '${name}', 'created_at.gte': ${to}, 'created_at.lt': ${from}}`;
    expect(await filters(`[${never}, {'name': '${name}', 'created_at.gte': ${from}, 'created_at.lt': ${to}}]`)).toEqual(
      [name],
    );
    expect(await filters(`[${never}, {'name': '${name}', 'created_after': ${from}, 'created_before': ${to}}]`)).toEqual(
      [name],
    );
    expect(await filters(`[${never}]`)).toEqual([]);
  });

  it('23: archives list their constituents, and datasets that hold them say so', async () => {
    const zips = [uniqueName('a'), uniqueName('b')].map((name) => `${name}.zip`);
    const dataset = await add('DATASET', { rse, dids: zips.map((name) => file(name)) });
    for (const zip of zips) {
      const dids = Array.from({ length: 10 }, (_value, index) => file(`${zip}.${index}`));
      ok(await attachments([{ ...key(zip), dids }]));
      expect((await root.get(`/archives/${scope}/${zip}/files`)).lines()).toHaveLength(10);
    }
    expect((await root.get(at(dataset, '/meta'))).json()).toMatchObject({ is_archive: true });
    ok(await root.delete('/replicas', { rse, files: zips.map(key) }), 200);
    expect((await root.get(at(dataset, '/meta'))).json()).toMatchObject({ is_archive: false });
  });

  it('24: scopes: names, owners, duplicates, lists', async () => {
    const { account } = await newAccount();
    expectError(await root.post(`/accounts/root/scopes/${'x'.repeat(26)}`), 400, 'InvalidObject');
    expectError(await root.post('/accounts/root/scopes/bad%24name'), 400, 'InvalidObject');
    expectError(await root.post(`/accounts/nobody-here/scopes/${uniqueName()}`), 404, 'AccountNotFound');
    expectError(await root.post(`/accounts/root/scopes/${scope}`), 409, 'Duplicate');
    expectError(await root.get(`/accounts/${account}/scopes/`), 404, 'ScopeNotFound');
    expectError(await root.get('/accounts/nobody-here/scopes/'), 404, 'AccountNotFound');
    const own = await newScope();
    ok(await root.put(`/scopes/${account}/${own}`));
    expectError(await root.put(`/scopes/nobody-here/${own}`), 404, 'AccountNotFound');
    expectError(await root.put('/scopes/root/no-such-scope'), 404, 'ScopeNotFound');
    expect((await root.put(`/scopes/root/${own}`, undefined, { token: 'bad' })).status).toBe(401);
    expect((await root.get('/scopes/owner')).json()).toContainEqual({ scope: own, account });
  });

  it('25: metadata conventions check types and values', async () => {
    const name = uniqueName('key');
    ok(
      await root.post(`/meta_conventions/${name}`, {
        key_type: 'ALL',
        value_type: "<class 'str'>",
        value_regexp: '^[a-z]+$',
      }),
    );
    ok(await root.post(`/meta_conventions/${name}/`, { value: 'good' }));
    expectError(await root.post(`/meta_conventions/${name}/`, { value: 5 }), 400, 'InvalidValueForKey');
    expectError(await root.post(`/meta_conventions/${name}/`, { value: 'BAD5' }), 400, 'InvalidValueForKey');
    expect((await root.get(`/meta_conventions/${name}/`)).json()).toEqual(['good']);
  });

  it('26: datasets of a user scope belong to the project user, and cannot say otherwise', async () => {
    const own = `user.${uniqueName().slice(0, 12)}`;
    ok(await root.post(`/scopes/root/${own}`));
    ok(await root.post(`/dids/${own}/ds`, { type: 'DATASET' }));
    expect((await root.get(`/dids/${own}/ds/meta`)).json()).toMatchObject({ project: 'user' });
    expectError(
      await root.post(`/dids/${own}/ds2`, { type: 'DATASET', meta: { project: 'mine' } }),
      400,
      'InvalidObject',
    );
  });
});
