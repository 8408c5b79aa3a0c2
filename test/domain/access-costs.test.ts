import { beforeAll, describe, expect, it } from 'vitest';

import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addAccountAttribute } from '../../lib/operations/accounts/account-attributes.ts';
import { addAccount } from '../../lib/operations/accounts/add-account.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { getAccountRecord } from '../../lib/operations/accounts/get-account.ts';
import { listActiveAccounts } from '../../lib/operations/accounts/list-accounts.ts';
import { updateScope } from '../../lib/operations/scopes/update-scope.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { newTestStore } from '../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
});

const asRoot = (): Context => ({
  store: store.begin(),
  now: Date.now(),
  issuer: { account: 'root', identity: 'ddmlab' },
});
const costOf = async (run: (context: Context) => Promise<unknown>) => (await measure(() => run(asRoot()))).cost;

describe('cost of accounts and scopes for root, who needs no read for permissions', () => {
  it('create and show an account', async () => {
    const created = await costOf((context) => addAccount(context, { account: 'alice', type: 'USER', email: null }));
    expect(created).toEqual({ rru: 0, wru: 2, requests: 1, roundTrips: 1 });
    expect(await costOf((context) => getAccountRecord(context, 'alice'))).toEqual({
      rru: 1,
      wru: 0,
      requests: 1,
      roundTrips: 1,
    });
  });

  it('an attribute is one conditional write', async () => {
    const cost = await costOf((context) =>
      addAccountAttribute(context, { account: 'alice', key: 'country', value: 'nl' }),
    );
    expect(cost).toMatchObject({ rru: 0, requests: 1 });
  });

  it('listing one account by name is one read', async () => {
    const cost = await costOf((context) => Array.fromAsync(listActiveAccounts(context, { account: 'alice' })));
    expect(cost).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('creating a scope and changing its owner read the account and write the scope, for an active account', async () => {
    const created = await costOf((context) => addScope(context, { scope: 'data', account: 'alice' }));
    // A transaction with the condition that the account is active.
    expect(created).toEqual({ rru: 1, wru: 6, requests: 2, roundTrips: 2 });
    const given = await costOf((context) => updateScope(context, { scope: 'data', account: 'root' }));
    expect(given).toMatchObject({ rru: 1, requests: 2, roundTrips: 2 });
  });
});
