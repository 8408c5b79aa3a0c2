/** `rucio subscription …`; the client ends with 0 whatever happens, and logs what went wrong. */
import { describe, expect } from 'vitest';

import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { namesIn, newSubscription, subscriptionPath } from '../../support/subscriptions.ts';
import { command, expectLogged, expectPrinted, expectSuccess } from '../support/cases.ts';
import { root, user } from '../support/users.ts';

const filter = '{"scope":["subscribed"]}';
const rules = '[{"copies":1,"rse_expression":"X","activity":"Express"}]';
const readSubscription = async (name: string) => {
  const [record] = (await asRoot().get(subscriptionPath(user, name))).lines();
  return record as Record<string, unknown>;
};

/** Declares the cases. */
export function subscriptionCommands(): void {
  describe('subscriptions', () => {
    command('subscription add', 'creates a subscription, and says its id; others are denied', async () => {
      const name = uniqueName('sub');
      const add = `subscription add ${name} --filter ${filter} --rule ${rules} --account ${user.account}`;
      expectLogged(await user.rucio(add), 'can not add subscription');
      const outcome = await root.rucio(`${add} --comment why --lifetime 10 --priority 5`);
      expectPrinted(outcome, /^Subscription added [0-9a-f]{32}$/);
      expect(await readSubscription(name)).toMatchObject({
        filter: '{"scope": ["subscribed"]}',
        replication_rules: '[{"copies": 1, "rse_expression": "X", "activity": "Express"}]',
        comments: 'why',
        policyid: 5,
        state: 'ACTIVE',
      });
      expectLogged(await root.rucio(add), `Subscription '${name}' owned by '${user.account}' already exists!`);
    });

    command(
      'subscription update',
      'replaces filter and rules, and what else is named; an unknown one fails',
      async () => {
        const name = uniqueName('sub');
        await newSubscription(user, name, { comments: 'before' });
        const tail = `--filter ${filter} --rule ${rules} --account ${user.account}`;
        expectPrinted(await root.rucio(`subscription update ${name} ${tail} --priority 6`), '');
        expect(await readSubscription(name)).toMatchObject({
          filter: '{"scope": ["subscribed"]}',
          comments: 'before',
          policyid: 6,
          state: 'UPDATED',
        });
        const none = uniqueName('none');
        expectLogged(await root.rucio(`subscription update ${none} ${tail}`), `named '${none}' not found`);
      },
    );

    command('subscription show', 'prints a subscription, in short or in full', async () => {
      const name = uniqueName('sub');
      const id = await newSubscription(user, name, { comments: 'why' });
      const shown = expectSuccess(await root.rucio(`subscription show ${name} --account ${user.account}`)).stdout;
      expect(shown).toBe(
        `${user.account}: ${name} ACTIVE\n  priority: 3\n  filter: ${(await readSubscription(name))['filter'] as string}\n` +
          `  rules: ${(await readSubscription(name))['replication_rules'] as string}\n  comments: why\n`,
      );
      const full = expectSuccess(await user.rucio(`subscription show ${name} --account ${user.account} --long`)).stdout;
      expect(full.split('\n')).toEqual(expect.arrayContaining([`id: ${id}`, 'retroactive: False', 'lifetime: None']));
      expectPrinted(await root.rucio(`subscription show ${uniqueName('none')}`), '');
    });

    command('subscription list', 'prints the subscriptions of an account, of the own one by default', async () => {
      const names = [uniqueName('sub'), uniqueName('sub')];
      for (const name of names) await newSubscription(user, name);
      const titles = names.map((name) => `${user.account}: ${name} ACTIVE`);
      for (const outcome of [
        await user.rucio('subscription list'),
        await root.rucio(`subscription list --account ${user.account}`),
      ]) {
        expect(expectSuccess(outcome).stdout.split('\n')).toEqual(expect.arrayContaining(titles));
      }
      expect(namesIn((await asRoot().get(`/subscriptions/${user.account}`)).lines())).toEqual(
        expect.arrayContaining(names),
      );
    });

    command('subscription touch', 'has DIDs looked at anew: they count as new', async () => {
      const scope = await newScope();
      const name = uniqueName('ds');
      await asRoot().post(`/dids/${scope}/${name}`, { type: 'DATASET' });
      const meta = `/dids/${scope}/${name}/meta`;
      await asRoot().post(`${meta}/is_new`, { value: false });
      expectPrinted(await root.rucio(`subscription touch ${scope}:${name}`), '');
      expect((await asRoot().get(meta)).json()).toMatchObject({ is_new: true });
    });
  });
}
