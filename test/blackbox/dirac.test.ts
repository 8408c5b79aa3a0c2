import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse } from '../support/replicas.ts';
import { linesOf } from '../support/rules.ts';
import { asRoot, type Client, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
const path = '/dirac/addfiles';

let alice: Client;
let scope: string;
let vo: string;
let rse: string;
beforeAll(async () => {
  alice = await newAccount();
  [scope, vo, rse] = await Promise.all([
    newScope({ owner: alice.account }),
    newScope(),
    newStorageRse({ prefix: '/dirac' }),
  ]);
  expectStatus(await root.post(`/rses/${rse}/attr/ANY`, { value: 'true' }), 201);
  expectStatus(await root.post(`/accounts/${alice.account}/limits/local/${rse}`, { bytes: 10_000 }), 201);
  // The owner of the topmost scope makes the place of a user; below it the user makes collections.
  const [top, below] = [
    { scope: vo, name: `/${vo}` },
    { scope, name: `/${vo}/${scope}` },
  ];
  expectStatus(
    await root.post('/dids', [
      { ...top, type: 'CONTAINER' },
      { ...below, type: 'CONTAINER' },
    ]),
    201,
  );
  expectStatus(await root.post(`/dids/attachments`, [{ ...top, dids: [below] }]), 201);
});

const file = (name: string, more: object = {}) => ({
  lfn: `/${vo}/${scope}/${name}`,
  rse,
  bytes: 10,
  adler32: '0cc737eb',
  ...more,
});
const at = (name: string, rest = '') => `/dids/${scope}/${encodeURIComponent(`/${vo}/${scope}/${name}`)}${rest}`;
const statusOf = async (name: string) => (await alice.get(at(name))).status;
const usage = async () => {
  const lines = await linesOf(`/accounts/${alice.account}/usage/local/${rse}`);
  return Number(lines[0]?.['bytes'] ?? 0);
};

describe('the files of DIRAC (access 11)', () => {
  it('are there with replica, rule, dataset and containers, and count at once', async () => {
    const [dir, before] = [uniqueName('c'), await usage()];
    expectStatus(await alice.post(path, { lfns: [file(`${dir}/d/f`), file(`${dir}/d/g`)] }), 201);
    expect(await linesOf(at(`${dir}/d`, '/dids'))).toHaveLength(2);
    expect(await linesOf(at(dir, '/dids'))).toMatchObject([{ name: `/${vo}/${scope}/${dir}/d`, type: 'DATASET' }]);
    const [rule] = await linesOf(at(`${dir}/d/f`, '/rules'));
    expect(rule).toMatchObject({ state: 'OK', locks_ok_cnt: 1 });
    expect(await linesOf(`/rules/${rule?.id}/locks`)).toMatchObject([{ rse, state: 'OK' }]);
    expect(await usage()).toBeGreaterThanOrEqual(before + 20);
  });

  it('the rule of the dataset gets the files, wherever they are', async () => {
    const dir = uniqueName('c');
    expectStatus(await alice.post(path, { lfns: [file(`${dir}/d/f`)] }), 201);
    const locks = async () => (await linesOf(at(`${dir}/d`, '/rules'))).map((rule) => rule['locks_ok_cnt']);
    await expect.poll(locks).toEqual([1]);
    expectStatus(await alice.post(path, { lfns: [file(`${dir}/d/g`)] }), 201);
    await expect.poll(locks).toEqual([2]);
  });

  it('are added all or none, also those in collections of their own', async () => {
    const [dir, before] = [uniqueName('c'), await usage()];
    const lfns = Array.from({ length: 30 }, (_value, index) => file(`${dir}/d${index % 3}/f${index}`));
    expectError(
      await alice.post(path, { lfns: [...lfns, file(`${dir}/last/f`, { rse: 'NONE' })] }),
      404,
      'RSENotFound',
    );
    const huge = file(`${dir}/last/f`, { bytes: 20_000 });
    expectError(await alice.post(path, { lfns: [...lfns, huge] }), 409, 'InsufficientAccountLimit');
    expectError(await alice.post(path, { lfns: [...lfns, file(`${dir}/d0/x/f`)] }), 405, 'UnsupportedOperation');
    expect(await Promise.all(['', '/d0', '/d0/f0'].map((rest) => statusOf(dir + rest)))).toEqual([404, 404, 404]);
    expect(await usage()).toBe(before);
    expectStatus(await alice.post(path, { lfns }), 201);
    expect(await linesOf(at(dir, '/files'))).toHaveLength(30);
  });

  it('each file uses up a part of the quota that the request has', async () => {
    const dir = uniqueName('c');
    const left = 10_000 - (await usage());
    const lfns = ['f', 'g', 'h'].map((name) => file(`${dir}/d/${name}`, { bytes: Math.ceil(left * 0.4) }));
    expectError(await alice.post(path, { lfns }), 409, 'InsufficientAccountLimit');
    expect(await statusOf(`${dir}/d`)).toBe(404);
  });

  it('of concurrent requests into one new dataset all succeed', async () => {
    const dir = uniqueName('c');
    const names = Array.from({ length: 8 }, (_value, index) => `${dir}/d/f${index}`);
    const answers = await Promise.all(names.map((name) => alice.post(path, { lfns: [file(name)] })));
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(names.map(() => '201 Created'));
    expect(await linesOf(at(`${dir}/d`, '/dids'))).toHaveLength(names.length);
    expect(await linesOf(at(`${dir}/d`, '/rules'))).toHaveLength(1);
  });

  it('the same file at the same time is added once', async () => {
    const dir = uniqueName('c');
    const answers = await Promise.all([1, 2, 3].map(() => alice.post(path, { lfns: [file(`${dir}/d/f`)] })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await linesOf(at(`${dir}/d/f`, '/rules'))).toHaveLength(1);
  });

  it('a path in a scope that does not exist is refused, with the scope', async () => {
    const answer = await root.post(path, { lfns: [{ ...file('f'), lfn: `/${vo}/nowhere/c/d/f` }] });
    const message = `Scope not found! The path '/${vo}/nowhere/c/d/f' is in the scope 'nowhere'.`;
    expectError(answer, 404, 'ScopeNotFound', message);
  });

  it('nobody fills the containers of another scope (access 11.4)', async () => {
    const own = await newScope({ owner: alice.account });
    const lfn = `/${vo}/${own}/c/d/f`;
    expectError(await alice.post(path, { lfns: [file('x', { lfn })] }), 401, 'AccessDenied');
    expect((await root.get(`/dids/${own}/${encodeURIComponent(lfn)}`)).status).toBe(404);
    expectError(await alice.post(path, { lfns: [file('x', { lfn: `/${vo}/${vo}/c/d/f` })] }), 401, 'AccessDenied');
  });

  it('a thousand files are one request', async () => {
    const admin = root;
    expectStatus(await admin.post(`/accounts/root/limits/local/${rse}`, { bytes: 1e12 }), 201);
    const dir = uniqueName('c');
    const lfns = Array.from({ length: 1_000 }, (_value, index) => file(`${dir}/d/f${index}`));
    expectStatus(await admin.post(path, { lfns }), 201);
    expect(await linesOf(at(`${dir}/d`, '/dids'))).toHaveLength(1_000);
    expectError(await admin.post(path, { lfns: [...lfns, file('x/y')] }), 400, 'InvalidObject');
  });
});
