import { beforeAll, describe, expect, it } from 'vitest';

import { accountsOf, email, logIn, newCallers, validTypes } from '../support/identities.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const unknown = uniqueName('none');

let alice: Client;
let bob: Client;
let admin: Client;
beforeAll(async () => {
  ({ alice, bob, admin } = await newCallers());
});

describe('identities of an account (access 2.3)', () => {
  it('are listed with type and e-mail address; an identity may hold any character', async () => {
    const account = (await newAccount()).account;
    const dn = `/DC=org/CN=${account} #1 100% é`;
    expectCreated(await admin.post(`/accounts/${account}/identities`, { identity: dn, authtype: 'x509', email }));
    const answer = await alice.get(`/accounts/${account}/identities`);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    expect(answer.lines()).toEqual([
      { type: 'USERPASS', identity: account, email: `${account}@example.org` },
      { type: 'X509', identity: dn, email },
    ]);
    expect(await accountsOf(dn, 'X509')).toEqual([account]);
    expect((await root.get(`/accounts/?identity=${encodeURIComponent(dn)}`)).lines()).toHaveLength(1);
  });

  it('one that exists needs no password, a new username does: 400 IdentityError', async () => {
    const identity = { identity: uniqueName(), authtype: 'USERPASS', email };
    for (const body of [identity, { ...identity, password: null }, { ...identity, password: '' }]) {
      const answer = await root.post(`/accounts/${alice.account}/identities`, body);
      expectError(answer, 400, 'IdentityError', 'You must provide a password!');
    }
    const known = { identity: bob.username, authtype: 'USERPASS', email };
    expectCreated(await root.post(`/accounts/${(await newAccount()).account}/identities`, known));
  });

  it('the same pair twice is 409 Duplicate', async () => {
    const body = { identity: alice.username, authtype: 'userpass', email, password: 'x' };
    const message = `Identity pair '${alice.username}','IdentityType.USERPASS' already exists!`;
    expectError(await root.post(`/accounts/${alice.account}/identities`, body), 409, 'Duplicate', message);
  });

  it('of parallel additions of one new identity with one password every account gets it', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, async () => (await newAccount()).account));
    const identity = uniqueName();
    const body = { identity, authtype: 'USERPASS', email, password: 'same' };
    const answers = await Promise.all(accounts.map((account) => root.post(`/accounts/${account}/identities`, body)));
    for (const answer of answers) expectCreated(answer);
    expect(await accountsOf(identity, 'USERPASS')).toEqual([...accounts].sort());
    for (const account of accounts) expect((await logIn(account, identity, 'same')).status).toBe(200);
  });

  it('of parallel additions with different passwords one wins, the others are 409', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, async () => (await newAccount()).account));
    const identity = uniqueName();
    const body = { identity, authtype: 'USERPASS', email };
    const answers = await Promise.all(
      accounts.map((account) => root.post(`/accounts/${account}/identities`, { ...body, password: account })),
    );
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['201', '409', '409', '409', '409']);
    const winner = accounts[answers.findIndex(({ status }) => status === 201)] ?? '';
    expect((await logIn(winner, identity, winner)).status).toBe(200);
  });

  it('the body is checked: 400', async () => {
    const path = `/accounts/${alice.account}/identities`;
    const body = { identity: 'CN=x', authtype: 'X509', email };
    for (const key of ['identity', 'authtype', 'email']) {
      expectError(await root.post(path, { ...body, [key]: undefined }), 400, 'KeyError', `'${key}' not defined`);
    }
    expectError(await root.post(path, { ...body, authtype: 'MAGIC' }), 400, 'ValueError', validTypes);
    expectError(await root.post(path, { ...body, email: null }), 400, 'InvalidObject');
    expectError(await root.post(path, { ...body, identity: '' }), 400, 'InvalidObject');
    expectError(await root.post(path, { ...body, identity: '#'.repeat(500) }), 400, 'InvalidObject');
    const flag = "'default' must be a boolean type.";
    expectError(await root.post(path, { ...body, default: 'perhaps' }), 400, 'TypeError', flag);
    expectError(await root.post(path), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await root.post(path, []), 400, 'TypeError', 'body must be a json dictionary');
  });

  it('need root or an admin, the account itself is 401', async () => {
    const body = { identity: alice.username, authtype: 'USERPASS', email };
    const path = `/accounts/${alice.account}/identities`;
    const { account } = alice;
    const added = await alice.post(path, { ...body, identity: 'CN=evil' });
    expectError(added, 401, 'AccessDenied', `Account ${account} can not add account identity. `);
    const deleted = await alice.delete(path, body);
    expectError(deleted, 401, 'AccessDenied', `Account ${account} can not delete account identity. `);
  });

  it('an unknown or suspended account, or an invalid name, is 404', async () => {
    const suspended = (await newAccount()).account;
    expectEmpty(await root.put(`/accounts/${suspended}`, { status: 'SUSPENDED' }));
    const body = { identity: 'CN=x', authtype: 'X509', email };
    for (const name of [unknown, suspended, 'a%23b']) {
      const text = decodeURIComponent(name);
      const listed = await root.get(`/accounts/${name}/identities`);
      expectError(listed, 404, 'AccountNotFound', `Account with ID '${text}' cannot be found`);
      const added = await root.post(`/accounts/${name}/identities`, body);
      expectError(added, 404, 'AccountNotFound', `Account '${text}' does not exist.`);
    }
  });

  it('another Accept is 406', async () => {
    const answer = await root.get('/accounts/root/identities', { headers: { Accept: 'application/json' } });
    expectError(answer, 406, 'UnsupportedRequestedContentType');
  });

  it('a removed one cannot log in', async () => {
    const first = await newAccount();
    const named = { identity: first.username, authtype: 'userpass' };
    expectEmpty(await admin.delete(`/accounts/${first.account}/identities`, named));
    expectError(await logIn(first.account, first.username, first.password), 401, 'CannotAuthenticate');
    const message = `Identity ('${first.username}','IdentityType.USERPASS') does not exist!`;
    expectError(await root.delete(`/accounts/${first.account}/identities`, named), 404, 'IdentityError', message);
    expect(await accountsOf(first.username, 'USERPASS')).toEqual([]);
  });

  it('the removal of an unknown one is 404 IdentityError, a bad body 400', async () => {
    const body = { identity: 'CN=x', authtype: 'X509' };
    for (const account of [alice.account, unknown, 'a%23b']) {
      const message = "Identity ('CN=x','IdentityType.X509') does not exist!";
      expectError(await root.delete(`/accounts/${account}/identities`, body), 404, 'IdentityError', message);
    }
    const path = `/accounts/${alice.account}/identities`;
    expectError(await root.delete(path, { identity: 'CN=x' }), 400, 'KeyError', "'authtype' not defined");
    expectError(await root.delete(path, { ...body, authtype: 'MAGIC' }), 400, 'ValueError', validTypes);
    expectError(await root.delete(path, { ...body, identity: 'x'.repeat(1000) }), 400, 'InvalidObject');
  });
});
