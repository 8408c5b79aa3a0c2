import { beforeAll, describe, expect, it } from 'vitest';

import { allow } from '../support/rules.ts';
import { asRoot, type Client, newAccount, newScope, uniqueName } from '../support/server.ts';
import { expectPages, nextPage, rowsIn, walk } from '../support/walk.ts';

const root = asRoot();
const numbers = Array.from({ length: 8 }, (_value, index) => String(index));

/** The objects that the lists show; each list has rows. */
interface World {
  readonly alice: Client;
  readonly scope: string;
  readonly prefix: string;
  readonly identity: string;
  readonly key: string;
  readonly guid: string;
}
let world: World;

const made = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  if (status !== 201 && status !== 200) throw new Error(`${status} ${text}`);
};

async function makeAccounts(prefix: string, identity: string): Promise<void> {
  for (const number of numbers) {
    const account = `${prefix}${number}`;
    await made(root.post(`/accounts/${account}`, { type: 'USER', email: '' }));
    await made(root.post(`/accounts/${account}/identities`, { identity, authtype: 'X509', email: '' }));
  }
}

async function makeThingsOfAccount(account: string, key: string): Promise<void> {
  const expressions = ['*', ...rsesOf(key).slice(0, 3)];
  await made(root.post(`/meta_conventions/${key}`, { key_type: 'ALL' }));
  for (const number of numbers) {
    const rse = `${key}${number}`.toUpperCase();
    const identity = { identity: `/CN=${key} ${number}#%`, authtype: 'X509', email: '' };
    await made(root.post(`/accounts/${account}/attr/a${number}`, { value: number }));
    await made(root.post(`/accounts/${account}/identities`, identity));
    await made(root.post(`/accounts/${account}/scopes/${key}.${number}`));
    await made(root.post(`/meta_conventions/${key}`, { value: `a#${number} é` }));
    await made(root.post(`/rses/${rse}`, {}));
    await made(root.post(`/accounts/${account}/limits/local/${rse}`, { bytes: 10 }));
  }
  for (const expression of expressions) {
    await made(root.post(`/accounts/${account}/limits/global/${encodeURIComponent(expression)}`, { bytes: 10 }));
  }
}

/** Sets the usage of an RSE by some sources, twice each. */
async function makeUsages(rse: string): Promise<void> {
  for (const used of [1, 2]) {
    const said = numbers.slice(0, 5).map((number) => ({ source: `source ${number}`, used, free: 1 }));
    await Promise.all(said.map((usage) => made(root.put(`/rses/${rse}/usage`, usage))));
  }
}

/** Three levels of containers, of which two share a dataset; files in many datasets, loose ones, an archive. */
async function makeDids({ scope, guid, prefix, key }: Omit<World, 'alice'>): Promise<void> {
  const rse = `${key}0`.toUpperCase();
  const named = (...names: string[]) => names.map((name) => ({ scope, name }));
  const files = (stem: string) => numbers.map((number) => ({ scope, name: `${stem}${number}`, bytes: 1 }));
  const add = (name: string, type: string, more: object = {}) =>
    made(root.post(`/dids/${scope}/${name}`, { type, ...more }));
  await add('ds.a', 'DATASET', { rse, dids: files('dir/a.') });
  await add('ds.b', 'DATASET', { rse, dids: [...files('b.'), { scope, name: 'pack.zip', bytes: 1 }] });
  await add('ds.c', 'DATASET', { rse, dids: [{ scope, name: 'with.guid', bytes: 1, meta: { guid } }] });
  for (const number of numbers) await add(`holder.${number}`, 'DATASET', { dids: named('with.guid') });
  await add('inner', 'CONTAINER', { dids: named('ds.a', 'ds.c') });
  await add('middle', 'CONTAINER', { dids: named('inner') });
  await add('beside', 'CONTAINER', { dids: named('ds.b') });
  await add('empty', 'CONTAINER');
  await add('outer', 'CONTAINER', { dids: named('beside', 'empty', 'middle', 'inner') });
  await made(root.post(`/dids/${scope}/pack.zip/dids`, { dids: files('packed.') }));
  await made(root.delete(`/dids/${scope}/ds.b/dids`, { dids: files('b.') }));
  await made(root.post(`/dids/${scope}/ds.b/dids`, { dids: named('b.0', 'b.3') }));
  for (const number of numbers) {
    await made(root.post(`/dids/${scope}/ds.a/follow`, { account: `${prefix}${number}` }));
  }
  await allow('root', ...rsesOf(key));
  const rules = rsesOf(key).map((name) => ({ account: 'root', copies: 1, rse_expression: name }));
  await add('ruled', 'DATASET', { rules });
}

