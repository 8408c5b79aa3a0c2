import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  call,
  type Client,
  createClient,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();

let alice: Client;
beforeAll(async () => {
  alice = await newAccount();
});

describe('auth: validate (access 1.5)', () => {
  it('answers the content of the token as the text of a Python dictionary', async () => {
    const answer = await alice.get('/auth/validate');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/octet-stream');
    const { account, username } = alice;
    const lifetime = /datetime\.datetime\(\d{4}(, \d{1,2}){4,5}\)/.source;
    expect(answer.text).toMatch(
      new RegExp(
        `^\\{'account': '${account}', 'identity': '${username}', 'lifetime': ${lifetime}, ` +
          `'audience': None, 'authz_scope': None, 'vo': 'def'\\}$`,
      ),
    );
  });

  it('no token is 400 ValueError, a bad one 401', async () => {
    expectError(await nobody.get('/auth/validate'), 400, 'ValueError', 'Token must be set.');
    const bad = await call('GET', '/auth/validate', { token: 'bad' });
    expectError(bad, 401, 'CannotAuthenticate', 'Cannot authenticate with given credentials');
  });
});

describe('auth: tokens on every other route (access 1.5)', () => {
  const message = 'Cannot authenticate with given credentials';

  it('a missing or empty token is 401 CannotAuthenticate, with a reason (interface 5)', async () => {
    for (const answer of [await nobody.get('/scopes'), await call('GET', '/scopes', { token: '' })]) {
      expectError(answer, 401, 'CannotAuthenticate', 'Token must be set.');
      expect(answer.json()).toMatchObject({ reason: 'Invalid Auth Token' });
    }
  });

  it('a foreign, changed or unsigned token is 401, also with an unacceptable Accept', async () => {
    const token = await alice.token();
    const [head = '', body = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>;
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url');
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    const bad = [
      'bad',
      'aaa.bbb.ccc',
      'root-ddmlab-unknown-d6c04d65381a4509adb1c201a7feacd5',
      `${head}.${forged}.${signature}`,
      `${head}.${body}.${flipped}`,
      `${unsigned}.${body}.`,
    ];
    for (const text of bad) {
      expectError(await call('GET', '/scopes', { token: text }), 401, 'CannotAuthenticate', message);
    }
    const accept = await call('GET', '/scopes', { token: 'bad', headers: { Accept: 'text/plain' } });
    expectError(accept, 401, 'CannotAuthenticate', message);
  });

  it('blanks around a token are ignored, and so are the headers X-Rucio-Account and X-Rucio-VO', async () => {
    const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-VO': 'xyz' };
    const answer = await call('GET', '/accounts/whoami', { token: ` ${await alice.token()} `, headers });
    expect(answer.headers.get('Location')).toBe(alice.account);
  });

  it('an unknown path is 404 before the token is checked', async () => {
    expectError(await nobody.get('/accounts/a/nothing/here'), 404, 'NotFound');
  });

  it('a suspension takes effect on tokens within a minute, and so does its end', { timeout: 150_000 }, async () => {
    const bob = await newAccount();
    expect((await bob.get('/scopes')).status).toBe(200);
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'SUSPENDED' }));
    await expect.poll(async () => (await bob.get('/scopes')).status, { timeout: 70_000, interval: 500 }).toBe(401);
    expectError(await bob.get('/scopes'), 401, 'CannotAuthenticate', message);
    expectError(await bob.get('/auth/validate'), 401, 'CannotAuthenticate', message);
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'ACTIVE' }));
    expect((await bob.get('/scopes')).status).toBe(200);
    expectEmpty(await root.delete(`/accounts/${bob.account}`));
    await expect.poll(async () => (await bob.get('/scopes')).status, { timeout: 70_000, interval: 500 }).toBe(401);
  });

  it('a client of an account that does not exist cannot log in', async () => {
    const client = createClient({ account: uniqueName(), username: 'x', password: 'x' });
    await expect(client.token()).rejects.toThrow(/cannot log in/);
  });
});
