import { beforeAll, describe, expect, it } from 'vitest';

import { baseUrl } from '../support/run.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const unknown = uniqueName('none');

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = [await newAccount(), await newAccount({ admin: true })];
});

describe.each(['scopes', 'accounts'] as const)('scopes: create below /%s (dids 2.28)', (group) => {
  const create = (client: Client | typeof nobody, account: string, scope: string, body?: unknown) =>
    client.post(group === 'scopes' ? `/scopes/${account}/${scope}` : `/accounts/${account}/scopes/${scope}`, body);

  it('by root and by admins; a body is ignored', async () => {
    expectCreated(await create(root, alice.account, uniqueName('Sc._x'), { anything: 1 }));
    expectCreated(await create(admin, alice.account, uniqueName()));
  });

  it('an invalid name is 400 InvalidObject, before the permission is checked', async () => {
    for (const name of [
      'a%24b',
      'a%23b',
      'a%20b',
      'a%3Ab',
      'a+b',
      'a%2Fb',
      '%C3%A9',
      'x'.repeat(26),
      'x'.repeat(3000),
    ]) {
      expectError(await create(root, alice.account, name), 400, 'InvalidObject', /^Problem validating scope: /);
    }
    expectError(await create(alice, alice.account, 'a%23b'), 400, 'InvalidObject');
  });

  it('others are 401, also for an unknown account', async () => {
    const message = `Account ${alice.account} can not add scope. `;
    expectError(await create(alice, alice.account, unknown), 401, 'AccessDenied', message);
    expectError(await create(alice, unknown, unknown), 401, 'AccessDenied', message);
    expectError(await create(nobody, alice.account, unknown), 401, 'CannotAuthenticate', 'Token must be set.');
  });

  it('an unknown or suspended account, or an invalid name, is 404', async () => {
    const suspended = (await newAccount()).account;
    expectEmpty(await root.put(`/accounts/${suspended}`, { status: 'SUSPENDED' }));
    for (const name of [unknown, suspended, 'a%23b']) {
      const message = `Account ID '${decodeURIComponent(name)}' does not exist`;
      expectError(await create(root, name, unknown), 404, 'AccountNotFound', message);
    }
  });

  it('an existing one is 409 Duplicate, whoever owns it', async () => {
    const scope = await newScope();
    expectError(await create(root, alice.account, scope), 409, 'Duplicate', `Scope '${scope}' already exists!`);
  });

  it('of 50 at the same time exactly one is 201', async () => {
    const scope = uniqueName();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(root, alice.account, scope)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });
});

describe('scopes: lists (dids 2.28)', () => {
  it('every scope, and every scope with its owner', async () => {
    const scope = await newScope({ owner: alice.account });
    const all = await alice.get('/scopes/');
    expect(all.headers.get('Content-Type')).toBe('application/json');
    expect(all.json()).toContain(scope);
    expect((await alice.get('/scopes')).status).toBe(200);
    for (const path of ['/scopes/owner', '/scopes/owner/']) {
      expect((await alice.get(path)).json()).toContainEqual({ account: alice.account, scope });
    }
  });

  it('those of an account, also of a suspended one, on both routes', async () => {
    const { account } = await newAccount();
    const scopes = [await newScope({ owner: account, prefix: 'a' }), await newScope({ owner: account, prefix: 'b' })];
    expectEmpty(await root.put(`/accounts/${account}`, { status: 'SUSPENDED' }));
    for (const path of [`/scopes/${account}/scopes`, `/accounts/${account}/scopes/`, `/accounts/${account}/scopes`]) {
      const answer = await alice.get(path);
      expect(answer.headers.get('Content-Type')).toBe('application/json');
      expect(answer.json()).toEqual(scopes);
    }
  });

  it('an account without any is 404 ScopeNotFound, an unknown one 404 AccountNotFound', async () => {
    const { account } = await newAccount();
    const [below, beside] = [`/accounts/${account}/scopes/`, `/scopes/${account}/scopes`];
    expectError(await root.get(below), 404, 'ScopeNotFound', `no scopes found for account ID '${account}'`);
    expectError(await root.get(beside), 404, 'ScopeNotFound', `no scopes found for account '${account}'`);
    for (const name of [unknown, 'a%23b']) {
      const message = `Account ID '${decodeURIComponent(name)}' does not exist`;
      expectError(await root.get(`/accounts/${name}/scopes/`), 404, 'AccountNotFound', message);
      expectError(await root.get(`/scopes/${name}/scopes`), 404, 'AccountNotFound', message);
    }
  });

  it('another Accept is 406, but not for the owners', async () => {
    const options = { headers: { Accept: 'application/x-json-stream' } };
    for (const path of ['/scopes/', '/scopes/root/scopes', '/accounts/root/scopes/']) {
      expectError(await root.get(path, options), 406, 'UnsupportedRequestedContentType');
    }
    expect((await root.get('/scopes/owner', options)).status).toBe(200);
  });
});

describe('scopes: Location and owner (dids 2.28)', () => {
  it('the creation below /scopes answers the URL of the scope', async () => {
    const scope = uniqueName();
    const answer = await root.post(`/scopes/${alice.account}/${scope}`);
    expect(answer.headers.get('Location')).toBe(`${await baseUrl()}/scopes/${alice.account}/${scope}`);
  });

  it('root, an admin and the owner can give a scope away: 201 without a body', async () => {
    const bob = await newAccount();
    const scope = await newScope({ owner: alice.account });
    for (const [client, owner] of [
      [root, bob],
      [bob, alice],
      [admin, bob],
    ] as const) {
      const answer = await client.put(`/scopes/${owner.account}/${scope}`);
      expect(`${answer.status} ${answer.text}`).toBe('201 ');
      expect((await root.get(`/accounts/${owner.account}/scopes/`)).json()).toContain(scope);
    }
    expect((await root.get(`/scopes/owner`)).json()).toContainEqual({ account: bob.account, scope });
  });

  it('others are 401, also for an unknown scope or an invalid name', async () => {
    const scope = await newScope();
    for (const name of [scope, unknown, 'a%23b']) {
      const answer = await alice.put(`/scopes/${alice.account}/${name}`);
      expectError(answer, 401, 'AccessDenied', `Account ${alice.account} can not add scope. `);
    }
  });

  it('an unknown account is 404 before the scope is read, then an unknown scope', async () => {
    const message = `Account with ID '${unknown}' cannot be found`;
    expectError(await root.put(`/scopes/${unknown}/${unknown}`), 404, 'AccountNotFound', message);
    for (const scope of [unknown, 'a%23b', 'x'.repeat(3000)]) {
      expectError(await root.put(`/scopes/${alice.account}/${scope}`), 404, 'ScopeNotFound', 'None');
    }
  });

  it('a scope can be neither deleted nor read by itself: 405', async () => {
    const path = `/scopes/${alice.account}/${unknown}`;
    expectError(await root.delete(path), 405, 'MethodNotAllowed');
    expect((await root.get(path)).headers.get('Allow')).toBe('POST, PUT, OPTIONS');
  });
});