beforeAll(async () => {
  const key = uniqueName('key');
  const alice = await newAccount();
  const scope = await newScope();
  const [prefix, identity] = [uniqueName('w'), `/CN=${uniqueName('many')}`];
  world = { alice, scope, prefix, identity, key, guid: crypto.randomUUID() };
  await makeAccounts(prefix, identity);
  await makeThingsOfAccount(alice.account, key);
  await makeUsages(`${key}1`.toUpperCase());
  await makeDids(world);
});

const clientHeaders = { headers: { 'User-Agent': 'rucio-clients/41.0.0' } };
const filters = `[{'name': 'ds.*'}, {'name': '*i*', 'type': 'all'}, {'length.gt': 0, "created_after": '2020-01-01T00:00:00.000Z'}]`;
const query = (text: string) => encodeURIComponent(text);

const rsesOf = (key: string) => numbers.map((number) => `${key}${number}`.toUpperCase());

/** Lists with their minimum number of rows; not those that all tests write to. */
const lists: [what: string, path: (world: World) => string, least: number, options?: typeof clientHeaders][] = [
  ['accounts by name', ({ prefix }) => `/accounts?account=${prefix}*`, 8],
  ['accounts by exact name', ({ prefix }) => `/accounts/?account=${prefix}1`, 1],
  ['accounts by identity', ({ identity }) => `/accounts?identity=${query(identity)}`, 8],
  ['attributes', ({ alice }) => `/accounts/${alice.account}/attr`, 8],
  ['identities', ({ alice }) => `/accounts/${alice.account}/identities`, 9],
  ['scopes of an account', ({ alice }) => `/accounts/${alice.account}/scopes`, 8],
  ['scopes of an account, by /scopes', ({ alice }) => `/scopes/${alice.account}/scopes`, 8],
  ['accounts of an identity', ({ identity }) => `/identities/accounts?identity_key=${query(identity)}&type=x509`, 8],
  ['accounts of an identity by path', ({ identity }) => `/identities/${query(identity)}/X509/accounts`, 8],
  ['values of a convention', ({ key }) => `/meta_conventions/${key}`, 8],
  ['local usage', ({ alice }) => `/accounts/${alice.account}/usage/local`, 8],
  ['usage', ({ alice }) => `/accounts/${alice.account}/usage`, 8],
  ['usage of an RSE', ({ alice, key }) => `/accounts/${alice.account}/usage/${key.toUpperCase()}1`, 1],
  ['local usage of an RSE', ({ alice, key }) => `/accounts/${alice.account}/usage/local/${key.toUpperCase()}1`, 1],
  ['global usage', ({ alice }) => `/accounts/${alice.account}/usage/global`, 4],
  ['global usage of an expression', ({ alice }) => `/accounts/${alice.account}/usage/global/*`, 1],
  ['past usage', ({ alice, key }) => `/accounts/${alice.account}/usage/history/${key.toUpperCase()}1`, 0],
  ['chosen RSEs', ({ key }) => `/rses?expression=${query(rsesOf(key).join('|'))}`, 8],
  ['usages of an RSE', ({ key }) => `/rses/${rsesOf(key)[1]}/usage?per_account=1`, 5],
  ['a usage of an RSE', ({ key }) => `/rses/${rsesOf(key)[1]}/usage?source=source%201`, 1],
  ['past usages of an RSE', ({ key }) => `/rses/${rsesOf(key)[1]}/usage/history`, 10],
  ['past usages by source', ({ key }) => `/rses/${rsesOf(key)[1]}/usage/history?source=source%201`, 2],
  ['a scope', ({ scope }) => `/dids/${scope}/`, 12],
  ['a scope through all levels', ({ scope }) => `/dids/${scope}/?recursive=True`, 50],
  ['content by name', ({ scope }) => `/dids/${scope}/?name=outer`, 4],
  ['content through all levels', ({ scope }) => `/dids/${scope}/?name=outer&recursive=1`, 19],
  ['nothing below a file', ({ scope }) => `/dids/${scope}/?name=with.guid`, 0],
  ['content', ({ scope }) => `/dids/${scope}/ds.a/dids`, 8],
  ['files of a dataset', ({ scope }) => `/dids/${scope}/ds.a/files`, 8],
  ['files through all levels', ({ scope }) => `/dids/${scope}/outer/files`, 12],
  ['files, long', ({ scope }) => `/dids/${scope}/outer/files?long`, 12],
  ['a file itself', ({ scope }) => `/dids/${scope}/dir%2Fa.1/files`, 1],
  ['parents', ({ scope }) => `/dids/${scope}/with.guid/parents`, 9],
  ['history', ({ scope }) => `/dids/${scope}/ds.b/dids/history`, 8],
  ['files in an archive', ({ scope }) => `/archives/${scope}/pack.zip/files`, 8],
  ['followers', ({ scope }) => `/dids/${scope}/ds.a/follow`, 8],
  ['rules', ({ scope }) => `/dids/${scope}/ruled/rules`, 8],
  ['rules of a file', ({ scope }) => `/dids/${scope}/dir/a.1/associated_rules`, 0],
  ['a GUID', ({ guid }) => `/dids/${guid}/guid`, 1],
  ['a GUID, for a Rucio client', ({ guid }) => `/dids/${guid}/guid`, 9, clientHeaders],
  ['a search for collections', ({ scope }) => `/dids/${scope}/dids/search?name=holder*`, 8],
  ['a search for all', ({ scope }) => `/dids/${scope}/dids/search?type=all&long=1`, 40],
  ['a search for one name', ({ scope }) => `/dids/${scope}/dids/search?name=ds.a&type=all`, 1],
  ['a search for nothing', ({ scope }) => `/dids/${scope}/dids/search?name=a%20b`, 0],
  ['an extended search', ({ scope }) => `/dids/${scope}/dids/search_extended?type=all&filters=${query(filters)}`, 10],
];

