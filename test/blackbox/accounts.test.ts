import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const user = { type: 'USER', email: null };
const unknown = uniqueName('none');

interface Line {
  readonly account: string;
}
const names = async (query: string) =>
  (await root.get(`/accounts/?${query}`)).lines().map((line) => (line as Line).account);

/** A new account without a way to log in. */
async function bareAccount(body: unknown = user): Promise<string> {
  const account = uniqueName('bare');
  expectCreated(await root.post(`/accounts/${account}`, body));
  return account;
}

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = [await newAccount({ prefix: 'alice' }), await newAccount({ prefix: 'admin', admin: true })];
});

describe('accounts: show (access 2.2)', () => {
  it('answers the eight fields, dates without a zone', async () => {
    const account = await bareAccount({ type: 'group', email: 'a@example.org' });
    const answer = await alice.get(`/accounts/${account}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.json()).toEqual({
      account,
      account_type: 'GROUP',
      status: 'ACTIVE',
      email: 'a@example.org',
      suspended_at: null,
      deleted_at: null,
      created_at: expect.stringMatching(isoDate) as string,
      updated_at: expect.stringMatching(isoDate) as string,
    });
    expect((await alice.get(`/accounts/${account}/`)).status).toBe(200);
  });

  it('root is a SERVICE without e-mail address and attributes', async () => {
    expect((await alice.get('/accounts/root')).json()).toMatchObject({ account_type: 'SERVICE', email: null });
    expect((await alice.get('/accounts/root/attr/')).json()).toEqual([]);
  });

  it('an unknown account or an invalid name is 404', async () => {
    const message = (account: string) => `Account with ID '${account}' cannot be found`;
    expectError(await root.get(`/accounts/${unknown}`), 404, 'AccountNotFound', message(unknown));
    expectError(await root.get('/accounts/a%23b'), 404, 'AccountNotFound', message('a#b'));
    const long = 'a'.repeat(3000);
    expectError(await root.get(`/accounts/${long}`), 404, 'AccountNotFound', message(long));
  });

  it('another Accept is 406, no token 401', async () => {
    const accept = await root.get('/accounts/root', { headers: { Accept: 'application/x-json-stream' } });
    expectError(accept, 406, 'UnsupportedRequestedContentType');
    expectError(await nobody.get('/accounts/root'), 401, 'CannotAuthenticate', 'Token must be set.');
  });

  it('whoami redirects to the own account, relatively', async () => {
    const answer = await alice.get('/accounts/whoami');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(alice.account);
  });
});

describe('accounts: list (access 2.2)', () => {
  it('filters by name, pattern, type, identity and attribute, and by all of them at once', async () => {
    const mark = uniqueName('m').slice(2);
    const [one, two] = [`x${mark}-1`, `x${mark}-2`];
    expectCreated(await root.post(`/accounts/${one}`, { type: 'USER', email: 'one@example.org' }));
    expectCreated(await root.post(`/accounts/${two}`, { type: 'GROUP', email: null }));
    for (const account of [one, two]) {
      const identity = { identity: `CN=${mark}`, authtype: 'X509', email: 'x@example.org' };
      expectCreated(await root.post(`/accounts/${account}/identities`, identity));
    }
    expectCreated(await root.post(`/accounts/${one}/attr/colour`, { value: mark }));
    expectCreated(await root.post(`/accounts/${one}/attr/flag`, { value: 'TRUE' }));

    const answer = await alice.get(`/accounts/?account=${one}`);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    expect(answer.text.endsWith('\n')).toBe(true);
    expect(answer.lines()).toEqual([{ account: one, type: 'USER', email: 'one@example.org' }]);
    expect(await names(`account=x${mark}*`)).toEqual([one, two]);
    expect(await names(`account=*${mark}-2`)).toEqual([two]);
    expect(await names(`account=x*${mark.slice(4)}*1`)).toEqual([one]);
    expect(await names(`account=x${mark}*&account_type=GROUP`)).toEqual([two]);
    expect(await names(`identity=CN%3D${mark}`)).toEqual([one, two]);
    expect(await names(`identity=CN%3D${mark}&account_type=USER`)).toEqual([one]);
    expect(await names(`colour=${mark}`)).toEqual([one]);
    expect(await names(`colour=${mark}&flag=true`)).toEqual([one]);
    expect(await names(`colour=${mark}&flag=false`)).toEqual([]);
    expect(await names(`account=${one}&account=${two}`), 'the first of repeated keys').toEqual([one]);
    expect((await names('')).length).toBeGreaterThan(1);
  });

  it('no match is an empty body with 200', async () => {
    for (const query of [
      `account=${unknown}`,
      'account=a%23b',
      `identity=${unknown}`,
      `identity=${'x'.repeat(2000)}`,
    ]) {
      const answer = await root.get(`/accounts?${query}`);
      expect(`${answer.status} ${answer.text}`).toBe('200 ');
    }
  });

  it('leaves out suspended and deleted accounts', async () => {
    const [suspended, deleted] = [await bareAccount(), await bareAccount()];
    expectEmpty(await root.put(`/accounts/${suspended}`, { status: 'SUSPENDED' }));
    expectEmpty(await root.delete(`/accounts/${deleted}`));
    expect(await names(`account=${suspended}`)).toEqual([]);
    expect(await names(`account=${deleted}`)).toEqual([]);
  });

  it('an unknown type, also a lower-case one, is 400 ValueError; another Accept 406', async () => {
    expectError(await root.get('/accounts/?account_type=ROBOT'), 400, 'ValueError', 'Unknown value ROBOT');
    expectError(await root.get('/accounts/?account_type=user'), 400, 'ValueError');
    const accept = await root.get('/accounts/', { headers: { Accept: 'application/json' } });
    expectError(accept, 406, 'UnsupportedRequestedContentType');
  });
});

describe('accounts: create (access 2.2)', () => {
  it('the name is checked: 400 InvalidObject, 400 UnsupportedAccountName', async () => {
    for (const name of ['ACC', 'a%20b', 'a%23b', 'a.b', 'a%2Fb', 'abcdefghijklmnopqrstuvwxyz', '%C3%A9']) {
      expectError(await root.post(`/accounts/${name}`, user), 400, 'InvalidObject', /^Problem validating account: /);
    }
    const message = 'The name "super_root" cannot be used.';
    expectError(await root.post('/accounts/super_root', user), 400, 'UnsupportedAccountName', message);
  });

  it('type and email are required, the type one of three', async () => {
    const path = `/accounts/${unknown}`;
    expectError(await root.post(path, { type: 'USER' }), 400, 'KeyError', "'email' not defined");
    expectError(await root.post(path, { email: null }), 400, 'KeyError', "'type' not defined");
    const message = "ROBOT is an invalid account type. Choose from ['USER', 'GROUP', 'SERVICE']";
    expectError(await root.post(path, { type: 'ROBOT', email: null }), 400, 'InvalidAccountType', message);
    expectError(await root.post(path, { type: 'USER', email: 5 }), 400, 'InvalidObject');
  });

  it('the body is a JSON object (access 0.2)', async () => {
    const path = `/accounts/${unknown}`;
    const undecodable = 'cannot decode json parameter dictionary';
    expectError(await root.post(path), 400, 'ValueError', undecodable);
    expectError(await root.post(path, undefined, { rawBody: '{"type":' }), 400, 'ValueError', undecodable);
    expectError(await root.post(path, ['USER']), 400, 'TypeError', 'body must be a json dictionary');
  });

  it('is for root alone: 401 AccessDenied, also for an admin', async () => {
    for (const client of [alice, admin]) {
      const answer = await client.post(`/accounts/${unknown}`, user);
      expectError(answer, 401, 'AccessDenied', `Account ${client.account} can not add account. `);
    }
    expectError(await root.get(`/accounts/${unknown}`), 404, 'AccountNotFound');
  });

  it('a name cannot be reused, not even that of a deleted account: 409 Duplicate', async () => {
    const account = await bareAccount();
    const message = `Account ID '${account}' already exists!`;
    expectError(await root.post(`/accounts/${account}`, user), 409, 'Duplicate', message);
    expectEmpty(await root.delete(`/accounts/${account}`));
    expectError(await root.post(`/accounts/${account}`, user), 409, 'Duplicate', message);
  });
});

describe('accounts: change (access 2.2)', () => {
  it('suspends and revives, in any case of the status', async () => {
    const account = await bareAccount();
    expectEmpty(await root.put(`/accounts/${account}`, { status: 'suspended' }));
    const date = expect.stringMatching(isoDate) as string;
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject({ status: 'SUSPENDED', suspended_at: date });
    expectEmpty(await admin.put(`/accounts/${account}`, { status: 'ACTIVE' }));
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject({ status: 'ACTIVE', suspended_at: null });
  });

  it('revives a deleted account, which keeps the time of its deletion', async () => {
    const account = await bareAccount();
    expectEmpty(await root.delete(`/accounts/${account}`));
    expectEmpty(await root.put(`/accounts/${account}`, { status: 'ACTIVE' }));
    const date = expect.stringMatching(isoDate) as string;
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject({ status: 'ACTIVE', deleted_at: date });
  });

  it('the status DELETED, unknown keys and an empty object have no effect', async () => {
    const account = await bareAccount();
    const before = (await root.get(`/accounts/${account}`)).text;
    for (const body of [{ status: 'DELETED' }, { colour: 'red' }, {}]) {
      expectEmpty(await root.put(`/accounts/${account}`, body));
    }
    expect((await root.get(`/accounts/${account}`)).text).toBe(before);
    expectEmpty(await root.put(`/accounts/${unknown}`, {}));
  });

  it('changes e-mail address and type, both or none', async () => {
    const account = await bareAccount();
    expectEmpty(await root.put(`/accounts/${account}`, { email: 'new@example.org', account_type: 'service' }));
    const changed = { email: 'new@example.org', account_type: 'SERVICE' };
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject(changed);
    const bad = await root.put(`/accounts/${account}`, { email: null, account_type: 'ROBOT' });
    expectError(bad, 400, 'InvalidAccountType', /^ROBOT is an invalid account type/);
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject(changed);
  });

  it('an unknown status is 400 ValueError, a bad name 400 InvalidObject, a body that is no object 400', async () => {
    const account = await bareAccount();
    expectError(
      await root.put(`/accounts/${account}`, { status: 'ASLEEP' }),
      400,
      'ValueError',
      'Unknown value ASLEEP',
    );
    expectError(
      await root.put('/accounts/A%23', { email: null }),
      400,
      'InvalidObject',
      /^Problem validating account: /,
    );
    expectError(await root.put(`/accounts/${account}`), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await root.put(`/accounts/${account}`, []), 400, 'TypeError', 'body must be a json dictionary');
  });

  it('needs root or an admin, the account itself is 401; unknown accounts are 404', async () => {
    const denied = await alice.put(`/accounts/${alice.account}`, { email: 'x@example.org' });
    expectError(denied, 401, 'AccessDenied', `Account ${alice.account} can not change email  of the account. `);
    const message = `Account with ID '${unknown}' cannot be found`;
    for (const body of [{ email: null }, { colour: 'red' }]) {
      expectError(await root.put(`/accounts/${unknown}`, body), 404, 'AccountNotFound', message);
    }
  });
});

describe('accounts: delete (access 2.2)', () => {
  it('sets the status and the time, once', async () => {
    const account = await bareAccount();
    expectEmpty(await root.delete(`/accounts/${account}`));
    const date = expect.stringMatching(isoDate) as string;
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject({ status: 'DELETED', deleted_at: date });
    const message = `Account with ID '${account}' cannot be found`;
    expectError(await root.delete(`/accounts/${account}`), 404, 'AccountNotFound', message);
  });

  it('of a suspended account as well; an unknown one and an invalid name are 404', async () => {
    const account = await bareAccount();
    expectEmpty(await root.put(`/accounts/${account}`, { status: 'SUSPENDED' }));
    expectEmpty(await root.delete(`/accounts/${account}`));
    expect((await root.get(`/accounts/${account}`)).json()).toMatchObject({ status: 'DELETED' });
    for (const name of [unknown, 'a%23b']) {
      expectError(await root.delete(`/accounts/${name}`), 404, 'AccountNotFound');
    }
  });

  it('is for root alone: 401', async () => {
    const account = await bareAccount();
    for (const client of [alice, admin]) {
      const answer = await client.delete(`/accounts/${account}`);
      expectError(answer, 401, 'AccessDenied', `Account ${client.account} can not delete account. `);
    }
  });
});
