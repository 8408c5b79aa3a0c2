/** `rucio config …` */
import { describe, expect } from 'vitest';

import { asRoot, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { root, user } from '../support/users.ts';

/** Declares the cases. */
export function configCommands(): void {
  describe('configuration', () => {
    command('config set', 'sets an option, and says so', async () => {
      const section = uniqueName('sect');
      for (const value of ['first', 'second']) {
        const outcome = await root.rucio(`config set --section ${section} --key one --value ${value}`);
        expectPrinted(outcome, `Set configuration: ${section}.one=${value}`);
      }
      expect((await asRoot().get(`/config/${section}`)).json()).toEqual({ one: 'second' });
    });

    command('config list', 'shows everything, a section or an option', async () => {
      const section = uniqueName('sect');
      await asRoot().post('/config', { [section]: { one: 'x', two: '5' } });
      const all = expectSuccess(await root.rucio('config list')).stdout.split('\n');
      expect(all).toEqual(expect.arrayContaining(['one=x', 'two=5']));
      expectPrinted(await root.rucio(`config list --section ${section}`), `[${section}]\none=x\ntwo=5`);
      expectPrinted(await root.rucio(`config list --section ${section} --key two`), `[${section}]\ntwo=5`);
    });

    command('config list', 'a section that is not there is ConfigNotFound; others are denied', async () => {
      const section = uniqueName('none');
      expectFailure(
        await root.rucio(`config list --section ${section}`),
        1,
        `No configuration found for section '${section}'`,
      );
      expectFailure(await user.rucio('config list'), 2, 'cannot retrieve sections');
    });

    command('config unset', 'deletes an option', async () => {
      const section = uniqueName('sect');
      await asRoot().post('/config', { [section]: { one: 'x' } });
      const unset = () => root.rucio(`config unset --section ${section} --key one`);
      expectPrinted(await unset(), `Deleted section '${section}' option 'one'`);
      expectFailure(await unset(), 1, `No configuration found for section '${section}' option 'one'`);
    });
  });
}
