import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  call,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  loginHeaders,
  newAccount,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d UTC$/;

const logIn = (user: Parameters<typeof loginHeaders>[0], headers: Record<string, string> = {}) =>
  call('GET', '/auth/userpass', { headers: { ...loginHeaders(user), ...headers } });

const refused = (account: string) => `Cannot authenticate to account ${account} with given credentials`;

/** An account with a password, without the client's own log-in. */
const user = ({ account, username, password }: Client) => ({ account, username, password });

let alice: Client;
beforeAll(async () => {
  alice = await newAccount();
});

describe('auth: log-in with an account (access 1.3, 1.4)', () => {
  it('answers a token, its end and the account in headers, with an empty body', async () => {
    const answer = await logIn(user(alice));
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(answer.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('X-Rucio-Auth-Account')).toBe(alice.account);
    const expires = answer.headers.get('X-Rucio-Auth-Token-Expires') ?? '';
    expect(expires).toMatch(date);
    expect(Math.abs(Date.parse(expires) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const token = answer.headers.get('X-Rucio-Auth-Token') ?? '';
    expect(token).toMatch(/^\S+$/);
    expect((await call('GET', '/accounts/whoami', { token })).headers.get('Location')).toBe(alice.account);
  });

  it('a wrong password, an unknown user, another account and an unknown account are 401 CannotAuthenticate', async () => {
    const bob = await newAccount();
    const unknown = uniqueName();
    const attempts = [
      { ...user(alice), password: 'wrong' },
      { ...user(alice), username: unknown },
      { ...user(alice), account: bob.account },
      { ...user(alice), account: unknown },
      { ...user(alice), account: 'No#Account' },
      { ...user(alice), username: 'a#b%c' },
      { ...user(alice), username: 'x'.repeat(2000) },
    ];
    for (const attempt of attempts) {
      expectError(await logIn(attempt), 401, 'CannotAuthenticate', refused(attempt.account));
    }
  });

  it('a missing or empty username or password is 401', async () => {
    const message = 'Cannot authenticate without passing all required arguments';
    const { account, username, password } = alice;
    for (const given of [{}, { account }, { account, username }, { account, password }]) {
      expectError(await logIn(given), 401, 'CannotAuthenticate', message);
    }
    expectError(await logIn({ account, username, password: '' }), 401, 'CannotAuthenticate', message);
  });

  it('the client sends an empty token along: it is ignored', async () => {
    expect((await logIn(user(alice), { 'X-Rucio-Auth-Token': '' })).status).toBe(200);
  });

  it('a malformed VO is 400 RucioException, another one than def is 401', async () => {
    expectError(
      await logIn(user(alice), { 'X-Rucio-VO': 'a b' }),
      400,
      'RucioException',
      'Invalid characters in VO name.',
    );
    expectError(await logIn(user(alice), { 'X-Rucio-VO': 'xyz' }), 401, 'CannotAuthenticate', refused(alice.account));
    expect((await logIn(user(alice), { 'X-Rucio-VO': 'def' })).status).toBe(200);
  });

  it('an Accept that does not cover octets is 406', async () => {
    const answer = await logIn(user(alice), { Accept: 'application/json' });
    const message = "The requested content type application/json is not supported. Use ['application/octet-stream'].";
    expectError(answer, 406, 'UnsupportedRequestedContentType', message);
  });

  it('another method is 405 with Allow', async () => {
    const answer = await call('POST', '/auth/userpass', { headers: loginHeaders(user(alice)) });
    expectError(answer, 405, 'MethodNotAllowed');
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('a suspended account gets no token until it is active again', async () => {
    const bob = await newAccount();
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'SUSPENDED' }));
    const message = `${refused(bob.account)}: the account is suspended`;
    expectError(await logIn(user(bob)), 401, 'CannotAuthenticate', message);
    expectError(await logIn({ ...user(bob), account: '' }), 401, 'CannotAuthenticate', message);
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'ACTIVE' }));
    expect((await logIn(user(bob))).status).toBe(200);
  });

  it('a deleted account gets no token', async () => {
    const bob = await newAccount();
    expectEmpty(await root.delete(`/accounts/${bob.account}`));
    expectError(await logIn(user(bob)), 401, 'CannotAuthenticate', `${refused(bob.account)}: the account is deleted`);
  });
});

