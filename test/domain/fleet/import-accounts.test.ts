import { beforeEach, describe, expect, it } from 'vitest';

import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { addAccountIdentity } from '../../../lib/operations/accounts/add-identity.ts';
import { getAccountRecord } from '../../../lib/operations/accounts/get-account.ts';
import { listActiveAccounts } from '../../../lib/operations/accounts/list-accounts.ts';
import { listIdentities } from '../../../lib/operations/accounts/list-identities.ts';
import { deleteAccount, updateAccount } from '../../../lib/operations/accounts/update-account.ts';
import { logIn } from '../../../lib/operations/auth/log-in.ts';
import { type FleetCatalogue, newFleetCatalogue } from './fleet-catalogue.ts';

let catalogue: FleetCatalogue;
beforeEach(async () => {
  catalogue = await newFleetCatalogue();
});

const plain = (row: unknown) =>
  ((row as { row?: unknown }).row ?? row) as { account: string; type: string; identity: string };
const accounts = async () =>
  (await Array.fromAsync(listActiveAccounts(catalogue.context(), {}))).map((row) => plain(row).account);
const identities = async (account: string) =>
  (await Array.fromAsync(listIdentities(catalogue.context(), account))).map((row) => {
    const { type, identity } = plain(row);
    return `${type} ${identity}`;
  });
const user = (account: string, more: object = {}) => ({ account, email: `${account}@example.org`, ...more });
const password = (identity: string, secret = 'secret') => ({ type: 'userpass', identity, password: secret });
const canLogIn = (account: string, username: string, secret: string) =>
  logIn(catalogue.context(), { vo: undefined, account, username, password: secret }).then(
    () => true,
    () => false,
  );

async function newAccount(account: string): Promise<void> {
  await addAccount(catalogue.context(), { account, type: 'SERVICE', email: 'old@example.org' });
}

describe('the accounts of an import (rses 1.30)', () => {
  it('are created as users, or get their e-mail address; all others but root are deleted', async () => {
    for (const account of ['alice', 'bob', 'carl']) await newAccount(account);
    await catalogue.import({ accounts: [user('alice'), user('dora'), { account: 'carl', email: null }] });
    expect(await accounts()).toEqual(['alice', 'carl', 'dora', 'root']);
    const show = async (account: string) => getAccountRecord(catalogue.context(), account);
    expect(await show('alice')).toMatchObject({
      account_type: 'SERVICE',
      email: 'alice@example.org',
      status: 'ACTIVE',
    });
    expect(await show('carl')).toMatchObject({ email: 'old@example.org' });
    expect(await show('dora')).toMatchObject({ account_type: 'USER', email: 'dora@example.org', status: 'ACTIVE' });
    const gone = await show('bob');
    expect(gone).toMatchObject({ status: 'DELETED' });
    expect(gone.deleted_at).not.toBeNull();
  });

  it('an empty or absent list changes none', async () => {
    await newAccount('alice');
    for (const document of [{}, { accounts: [] }, { rses: { A: {} } }]) await catalogue.import(document);
    expect(await accounts()).toEqual(['alice', 'root']);
  });

  it('one that is suspended or deleted is 409, and nothing is imported', async () => {
    await newAccount('alice');
    await newAccount('bob');
    await updateAccount(catalogue.context(), 'alice', { status: 'SUSPENDED' });
    await deleteAccount(catalogue.context(), 'bob');
    for (const account of ['alice', 'bob']) {
      await expect(
        catalogue.import({
          rses: { A: {} },
          accounts: [user('carl', { identities: [password('carl')] }), user(account)],
        }),
      ).rejects.toMatchObject({ name: 'Duplicate', message: `Account ID '${account}' already exists!` });
    }
    expect(await catalogue.rses()).toEqual({});
    expect(await accounts()).toEqual(['root']);
    await catalogue.import({ accounts: [user('carl')] });
    expect(await getAccountRecord(catalogue.context(), 'alice')).toMatchObject({ status: 'SUSPENDED' });
  });

  it('a malformed account is refused', async () => {
    await expect(catalogue.import({ accounts: [user('alice'), user('alice')] })).rejects.toMatchObject({
      name: 'InvalidObject',
    });
    await expect(catalogue.import({ accounts: [user('super_root')] })).rejects.toMatchObject({
      name: 'UnsupportedAccountName',
    });
    await expect(
      catalogue.import({ accounts: [user('alice', { identities: [{ type: 'USERPASS', identity: 'alice' }] })] }),
    ).rejects.toMatchObject({ name: 'IdentityError', message: 'You must provide a password!' });
    await expect(
      catalogue.import({ accounts: [user('alice', { identities: [password('x'.repeat(1000))] })] }),
    ).rejects.toMatchObject({ name: 'InvalidObject' });
    expect(await accounts()).toEqual(['root']);
  });
});

