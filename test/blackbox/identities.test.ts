import { beforeAll, describe, expect, it } from 'vitest';

import { accountsOf, email, logIn, newCallers, validTypes } from '../support/identities.ts';
import { asRoot, type Client, expectCreated, expectError, uniqueName } from '../support/server.ts';

const root = asRoot();
const unknown = uniqueName('none');

let alice: Client;
let bob: Client;
let admin: Client;
beforeAll(async () => {
  ({ alice, bob, admin } = await newCallers());
});

describe('PUT /identities/{account}/userpass (access 2.5)', () => {
  const headersOf = (username: string) => ({
    'X-Rucio-Username': username,
    'X-Rucio-Password': 'pw',
    'X-Rucio-Email': email,
  });
  const add = (client: Client, account: string, headers: Record<string, string>) =>
    client.put(`/identities/${account}/userpass`, undefined, { headers });

  it('creates a username that can log in', async () => {
    const username = uniqueName();
    expectCreated(await add(admin, alice.account, headersOf(username)));
    expect((await logIn(alice.account, username, 'pw')).status).toBe(200);
  });

  it('needs username, password and e-mail address: 400 ValueError', async () => {
    const headers = headersOf(uniqueName());
    for (const name of Object.keys(headers)) {
      const answer = await add(root, alice.account, { ...headers, [name]: '' });
      expectError(answer, 400, 'ValueError', 'Username, Email and Password must be set.');
    }
    expectError(await root.put(`/identities/${alice.account}/userpass`), 400, 'ValueError');
    expectError(await add(root, alice.account, headersOf('x'.repeat(1000))), 400, 'InvalidObject');
  });

  it('a username that exists is 409 Duplicate, whatever its account', async () => {
    const message = `Identity pair '${bob.username}','IdentityType.USERPASS' already exists!`;
    expectError(await add(root, alice.account, headersOf(bob.username)), 409, 'Duplicate', message);
  });

  it('a denial is 401 and changes nothing', async () => {
    const username = uniqueName();
    const message = `Account ${alice.account} can not add account identity. `;
    expectError(await add(alice, alice.account, headersOf(username)), 401, 'AccessDenied', message);
    expectCreated(await add(root, alice.account, headersOf(username)));
  });

  it('an unknown account is 404', async () => {
    const answer = await add(root, unknown, headersOf(uniqueName()));
    expectError(answer, 404, 'AccountNotFound', `Account '${unknown}' does not exist.`);
  });
});

describe('accounts of an identity (access 2.5)', () => {
  it('are listed by query and by path, the type in any case', async () => {
    for (const type of ['USERPASS', 'userpass']) {
      expect(await accountsOf(alice.username, type)).toContain(alice.account);
      const answer = await alice.get(`/identities/${alice.username}/${type}/accounts`);
      expect(answer.headers.get('Content-Type')).toBe('application/json');
      expect(answer.json()).toEqual(await accountsOf(alice.username, type));
    }
    const dn = `/CN=${uniqueName()}`;
    const body = { identity: dn, authtype: 'X509', email };
    expectCreated(await root.post(`/accounts/${alice.account}/identities`, body));
    expect((await root.get(`/identities/${encodeURIComponent(dn)}/X509/accounts`)).json()).toEqual([alice.account]);
  });

  it('an unknown identity has none', async () => {
    expect(await accountsOf(unknown, 'USERPASS')).toEqual([]);
    expect(await accountsOf('x'.repeat(2000), 'USERPASS')).toEqual([]);
  });

  it('parameters are checked: 400 ValueError', async () => {
    const path = '/identities/accounts';
    expectError(await root.get(`${path}?type=X509`), 400, 'ValueError', 'identity_key parameter is required.');
    expectError(await root.get(`${path}?identity_key=x`), 400, 'ValueError', 'type parameter is required.');
    expectError(await root.get(`${path}?identity_key=x&type=MAGIC`), 400, 'ValueError', validTypes);
    expectError(await root.get('/identities/x/MAGIC/accounts'), 400, 'ValueError', validTypes);
  });

  it('another Accept is 406', async () => {
    const options = { headers: { Accept: 'text/plain' } };
    for (const path of ['/identities/accounts?identity_key=x&type=X509', '/identities/x/X509/accounts']) {
      expectError(await root.get(path, options), 406, 'UnsupportedRequestedContentType');
    }
  });
});
