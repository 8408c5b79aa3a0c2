import { beforeAll, describe, expect, it } from 'vitest';

import { accountsOf, email, logIn, newCallers } from '../support/identities.ts';
import {
  asRoot,
  call,
  type Client,
  createClient,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();

let bob: Client;
let admin: Client;
beforeAll(async () => {
  ({ bob, admin } = await newCallers());
});

interface Change {
  readonly account: string;
  readonly username: string;
  readonly password?: string;
  readonly current?: string;
  readonly email?: string;
}

const setPassword = (as: Client, { account, username, password, current, email: address }: Change) =>
  as.put(`/identities/${account}/userpass`, undefined, {
    headers: {
      'X-Rucio-Username': username,
      'X-Rucio-Password': password ?? '',
      ...(current === undefined ? {} : { 'X-Rucio-Current-Password': current }),
      ...(address === undefined ? {} : { 'X-Rucio-Email': address }),
    },
  });
const validate = (token: string) => call('GET', '/auth/validate', { token });
const refused = 'Cannot authenticate with given credentials';

describe('PUT /identities/{account}/userpass sets the password of a username of the account (access 2.5)', () => {
  it('its user, with the present one: only the new one logs in, and the tokens of the former end', async () => {
    const alice = await newAccount();
    const token = await alice.token();
    const { account, username, password } = alice;
    expectCreated(await setPassword(alice, { account, username, password: 'new one', current: password }));
    expectError(await logIn(account, username, password), 401, 'CannotAuthenticate');
    expect((await logIn(account, username, 'new one')).status).toBe(200);
    expectError(await validate(token), 401, 'CannotAuthenticate', refused);
    expectError(await alice.get('/accounts/whoami'), 401, 'CannotAuthenticate', refused);
    const renewed = createClient({ account, username, password: 'new one' });
    expect((await validate(await renewed.token())).status).toBe(200);
  });

  it('its user without the present one, or with a wrong one: 400 and 401, and nothing changes', async () => {
    const alice = await newAccount();
    const { account, username, password } = alice;
    const change = { account, username, password: 'new one' };
    const message = 'The present password must be set, in X-Rucio-Current-Password.';
    expectError(await setPassword(alice, change), 400, 'ValueError', message);
    const wrong = await setPassword(alice, { ...change, current: 'wrong' });
    expectError(wrong, 401, 'CannotAuthenticate', 'The present password is wrong.');
    expect((await logIn(account, username, password)).status).toBe(200);
  });

  it('wrong present passwords count as wrong log-ins: 429 after ten', async () => {
    const alice = await newAccount();
    const { account, username } = alice;
    const attempt = () => setPassword(alice, { account, username, password: 'new', current: 'wrong' });
    for (let count = 0; count < 10; count += 1) expectError(await attempt(), 401, 'CannotAuthenticate');
    expectError(await attempt(), 429, 'CannotAuthenticate');
    expectError(await logIn(account, username, alice.password), 429, 'CannotAuthenticate');
  });

  it('an admin without it: the tokens end, of all accounts of the username', async () => {
    const [alice, other] = [await newAccount(), await newAccount()];
    const { account, username, password } = alice;
    const mapping = { identity: username, authtype: 'USERPASS', email };
    expectCreated(await root.post(`/accounts/${other.account}/identities`, mapping));
    const tokens = [await alice.token(), await createClient({ account: other.account, username, password }).token()];
    expectCreated(await setPassword(admin, { account, username, password: 'reset' }));
    for (const token of tokens) expectError(await validate(token), 401, 'CannotAuthenticate', refused);
    expect((await validate(await other.token())).status).toBe(200);
    expectError(await logIn(account, username, password), 401, 'CannotAuthenticate');
    for (const name of [account, other.account]) expect((await logIn(name, username, 'reset')).status).toBe(200);
  });

  it('nobody else: 401 AccessDenied, also for another username of their account', async () => {
    const alice = await newAccount();
    const { account, username } = alice;
    const second = { identity: uniqueName(), authtype: 'USERPASS', email, password: 'second' };
    expectCreated(await root.post(`/accounts/${account}/identities`, second));
    const denial = (client: Client) => `Account ${client.account} can not add account identity. `;
    const byBob = await setPassword(bob, { account, username, password: 'x' });
    expectError(byBob, 401, 'AccessDenied', denial(bob));
    const bySecond = createClient({ account, username: second.identity, password: 'second' });
    const answer = await setPassword(bySecond, { account, username, password: 'x', current: 'second' });
    expectError(answer, 401, 'AccessDenied', denial(alice));
    expect((await logIn(account, username, alice.password)).status).toBe(200);
  });

  it('an admin not that of a username of root, through no other account of it', async () => {
    const { account } = await newAccount();
    const username = uniqueName();
    const identity = { identity: username, authtype: 'USERPASS', email, password: 'of root' };
    for (const name of ['root', account]) expectCreated(await root.post(`/accounts/${name}/identities`, identity));
    const denial = `Account ${admin.account} can not set the password of this identity. `;
    expectError(await setPassword(admin, { account, username, password: 'x' }), 401, 'AccessDenied', denial);
    expectCreated(await setPassword(root, { account, username, password: 'new' }));
    expect((await logIn('root', username, 'new')).status).toBe(200);
    const mapping = { identity: username, authtype: 'USERPASS' };
    for (const name of ['root', account]) expectEmpty(await root.delete(`/accounts/${name}/identities`, mapping));
  });

  it('the e-mail address may be left out; another one is 409, and nothing changes', async () => {
    const { account, username, password } = await newAccount();
    const change = { account, username, password: 'new' };
    const answer = await setPassword(admin, { ...change, email: 'another@example.org' });
    expectError(answer, 409, 'Duplicate', /another e-mail address/);
    expect((await logIn(account, username, password)).status).toBe(200);
    expectCreated(await setPassword(admin, { ...change, email: `${account}@example.org` }));
  });

  it('the password must be there: 400 ValueError', async () => {
    const { account, username } = await newAccount();
    const answer = await setPassword(admin, { account, username });
    expectError(answer, 400, 'ValueError', 'Username and Password must be set.');
  });
});

describe('an identity', () => {
  it('of several accounts is mapped with its password, or without one; another one is 409 and changes nothing', async () => {
    const [first, second, third] = [await newAccount(), await newAccount(), await newAccount()];
    const identity = { identity: first.username, authtype: 'USERPASS', email };
    const path = `/accounts/${second.account}/identities`;
    const refusal = await admin.post(path, { ...identity, password: 'another' });
    expectError(refusal, 409, 'Duplicate', /already exists with another password! Leave the password out/);
    expectError(await logIn(second.account, first.username, first.password), 401, 'CannotAuthenticate');
    expectCreated(await admin.post(path, { ...identity, password: first.password }));
    expectCreated(await admin.post(`/accounts/${third.account}/identities`, identity));
    for (const { account } of [first, second, third]) {
      expect((await logIn(account, first.username, first.password)).status).toBe(200);
    }
  });

  it('is deleted with its last account: added again, it has the new password and e-mail address', async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    const named = { identity: first.username, authtype: 'USERPASS' };
    expectCreated(await root.post(`/accounts/${second.account}/identities`, { ...named, email }));
    expectEmpty(await admin.delete(`/accounts/${first.account}/identities`, named));
    expect((await logIn(second.account, first.username, first.password)).status).toBe(200);
    expectEmpty(await admin.delete(`/accounts/${second.account}/identities`, named));
    expect(await accountsOf(first.username, 'USERPASS')).toEqual([]);
    const again = { ...named, email: 'new@example.org', password: 'new' };
    expectCreated(await root.post(`/accounts/${first.account}/identities`, again));
    expectError(await logIn(first.account, first.username, first.password), 401, 'CannotAuthenticate');
    expect((await logIn(first.account, first.username, 'new')).status).toBe(200);
    const lines = (await root.get(`/accounts/${first.account}/identities`)).lines();
    expect(lines).toEqual([{ type: 'USERPASS', identity: first.username, email: 'new@example.org' }]);
  });

  it('that is removed ends its tokens for the account, also if it is added again; those of others stay', async () => {
    const alice = await newAccount();
    const { account, username } = alice;
    const second = { identity: uniqueName(), authtype: 'USERPASS', email, password: 'second' };
    expectCreated(await root.post(`/accounts/${account}/identities`, second));
    const other = createClient({ account, username: second.identity, password: 'second' });
    const [ended, kept] = [await alice.token(), await other.token()];
    const named = { identity: username, authtype: 'USERPASS' };
    expectEmpty(await admin.delete(`/accounts/${account}/identities`, named));
    expectError(await validate(ended), 401, 'CannotAuthenticate', refused);
    expect((await validate(kept)).status).toBe(200);
    expectCreated(await root.post(`/accounts/${account}/identities`, { ...named, email, password: alice.password }));
    expectError(await validate(ended), 401, 'CannotAuthenticate', refused);
  });

  it('whose accounts are removed and added at the same time is never left without a password', async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    const named = { identity: first.username, authtype: 'USERPASS' };
    for (let round = 0; round < 5; round += 1) {
      const [removed, added] = await Promise.all([
        root.delete(`/accounts/${first.account}/identities`, named),
        root.post(`/accounts/${second.account}/identities`, { ...named, email, password: first.password }),
      ]);
      expect([removed.status, added.status]).toEqual([200, 201]);
      expect((await logIn(second.account, first.username, first.password)).status).toBe(200);
      expectCreated(await root.post(`/accounts/${first.account}/identities`, { ...named, email }));
      expectEmpty(await root.delete(`/accounts/${second.account}/identities`, named));
    }
  });

  it('whose accounts are all removed at the same time is gone', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, async () => newAccount()));
    const identity = { identity: uniqueName(), authtype: 'USERPASS', email };
    for (const [index, { account }] of accounts.entries()) {
      const password = index === 0 ? { password: 'old' } : {};
      expectCreated(await root.post(`/accounts/${account}/identities`, { ...identity, ...password }));
    }
    const removals = accounts.map(({ account }) => root.delete(`/accounts/${account}/identities`, identity));
    for (const answer of await Promise.all(removals)) expectEmpty(answer);
    const account = accounts[0]?.account;
    const refusal = await root.post(`/accounts/${account}/identities`, identity);
    expectError(refusal, 400, 'IdentityError', 'You must provide a password!');
  });
});