describe('auth: log-in without an account (access 1.4)', () => {
  const identity = (name: string) => ({ identity: name, authtype: 'USERPASS', email: 'x@example.org' });

  it('the only account of the identity is taken', async () => {
    const { username, password } = alice;
    const answer = await logIn({ username, password });
    expect(answer.headers.get('X-Rucio-Auth-Account')).toBe(alice.account);
    const empty = await logIn({ account: '', username, password });
    expect(empty.headers.get('X-Rucio-Auth-Account')).toBe(alice.account);
  });

  it('an unknown identity is 401 IdentityError, a wrong password 401 CannotAuthenticate', async () => {
    const unknown = { username: uniqueName(), password: 'x' };
    expectError(await logIn(unknown), 401, 'IdentityError', 'Cannot authenticate. The identity does not exist.');
    const wrong = await logIn({ username: alice.username, password: 'wrong' });
    expectError(wrong, 401, 'CannotAuthenticate', refused(alice.account));
  });

  it('of several accounts the caller must name one: 206, but only with the right password', async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    expectCreated(await root.post(`/accounts/${second.account}/identities`, identity(first.username)));
    const { username, password } = first;
    const answer = await logIn({ username, password });
    const accounts = [first.account, second.account].sort();
    expect(answer.status).toBe(206);
    expect(answer.headers.get('X-Rucio-Auth-Accounts')).toBe(accounts.join(','));
    expect(answer.text).toBe(`["${accounts.join('", "')}"]`);
    expect(answer.headers.get('X-Rucio-Auth-Token')).toBeNull();
    const wrong = await logIn({ username, password: 'wrong' });
    expectError(wrong, 401, 'CannotAuthenticate', 'Cannot authenticate with given credentials');
    expect(wrong.headers.get('X-Rucio-Auth-Accounts')).toBeNull();
    const named = await logIn({ username, password, account: second.account });
    expect(named.headers.get('X-Rucio-Auth-Account')).toBe(second.account);
  });

  it('of several accounts the default one is taken', async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    const mapping = { ...identity(first.username), default: true };
    expectCreated(await root.post(`/accounts/${second.account}/identities`, mapping));
    const answer = await logIn({ username: first.username, password: first.password });
    expect(answer.headers.get('X-Rucio-Auth-Account')).toBe(second.account);
  });

  it('an identity that was removed from its last account is unknown, also with the right password', async () => {
    const bob = await newAccount();
    const named = { identity: bob.username, authtype: 'USERPASS' };
    expectEmpty(await root.delete(`/accounts/${bob.account}/identities`, named));
    const { username, password } = bob;
    const message = 'Cannot authenticate. The identity does not exist.';
    expectError(await logIn({ username, password: 'wrong' }), 401, 'IdentityError', message);
    expectError(await logIn({ username, password }), 401, 'IdentityError', message);
    expectError(await logIn(user(bob)), 401, 'CannotAuthenticate', refused(bob.account));
  });

  it('the right password for a suspended or deleted account says why, a wrong one and another user do not', async () => {
    const bob = await newAccount();
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'SUSPENDED' }));
    expectError(await logIn(user(bob)), 401, 'CannotAuthenticate', `${refused(bob.account)}: the account is suspended`);
    for (const other of [{ password: 'wrong' }, { username: alice.username, password: alice.password }]) {
      expectError(await logIn({ ...user(bob), ...other }), 401, 'CannotAuthenticate', refused(bob.account));
    }
    expectEmpty(await root.delete(`/accounts/${bob.account}`));
    expectError(await logIn(user(bob)), 401, 'CannotAuthenticate', `${refused(bob.account)}: the account is deleted`);
  });
});

describe('auth: too many wrong passwords', () => {
  const message = 'Too many wrong passwords for this account. Please try again later.';
  const wrong = { password: 'wrong' };

  it('after 10 for an account the right one is 429 with Retry-After, too; other accounts are not affected', async () => {
    const bob = await newAccount();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await logIn(user(bob))).status).toBe(200);
      expectError(await logIn({ ...user(bob), ...wrong }), 401, 'CannotAuthenticate', refused(bob.account));
    }
    const answer = await logIn(user(bob));
    expectError(answer, 429, 'CannotAuthenticate', message);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(Number(answer.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expectError(await logIn({ username: bob.username, password: bob.password }), 429, 'CannotAuthenticate', message);
    expect((await logIn(user(alice))).status).toBe(200);
  });

  it('attempts without an account count as well', async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    const mapping = { identity: first.username, authtype: 'USERPASS', email: 'x@example.org' };
    expectCreated(await root.post(`/accounts/${second.account}/identities`, mapping));
    const attempts = Array.from({ length: 10 }, () => logIn({ username: first.username, ...wrong }));
    for (const answer of await Promise.all(attempts)) expectError(answer, 401, 'CannotAuthenticate');
    const { username, password } = first;
    expectError(await logIn({ username, password }), 429, 'CannotAuthenticate', message);
  });

  it('count against the username, whatever account is named, known or not', async () => {
    const bob = await newAccount();
    const accounts = [bob.account, alice.account, uniqueName('none'), 'root', uniqueName('none')];
    for (const account of [...accounts, ...accounts]) {
      expectError(await logIn({ ...user(bob), account, ...wrong }), 401, 'CannotAuthenticate', refused(account));
    }
    for (const account of [bob.account, alice.account, uniqueName('none')]) {
      expectError(await logIn({ ...user(bob), account }), 429, 'CannotAuthenticate', message);
    }
  });

  it('the right password of an unused or foreign account is as wrong as any, and is not told apart', async () => {
    const bob = await newAccount();
    const unused = uniqueName('none');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expectError(await logIn({ ...user(bob), account: unused }), 401, 'CannotAuthenticate', refused(unused));
    }
    expectError(await logIn(user(bob)), 429, 'CannotAuthenticate', message);
  });

  it('count against a username that does not exist as well', async () => {
    const username = uniqueName('none');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expectError(await logIn({ username, account: uniqueName('none'), ...wrong }), 401, 'CannotAuthenticate');
    }
    expectError(await logIn({ username, account: uniqueName('none'), ...wrong }), 429, 'CannotAuthenticate', message);
    expectError(await logIn({ username, ...wrong }), 429, 'CannotAuthenticate', message);
  });
});
