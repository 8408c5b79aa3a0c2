import { beforeAll, expect, it } from 'vitest';

import type { Context } from '../../../lib/domain/values/context.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { addAccountIdentity } from '../../../lib/operations/accounts/add-identity.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { setLimitOnExpression, setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { deleteAccount, updateAccount } from '../../../lib/operations/accounts/update-account.ts';
import { listGlobalLimits, listLocalLimits } from '../../../lib/store/entities/account-limit.ts';
import { listIdentitiesOf } from '../../../lib/store/entities/identity.ts';
import { listScopesOf } from '../../../lib/store/entities/scope.ts';
import { type Catalogue, interrupted, newCatalogue } from '../dids/catalogue.ts';

let catalogue: Catalogue;

beforeAll(async () => {
  catalogue = await newCatalogue();
});

/** Objects that are made for an account. */
const additions: Readonly<Record<string, (context: Context, account: string) => Promise<unknown>>> = {
  'a scope': (context, account) => addScope(context, { scope: `of-${account}`, account }),
  'an identity': (context, account) =>
    addAccountIdentity(context, { account, identity: `CN=${account}`, authtype: 'X509', email: 'a@b', default: false }),
  'a limit on an RSE': (context, account) => setLimitOnRse(context, { account, rse: 'DISK', bytes: 1 }),
  'a limit on an expression': (context, account) =>
    setLimitOnExpression(context, { account, expression: '*', bytes: 1 }),
};

const ends: Readonly<Record<string, (account: string) => Promise<unknown>>> = {
  deleted: (account) => deleteAccount(catalogue.at(), account),
  suspended: (account) => updateAccount(catalogue.at(), account, { status: 'SUSPENDED' }),
};

const cases = Object.keys(additions).flatMap((addition) => Object.keys(ends).map((end) => [addition, end] as const));

it.each(cases)('%s is not made for an account that is %s between the reads and the commit', async (addition, end) => {
  const account = `${end}${Object.keys(additions).indexOf(addition)}`;
  await addAccount(catalogue.at(), { account, type: 'USER', email: 'a@b' });
  let isEnded = false;
  const store = interrupted(catalogue.store, async () => {
    if (!isEnded) await ends[end]?.(account);
    isEnded = true;
  });
  await expect(additions[addition]?.(catalogue.at(Date.now(), store), account)).rejects.toThrow(account);
  expect(isEnded).toBe(true);
  const table = catalogue.at().store.table.latest();
  const made = [listScopesOf, listIdentitiesOf, listLocalLimits, listGlobalLimits];
  for (const list of made) expect(await Array.fromAsync<unknown>(list(table, account))).toEqual([]);
});
