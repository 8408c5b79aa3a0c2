/** Logging in from the command line. */
import { writeFile } from 'node:fs/promises';

import { describe, expect } from 'vitest';

import { baseUrl, rootUser } from '../../support/run.ts';
import { asRoot } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { createClientHome, printedFields } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

/** Declares the cases. */
export function logInCommands(): void {
  describe('logging in', () => {
    command('ping', 'prints the version of the service', async () => {
      const { version } = (await asRoot().get('/ping')).json() as { version: string };
      expectPrinted(await root.rucio('ping'), version);
    });

    command('whoami', 'prints the account of the token', async () => {
      const fields = printedFields(expectSuccess(await user.rucio('whoami')));
      expect(fields).toMatchObject({
        account: user.account,
        account_type: 'USER',
        status: 'ACTIVE',
        deleted_at: 'None',
      });
    });

    command('whoami', 'replaces a cached token of another server without a word', async () => {
      await writeFile(root.tokenFile, 'root-ddmlab-unknown-0123456789abcdef');
      expect(printedFields(expectSuccess(await root.rucio('whoami')))).toMatchObject({ account: 'root' });
    });

    command('whoami', 'hosts that end with a slash do no harm', async () => {
      const host = `${await baseUrl()}/`;
      const home = await createClientHome({ account: 'root', ...rootUser() }, { rucio_host: host, auth_host: host });
      try {
        expect(printedFields(expectSuccess(await home.rucio('whoami')))).toMatchObject({ account: 'root' });
      } finally {
        await home.remove();
      }
    });

    command('whoami', 'a wrong password is CannotAuthenticate', async () => {
      const outcome = await user.rucio(`-S userpass --account root -u ${user.account} --password x whoami`);
      expectFailure(outcome, 1, 'CannotAuthenticate');
    });
  });
}
