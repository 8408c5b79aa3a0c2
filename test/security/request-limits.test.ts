/**
 * Requests that try to overload or crash a function are refused before much is computed.
 */
import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';

import { baseUrl } from '../support/run.ts';
import { type Answer, asRoot, call, expectError, newScope, nobody, uniqueName } from '../support/server.ts';

const root = asRoot();
let scope: string;
beforeAll(async () => {
  scope = await newScope();
});

const many = (text: string, count: number) => Array.from({ length: count }, () => text).join(',');

async function post(path: string, rawBody: string): Promise<Answer> {
  return call('POST', path, { as: root, rawBody });
}

describe('bodies', () => {
  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['arrays around a large integer', `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`],
  ])('of 100,000 nested %s are 400', async (_what, rawBody) => {
    expectError(await post('/dids', rawBody), 400, 'ValueError');
  });

  it('of 100,000 nested objects are 400', async () => {
    const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expectError(await post(`/dids/${scope}/deep/meta`, `{"meta":${nested}}`), 400, 'ValueError', /nests deeper/);
  });

  it.each([
    ['/dids', `[${many('1', 2_900_000)}]`],
    ['/dids', `[${many('{}', 1_900_000)}]`],
    ['/rules', `{"dids":[${many('1', 2_900_000)}],"account":null,"copies":1,"rse_expression":"x"}`],
    ['/replicas/list', `{"dids":[${many('[]', 1_900_000)}]}`],
    ['/config', `{${Array.from({ length: 260_000 }, (_none, index) => `"k${index}":{}`).join()}}`],
  ])('of millions of values are 413 before each is looked at: %s, %#', async (path, rawBody) => {
    expectError(await post(path, rawBody), 413, 'PayloadTooLarge', /more than 250000 values/);
  });

  it('with an integer of 5 MB are 400', async () => {
    const answer = await post(`/dids/${scope}/digits/meta`, `{"meta":{"a":${'1'.repeat(5_000_000)}}}`);
    expectError(answer, 400, 'ValueError', 'cannot decode json parameter dictionary');
  });

  it('are never decompressed: a gzip bomb is invalid JSON', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, '['));
    const answer = await fetch(`${await baseUrl()}/dids`, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip', 'X-Rucio-Auth-Token': await root.token() },
      body: bomb,
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('ExceptionClass')).toBe('ValueError');
  });

  it('with an RSE expression of 5 MB are refused at once, as Rucio refuses others (400, of rules 409)', async () => {
    const rse_expression = 'A&'.repeat(2_500_000);
    const dids = [{ scope, name: 'x' }];
    const rule = { account: 'root', copies: 1, rse_expression };
    const templates = { filter: {}, replication_rules: [{ ...rule, activity: 'User Subscriptions' }] };
    const options = { ...templates, comments: '', lifetime: 1, retroactive: false, dry_run: false, priority: 3 };
    for (const [path, body] of [
      ['/rules/', { ...rule, dids }],
      ['/replicas/list', { dids, rse_expression }],
      [`/dids/${scope}/x`, { type: 'DATASET', rules: [rule] }],
      ['/dids', [{ scope, name: 'x', type: 'DATASET', rules: [rule] }]],
      [`/rules/${'0'.repeat(32)}/reduce`, { copies: 1, exclude_expression: rse_expression }],
      [`/rules/${'0'.repeat(32)}/move`, { rse_expression }],
      ['/requests/lease', { holder: 'x', dst_rse: rse_expression, limit: 1, seconds: 60 }],
      ['/subscriptions/root/long', { options }],
    ] as const) {
      const start = performance.now();
      const answer = await post(path, JSON.stringify(body));
      expect([400, 409], path).toContain(answer.status);
      expect(answer.text.length, path).toBeLessThan(5_000);
      expect(performance.now() - start, path).toBeLessThan(2_000);
    }
  });

  it('with more than 100 schemes are 400', async () => {
    for (const schemes of [Array(101).fill('davs'), 'davs,'.repeat(101)])
      expectError(
        await post('/replicas/list', JSON.stringify({ dids: [], schemes })),
        400,
        'InvalidObject',
        /more than 100 schemes/,
      );
  });

  it('beyond what Lambda takes are 413, as at the gateway', async () => {
    expectError(await post('/dids', `["${'x'.repeat(6 * 1024 * 1024)}"]`), 413, 'PayloadTooLarge', /6 MB/);
  });
});

describe('headers and queries', () => {
  it('of 100 KB are refused before they reach a function', async () => {
    const long = await call('GET', '/ping', { headers: { 'X-Long': 'x'.repeat(100_000) } });
    expect(long.status).toBe(431);
    expect((await nobody.get(`/ping?x=${'x'.repeat(100_000)}`)).status).toBe(431);
  });

  it.each([
    ['RSE expressions', (text: string) => `/rses?expression=${text}`, `${'('.repeat(2_000)}x${')'.repeat(2_000)}`],
    ['RSE expressions', (text: string) => `/rses?expression=${text}`, 'a%7C'.repeat(2_000)],
    ['filters', (text: string) => `/dids/${scope}/dids/search?filters=${text}`, '['.repeat(5_000)],
    ['filters', (text: string) => `/dids/${scope}/dids/search?filters=${text}`, '{"a":'.repeat(1_500)],
  ])('of %s that nest or go on are 400: %#', async (_what, path, text) => {
    expect((await root.get(path(text))).status).toBe(400);
  });

  it('with a pattern that would backtrack exponentially takes linear time', async () => {
    const name = 'a'.repeat(250);
    expect((await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' })).status).toBe(201);
    const answer = await root.get(`/dids/${scope}/dids/search?type=dataset&name=${'*a'.repeat(120)}b`);
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('regular expressions of administrators', () => {
  it('for values of metadata are stopped when they take too long', async () => {
    const key = uniqueName('slow');
    const convention = { key_type: 'ALL', value_type: null, value_regexp: '(a+)+$' };
    expect((await root.post(`/meta_conventions/${key}`, convention)).status).toBe(201);
    const answer = await root.post(`/meta_conventions/${key}`, { value: `${'a'.repeat(200)}!` });
    expectError(answer, 400, 'InvalidObject', /takes too long/);
  });
});

describe('log-ins', () => {
  it('with missing headers are refused before a password is hashed', async () => {
    const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'x' };
    expectError(await nobody.get('/auth/userpass', { headers }), 401, 'CannotAuthenticate');
  });

  it('with wrong passwords lock the account for a while, against guessing and against the load of hashing', async () => {
    const account = uniqueName('guess');
    const identity = { identity: account, authtype: 'USERPASS', email: '', password: 'right' };
    expect((await root.post(`/accounts/${account}`, { type: 'USER', email: '' })).status).toBe(201);
    expect((await root.post(`/accounts/${account}/identities`, identity)).status).toBe(201);
    const logIn = (password: string) =>
      nobody.get('/auth/userpass', {
        headers: { 'X-Rucio-Account': account, 'X-Rucio-Username': account, 'X-Rucio-Password': password },
      });
    const statuses = [];
    for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await logIn('wrong')).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect((await logIn('right')).status).toBe(429);
  });
});
