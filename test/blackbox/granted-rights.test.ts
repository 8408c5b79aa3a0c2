import { beforeAll, describe, expect, it } from 'vitest';

import { email } from '../support/identities.ts';
import {
  asRoot,
  type Client,
  createClient,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();

let admin: Client;
beforeAll(async () => {
  admin = await newAccount({ admin: true });
});

describe('an attribute that grants rights', () => {
  /** Requests that each attribute allows; without the right they are refused. */
  const uses: Record<string, (client: Client) => Promise<boolean>> = {
    admin: async (client) => (await client.post(`/scopes/${client.account}/${uniqueName()}`)).status === 201,
    mover: async (client) => {
      const { text } = await client.post('/requests/lease', { holder: 'x', dst_rse: 'NONE', seconds: 60 });
      return !text.includes('AccessDenied');
    },
    'sign-url': async (client) =>
      !(await client.get('/credentials/signurl?rse=X&svc=s3&op=read&url=https://x')).text.includes('AccessDenied'),
  };

  for (const [key, isAllowed] of Object.entries(uses)) {
    it.each(['true', 'True', '1'])(`${key} = %j grants it`, async (value) => {
      const { account, username, password } = await newAccount();
      expectCreated(await root.post(`/accounts/${account}/attr/${key}`, { value }));
      expect(await isAllowed(createClient({ account, username, password }))).toBe(true);
    });

    it.each([0, '0', '', 'no', 'None', 'false', 'False', false, null, 'off', 'yes', '2'])(
      `${key} = %j grants nothing`,
      async (value) => {
        const client = await newAccount();
        expectCreated(await root.post(`/accounts/${client.account}/attr/${key}`, { value }));
        expect(await isAllowed(client)).toBe(false);
      },
    );
  }
});

describe('the account root belongs to root', () => {
  it('an admin adds no identity to it', async () => {
    const denial = `Account ${admin.account} can not add account identity. `;
    const body = { identity: uniqueName(), authtype: 'USERPASS', email, password: 'x' };
    expectError(await admin.post('/accounts/root/identities', body), 401, 'AccessDenied', denial);
    const own = { identity: admin.username, authtype: 'USERPASS', email };
    expectError(await admin.post('/accounts/root/identities', own), 401, 'AccessDenied', denial);
    const headers = { 'X-Rucio-Username': uniqueName(), 'X-Rucio-Password': 'x', 'X-Rucio-Email': email };
    const answer = await admin.put('/identities/root/userpass', undefined, { headers });
    expectError(answer, 401, 'AccessDenied', denial);
  });

  it('an admin takes no identity from it, root does', async () => {
    const body = { identity: `/CN=${uniqueName()}`, authtype: 'X509', email };
    expectCreated(await root.post('/accounts/root/identities', body));
    const denial = `Account ${admin.account} can not delete account identity. `;
    expectError(await admin.delete('/accounts/root/identities', body), 401, 'AccessDenied', denial);
    expectEmpty(await root.delete('/accounts/root/identities', body));
  });

  it('an admin changes neither its status nor its e-mail address nor its type', async () => {
    for (const [key, value] of Object.entries({ status: 'SUSPENDED', email: 'x@x', account_type: 'USER' })) {
      const denial = `Account ${admin.account} can not change ${key}  of the account. `;
      expectError(await admin.put('/accounts/root', { [key]: value }), 401, 'AccessDenied', denial);
    }
  });

  it('an admin neither adds nor deletes its attributes', async () => {
    const path = `/accounts/root/attr/${uniqueName()}`;
    const added = `Account ${admin.account} can not add attributes. `;
    expectError(await admin.post(path, { value: 'x' }), 401, 'AccessDenied', added);
    expectCreated(await root.post(path, { value: 'x' }));
    const deleted = `Account ${admin.account} can not delete attribute. `;
    expectError(await admin.delete(path), 401, 'AccessDenied', deleted);
    expectEmpty(await root.delete(path));
  });

  it('an admin imports nothing for it', async () => {
    const identities = [{ type: 'USERPASS', identity: uniqueName(), password: 'x' }];
    const accounts = [{ account: 'root', email: 'x@x', identities }];
    const denial = `Account ${admin.account} can not import data. `;
    expectError(await admin.post('/import', { accounts }), 401, 'AccessDenied', denial);
  });

  it('an admin still changes all others', async () => {
    const { account } = await newAccount();
    expectEmpty(await admin.put(`/accounts/${account}`, { status: 'SUSPENDED' }));
    expectEmpty(await admin.put(`/accounts/${account}`, { status: 'ACTIVE' }));
    expectCreated(await admin.post(`/accounts/${account}/attr/admin`, { value: 'true' }));
  });
});