describe('pages of a list (limit and cursor)', () => {
  it.each(lists)('of %s are the list, whatever their size', async (_what, path, least, options) => {
    await expectPages(root, path(world), least, options);
  });

  it.each(lists)('of %s: a cursor without a limit leads to the rest', async (_what, path, _least, options) => {
    const whole = rowsIn(await root.get(path(world), options));
    const next = nextPage(await root.get(`${path(world)}${path(world).includes('?') ? '&' : '?'}limit=1`, options));
    if (whole.length < 2) expect(next).toBeUndefined();
    else expect(rowsIn(await root.get(next?.replace(/limit=1&/, '') ?? '', options))).toEqual(whole.slice(1));
  });

  it.each<[string, (world: World) => string]>([
    ['scopes', () => '/scopes'],
    ['scopes with owners', () => '/scopes/owner'],
    ['accounts', () => '/accounts'],
    ['keys of conventions', () => '/meta_conventions'],
    ['RSEs', () => '/rses/'],
    ['accounts on an RSE', ({ key }) => `/rses/${rsesOf(key)[1]}/accounts/usage`],
  ])('of all %s have each row once, in order', async (_what, path) => {
    const texts = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row));
    const before = texts(rowsIn(await root.get(path(world))));
    const rows = texts((await walk(root, path(world), 50)).flat());
    const after = new Set(texts(rowsIn(await root.get(path(world)))));
    expect(new Set(rows).size).toBe(rows.length);
    // Other tests add rows to these lists and change rows.
    const lasting = before.filter((row) => after.has(row));
    const kept = new Set(lasting);
    expect(lasting.length).toBeGreaterThan(0);
    expect(rows.filter((row) => kept.has(row))).toEqual(lasting);
  });

  it('of a list that fails have the same error', async () => {
    const none = uniqueName('none');
    for (const path of [`/dids/${none}/`, `/dids/${none}/x/dids`, `/accounts/${none}/scopes`, `/dids/${none}/guid`]) {
      const [plain, paged] = [await root.get(path), await root.get(`${path}?limit=1`)];
      expect(plain.status).toBe(404);
      expect([paged.status, paged.text]).toEqual([plain.status, plain.text]);
    }
  });
});