describe('the identities of an import (rses 1.30)', () => {
  it('are created and mapped to their account, and all other mappings removed', async () => {
    await newAccount('alice');
    const old = {
      account: 'alice',
      identity: 'old',
      authtype: 'USERPASS',
      email: 'e',
      password: 'p',
      default: false,
    } as const;
    await addAccountIdentity(catalogue.context(), old);
    const certificate = { type: 'X509', identity: '/DC=org/CN=alice' };
    await catalogue.import({ accounts: [user('alice', { identities: [password('new'), certificate] })] });
    expect(await identities('alice')).toEqual(['USERPASS new', 'X509 /DC=org/CN=alice']);
    expect(await canLogIn('alice', 'new', 'secret')).toBe(true);
    expect(await canLogIn('alice', 'new', 'wrong')).toBe(false);
    expect(await canLogIn('alice', 'old', 'p')).toBe(false);
  });

  it('that exist keep their password, and can be mapped to several accounts', async () => {
    const shared = password('shared', 'first');
    await catalogue.import({
      accounts: [user('alice', { identities: [shared] }), user('bob', { identities: [password('shared', 'second')] })],
    });
    await catalogue.import({
      accounts: [user('alice', { identities: [password('shared', 'third')] }), user('bob', { identities: [shared] })],
    });
    for (const account of ['alice', 'bob']) {
      expect(await canLogIn(account, 'shared', 'first')).toBe(true);
      expect(await canLogIn(account, 'shared', 'second')).toBe(false);
    }
    await catalogue.import({
      accounts: [user('alice', { identities: [shared] }), user('bob', { identities: [password('own')] })],
    });
    expect(await identities('bob')).toEqual(['USERPASS own']);
    expect(await identities('alice')).toEqual(['USERPASS shared']);
  });

  it('are deleted with their last account: added again, they need a password', async () => {
    await catalogue.import({ accounts: [user('alice', { identities: [password('old'), password('kept')] })] });
    await catalogue.import({ accounts: [user('alice', { identities: [password('kept')] })] });
    const again = { account: 'alice', identity: 'old', authtype: 'USERPASS', email: 'e', default: false } as const;
    await expect(addAccountIdentity(catalogue.context(), again)).rejects.toMatchObject({ name: 'IdentityError' });
    await addAccountIdentity(catalogue.context(), { ...again, password: 'new' });
    expect(await canLogIn('alice', 'old', 'secret')).toBe(false);
    expect(await canLogIn('alice', 'old', 'new')).toBe(true);
  });

  it('that move from one account to another in one import stay', async () => {
    await catalogue.import({ accounts: [user('alice', { identities: [password('x')] }), user('bob')] });
    const moved = [user('alice', { identities: [password('y')] }), user('bob', { identities: [password('x')] })];
    await catalogue.import({ accounts: moved });
    expect(await canLogIn('bob', 'x', 'secret')).toBe(true);
    expect(await canLogIn('alice', 'x', 'secret')).toBe(false);
  });

  it('of an account without identities in the import stay', async () => {
    await catalogue.import({ accounts: [user('alice', { identities: [password('alice')] })] });
    for (const more of [{}, { identities: [] }, { identities: null }]) {
      await catalogue.import({ accounts: [user('alice', more)] });
      expect(await identities('alice')).toEqual(['USERPASS alice']);
    }
  });
});
