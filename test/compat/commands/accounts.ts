/** `rucio account …` */
import { describe, expect } from 'vitest';

import { asRoot, newAccount, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { printedFields, tableRows } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

const readAccount = async (account: string) => (await asRoot().get(`/accounts/${account}`)).json();
const newAccountName = async () => (await newAccount()).account;

/** Declares the cases. */
export function accountCommands(): void {
  describe('accounts', () => {
    command('account add', 'creates an account; a duplicate and a missing permission fail', async () => {
      const account = uniqueName('acc');
      const add = `account add ${account} GROUP --email group@example.org`;
      expectPrinted(await root.rucio(add), /^Added new account/);
      expect(await readAccount(account)).toMatchObject({ account_type: 'GROUP', email: 'group@example.org' });
      expectFailure(await root.rucio(add), 1, `Account ID '${account}' already exists!`);
      expectFailure(await user.rucio(`account add ${uniqueName('acc')} USER`), 2, 'Access to the requested');
    });

    command('account list', 'lists names, of one type or with one identity', async () => {
      expect(expectSuccess(await root.rucio('account list')).stdout.split('\n')).toContain(user.account);
      expectPrinted(await root.rucio(`account list --type USER --id ${user.account} --csv`), user.account);
    });

    command('account show', 'prints the fields of an account; an unknown one fails', async () => {
      const fields = printedFields(expectSuccess(await root.rucio(`account show ${user.account}`)));
      expect(fields).toMatchObject({ account: user.account, account_type: 'USER', status: 'ACTIVE' });
      expectFailure(await root.rucio('account show nobody'), 1, 'Account does not exist.');
    });

    command('account update', 'bans, unbans and changes the e-mail address', async () => {
      const account = await newAccountName();
      expectPrinted(await root.rucio(`account update ${account} --ban`), `Account ${account} banned`);
      expect(await readAccount(account)).toMatchObject({ status: 'SUSPENDED' });
      expectPrinted(await root.rucio(`account update ${account} --unban`), `Account ${account} unbanned`);
      expectSuccess(await root.rucio(`account update ${account} --email new@example.org`));
      expect(await readAccount(account)).toMatchObject({ status: 'ACTIVE', email: 'new@example.org' });
    });

    command('account remove', 'gives an account the status DELETED; twice fails', async () => {
      const account = await newAccountName();
      expectPrinted(await root.rucio(`account remove ${account}`), `Deleted account: ${account}`);
      expect(await readAccount(account)).toMatchObject({ status: 'DELETED' });
      expectFailure(await root.rucio(`account remove ${account}`), 1, 'Account does not exist.');
    });
  });

  describe('attributes of accounts', () => {
    command('account attribute set', 'sets an attribute, and sets it anew', async () => {
      const account = await newAccountName();
      for (const value of ['muon', 'jet']) {
        expectPrinted(await root.rucio(`account attribute set ${account} --key team --value ${value}`), '');
        expect((await asRoot().get(`/accounts/${account}/attr/`)).json()).toEqual([{ key: 'team', value }]);
      }
    });

    command('account attribute list', 'lists keys and values', async () => {
      const account = await newAccountName();
      await asRoot().post(`/accounts/${account}/attr/team`, { value: 'muon' });
      const outcome = expectSuccess(await root.rucio(`account attribute list ${account}`));
      expect(tableRows(outcome)).toEqual([['team', 'muon']]);
    });

    command('account attribute unset', 'removes an attribute; an absent one fails', async () => {
      const account = await newAccountName();
      await asRoot().post(`/accounts/${account}/attr/team`, { value: 'muon' });
      const unset = () => root.rucio(`account attribute unset ${account} --key team`);
      expectPrinted(await unset(), '');
      expect((await asRoot().get(`/accounts/${account}/attr/`)).json()).toEqual([]);
      expectFailure(await unset(), 1, 'Attribute (team) does not exist');
    });
  });

  describe('identities of accounts', () => {
    command('account identity add', 'lets somebody log in with user name and password', async () => {
      const [account, id] = [await newAccountName(), uniqueName('id')];
      const add = `--type USERPASS --id ${id} --email id@example.org --password right`;
      const outcome = await root.rucio(`account identity add ${account} ${add}`);
      expectPrinted(outcome, `Added new identity to account: ${id}-${account}`);
      const login = `-S userpass --account ${account} -u ${id} --password right`;
      expect(printedFields(expectSuccess(await user.rucio(`${login} whoami`)))).toMatchObject({ account });
    });

    command('account identity list', 'lists names and types', async () => {
      const outcome = await root.rucio(`account identity list ${user.account}`);
      expectPrinted(outcome, `Identity: ${user.account},\ttype: USERPASS`);
    });

    command('account identity remove', 'takes an identity away; twice fails', async () => {
      const account = await newAccountName();
      const remove = () => root.rucio(`account identity remove ${account} --type USERPASS --id ${account}`);
      expectPrinted(await remove(), `Deleted identity: ${account}`);
      expect((await asRoot().get(`/accounts/${account}/identities`)).lines()).toEqual([]);
      expectFailure(await remove(), 1, 'does not exist!');
    });
  });

  describe('limits of accounts', () => {
    const newRse = async () => {
      const rse = uniqueName('rse').toUpperCase();
      await asRoot().post(`/rses/${rse}`, {});
      return rse;
    };

    command('account limit set', 'sets a limit with a unit', async () => {
      const rse = await newRse();
      expectSuccess(await root.rucio(`account limit set ${user.account} --rse ${rse} --bytes 10GB`));
      expect((await asRoot().get(`/accounts/${user.account}/limits/local/${rse}`)).json()).toEqual({ [rse]: 10e9 });
    });

    command('account limit list', 'prints usage and limits', async () => {
      const rse = await newRse();
      await asRoot().post(`/accounts/${user.account}/limits/local/${rse}`, { bytes: 10e9 });
      const outcome = expectSuccess(await root.rucio(`account limit list ${user.account} --rse ${rse}`));
      expect(tableRows(outcome)[0]).toEqual([rse, '0.000 B', '10.000 GB', '10.000 GB']);
    });

    command('account limit unset', 'takes a limit away', async () => {
      const rse = await newRse();
      await asRoot().post(`/accounts/${user.account}/limits/local/${rse}`, { bytes: 10e9 });
      expectSuccess(await root.rucio(`account limit unset ${user.account} --rse ${rse}`));
      expect((await asRoot().get(`/accounts/${user.account}/limits/local/${rse}`)).json()).toEqual({ [rse]: null });
    });
  });
}
