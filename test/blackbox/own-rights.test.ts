import { describe, expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
import { asRoot, type Client, expectCreated, expectError, newAccount, nobody, uniqueName } from '../support/server.ts';

const root = asRoot();
const alice = await newAccount();

type Rights = Record<string, { may: boolean; who: string }>;
const rightsOf = async (client: Client, query = '') =>
  (await client.get(`/accounts/whoami/rights${query}`)).json() as Rights;

describe('GET /accounts/whoami/rights', () => {
  it('tells what an account may do, and who may do the rest', async () => {
    const rights = await rightsOf(alice);
    expect(rights['add_rse']).toEqual({ may: false, who: 'root; or attribute `admin`' });
    expect(rights['add_account']).toEqual({ may: false, who: 'root' });
    expect(rights['add_rule']?.may).toBe(true);
    expect((await rightsOf(root))['add_account']?.may).toBe(true);
  });

  it('decides for a scope, an account and an RSE as the requests do', async () => {
    const scope = uniqueName('s');
    expectCreated(await root.post(`/scopes/${alice.account}/${scope}`));
    expect((await rightsOf(alice, `?scope=${scope}`))['add_did']?.may).toBe(true);
    expectCreated(await alice.post(`/dids/${scope}/x`, { type: 'DATASET' }));
    expect((await rightsOf(alice, '?scope=other'))['add_did']?.may).toBe(false);

    expect((await rightsOf(alice, `?account=${alice.account}`))['del_rule']?.may).toBe(true);
    expect((await rightsOf(alice, '?account=root'))['del_rule']?.may).toBe(false);

    const rse = await addRse();
    expect((await rightsOf(alice, `?rse=${rse}&scope=${scope}`))['add_replicas']?.may).toBe(false);
    expectCreated(await root.post(`/accounts/${alice.account}/limits/local/${rse}`, { bytes: 10 }));
    expect((await rightsOf(alice, `?rse=${rse}&scope=${scope}`))['add_replicas']?.may).toBe(true);
  });

  it('notices a new attribute at once', async () => {
    const bob = await newAccount();
    expect((await rightsOf(bob))['config_set']?.may).toBe(false);
    expectCreated(await root.post(`/accounts/${bob.account}/attr/admin`, { value: 'true' }));
    expect((await rightsOf(bob))['config_set']?.may).toBe(true);
    expect((await rightsOf(bob, '?account=root'))['update_account']?.may).toBe(false);
  });

  it('refuses an unknown RSE, and a caller without a token', async () => {
    expectError(await alice.get('/accounts/whoami/rights?rse=NOWHERE'), 404, 'RSENotFound');
    expectError(await nobody.get('/accounts/whoami/rights'), 401, 'CannotAuthenticate');
  });
});
