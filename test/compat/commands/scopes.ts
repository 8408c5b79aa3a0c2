/** `rucio scope …` */
import { describe, expect } from 'vitest';

import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { tableRows } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

/** Declares the cases. */
export function scopeCommands(): void {
  describe('scopes', () => {
    command('scope add', 'creates a scope; a duplicate is an error on the screen', async () => {
      const name = uniqueName('scope');
      expectPrinted(
        await root.rucio(`scope add -a ${user.account} ${name}`),
        `Added new scope to ${user.account}: ${name}`,
      );
      // The exit status is 0: the older code behind this command keeps the error to itself.
      expectFailure(await root.rucio(`scope add -a ${user.account} ${name}`), 0, `Scope '${name}' already exists!`);
    });

    command('scope list', 'lists all scopes with their accounts, or those of one account', async () => {
      const [scope, owned] = [await newScope(), await newScope({ owner: user.account })];
      expect(tableRows(expectSuccess(await root.rucio('scope list')))).toEqual(
        expect.arrayContaining([
          [scope, 'root'],
          [owned, user.account],
        ]),
      );
      expect((await root.rucio(`scope list -a ${user.account} --csv`)).stdout.split('\n')).toContain(owned);
    });

    command('scope update', 'gives a scope to another account', async () => {
      const name = await newScope();
      expectPrinted(await root.rucio(`scope update ${name} --account ${user.account}`), '');
      expect((await asRoot().get(`/accounts/${user.account}/scopes/`)).json()).toContain(name);
    });
  });
}
