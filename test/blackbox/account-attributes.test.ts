import { beforeAll, describe, expect, it } from 'vitest';

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

/** A new account without a way to log in. */
async function bareAccount(): Promise<string> {
  const account = uniqueName('bare');
  expectCreated(await root.post(`/accounts/${account}`, { type: 'USER', email: null }));
  return account;
}

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = [await newAccount(), await newAccount({ admin: true })];
});

describe('accounts: attributes (access 2.3)', () => {
  it('are listed by key; true and false become booleans', async () => {
    const account = await bareAccount();
    const values = { 'a/b': 'x_\\y', empty: '', no: 'False', none: null, off: false, yes: 'true', zero: 0 };
    for (const [key, value] of Object.entries(values)) {
      expectCreated(
        await admin.post(`/accounts/${account}/attr/${encodeURIComponent(key)}`, { key: 'ignored', value }),
      );
    }
    const answer = await alice.get(`/accounts/${account}/attr/`);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    const listed = { ...values, no: false, yes: true, zero: '0' };
    expect(answer.json()).toEqual(Object.entries(listed).map(([key, value]) => ({ key, value })));
    expect((await alice.get(`/accounts/${account}/attr`)).text).toBe(answer.text);
  });

  it('an existing one is 409 Duplicate until it is deleted', async () => {
    const account = await bareAccount();
    const path = `/accounts/${account}/attr/country`;
    expectCreated(await root.post(path, { value: 'nl' }));
    const message = `Key country already exist for account ${account}!`;
    expectError(await root.post(path, { value: 'fr' }), 409, 'Duplicate', message);
    expectEmpty(await admin.delete(path));
    const gone = `Attribute (country) does not exist for the account ${account}!`;
    expectError(await root.delete(path), 404, 'AccountNotFound', gone);
    expectCreated(await root.post(path, { value: 'fr' }));
  });

  it('added at the same time, all of them stay', async () => {
    const account = await bareAccount();
    const keys = Array.from({ length: 20 }, (_value, i) => `key${i}`);
    const answers = await Promise.all(keys.map((key) => root.post(`/accounts/${account}/attr/${key}`, { value: key })));
    for (const answer of answers) expectCreated(answer);
    expect((await root.get(`/accounts/${account}/attr/`)).json()).toHaveLength(20);
  });

  it('key and value are checked: 400 KeyError, 400 InvalidObject', async () => {
    const path = `/accounts/${alice.account}/attr`;
    expectError(await root.post(`${path}/colour`, {}), 400, 'KeyError', "'value' not defined");
    for (const value of ['a b', 'x'.repeat(31), true, 7, ['x']]) {
      const answer = await root.post(`${path}/colour`, { value });
      expectError(answer, 400, 'InvalidObject', /^Problem validating account_attribute: /);
    }
    for (const key of ['a%20b', 'a%23b', 'x'.repeat(31)]) {
      const answer = await root.post(`${path}/${key}`, { value: 'x' });
      expectError(answer, 400, 'InvalidObject', /^Problem validating account_attribute: /);
    }
  });

  it('an unknown or suspended account, or an invalid name, is 404', async () => {
    const suspended = await bareAccount();
    expectEmpty(await root.put(`/accounts/${suspended}`, { status: 'SUSPENDED' }));
    for (const name of [unknown, suspended, 'a%23b']) {
      const message = `Account ID '${decodeURIComponent(name)}' does not exist`;
      expectError(await root.get(`/accounts/${name}/attr/`), 404, 'AccountNotFound', message);
      expectError(await root.post(`/accounts/${name}/attr/colour`, { value: 'red' }), 404, 'AccountNotFound', message);
      expectError(await root.delete(`/accounts/${name}/attr/colour`), 404, 'AccountNotFound');
    }
  });

  it('need root or an admin: 401', async () => {
    const path = `/accounts/${alice.account}/attr/admin`;
    const { account } = alice;
    const added = await alice.post(path, { value: 'true' });
    expectError(added, 401, 'AccessDenied', `Account ${account} can not add attributes. `);
    expectError(await alice.delete(path), 401, 'AccessDenied', `Account ${account} can not delete attribute. `);
  });

  it('admin with the value false makes no admin', async () => {
    const client = await newAccount();
    expectCreated(await root.post(`/accounts/${client.account}/attr/admin`, { value: 'false' }));
    const answer = await client.put(`/accounts/${client.account}`, { email: null });
    expectError(answer, 401, 'AccessDenied');
  });
});
