/** `rucio rule …` */
import { beforeAll, describe, expect } from 'vitest';

import { newDataset, newFile, newRule, newRuleSetup, ruleOf, type RuleSetup, update } from '../../support/rules.ts';
import { asRoot } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { root, user } from '../support/users.ts';

/** Declares the cases. */
export function ruleCommands(): void {
  let setup: RuleSetup;
  beforeAll(async () => {
    setup = await newRuleSetup();
  });

  describe('rules', () => {
    command(
      'rule add',
      'prints the ids of the rules that it makes; what there is already fails or is skipped',
      async () => {
        const { scope, one } = setup;
        const [first, second] = [await newFile(scope, one), await newFile(scope, one)];
        const add = (...names: string[]) =>
          `rule add ${names.map((name) => `${scope}:${name}`).join(' ')} --copies 1 --rses ${one} --lifetime 3600 --comment why`;
        const { stdout } = expectSuccess(await root.rucio(add(first.name)));
        expect(await ruleOf(stdout.trim())).toMatchObject({
          ...first,
          state: 'OK',
          comments: 'why',
          grouping: 'DATASET',
        });
        expectFailure(await root.rucio(add(first.name)), 1, 'duplicate rule');
        const skipping = expectSuccess(await root.rucio(`${add(first.name, second.name)} --skip-duplicates`)).stdout;
        expect(skipping).toMatch(
          new RegExp(`^Duplicate rule for ${scope}:${first.name} found; Skipping.\n[0-9a-f]{32}\n$`),
        );
      },
    );

    command('rule show', 'shows a rule, or what keeps it from being OK', async () => {
      const { scope, one, two } = setup;
      const file = await newFile(scope, one);
      const id = await newRule(file, two);
      expectPrinted(await user.rucio(`rule show ${id}`), new RegExp(`^Id: +${id}\nAccount: +root\nScope: +${scope}\n`));
      const verdict = 'Status of the replication rule: This replication rule is currently REPLICATING';
      expectPrinted(await user.rucio(`rule show --examine ${id}`), verdict);
      expectFailure(await user.rucio(`rule show ${'0'.repeat(32)}`), 1, 'No rule with the id');
    });

    command('rule list', 'lists rules of DIDs, files and accounts', async () => {
      const { scope, one } = setup;
      const dataset = await newDataset(scope, one, 1);
      const id = await newRule(dataset, one);
      const ids = async (options: string) => {
        const { stdout } = expectSuccess(await user.rucio(`rule list --csv ${options}`));
        return stdout.split('\n').flatMap((line) => line.split(',')[0] || []);
      };
      expect(await ids(`--did ${scope}:${dataset.name}`)).toEqual([id]);
      expect(await ids(`--file ${scope}:${dataset.name}.0`)).toEqual([id]);
      expect(await ids('--account root')).toContain(id);
      expect(await ids(`--traverse --did ${scope}:${dataset.name}`)).toEqual([id]);
    });

    command('rule update', 'changes options of a rule; others may not', async () => {
      const { scope, one } = setup;
      const id = await newRule(await newFile(scope, one), one);
      expectSuccess(await root.rucio(`rule update ${id} --comment new --priority 5 --locked True --lifetime 3600`));
      expect(await ruleOf(id)).toMatchObject({ comments: 'new', priority: 5, locked: true });
      expectFailure(await user.rucio(`rule update ${id} --comment x`), 2, 'can not update this replication rule');
    });

    command('rule remove', 'lets a rule expire, by its id or by its DID and RSE', async () => {
      const { scope, one } = setup;
      const [first, second] = [await newFile(scope, one), await newFile(scope, one)];
      const ids = [await newRule(first, one), await newRule(second, one)];
      expectSuccess(await root.rucio(`rule remove ${ids[0]} --purge-replicas`));
      expect(await ruleOf(ids[0] ?? '')).toMatchObject({ purge_replicas: true, expires_at: expect.any(String) });
      expectSuccess(await root.rucio(`rule remove ${scope}:${second.name} --rses ${one}`));
      expect(await ruleOf(ids[1] ?? '')).toMatchObject({ expires_at: expect.any(String) });
      expectFailure(await user.rucio(`rule remove ${ids[0]}`), 2, 'can not remove this replication rule');
    });

    command('rule move', 'prints the id of the rule for other RSEs', async () => {
      const { scope, one, two } = setup;
      const id = await newRule(await newFile(scope, one), one);
      const { stdout } = expectSuccess(await root.rucio(`rule move ${id} --rses ${two}`));
      expect(await ruleOf(stdout.trim())).toMatchObject({ rse_expression: two });
    });

    command('rule history', 'tells of the beginning and the end of rules', async () => {
      const { scope, one } = setup;
      const file = await newFile(scope, one);
      const id = await newRule(file, one);
      const beginning = new RegExp(`^-+\nRule insertion\nAccount : root\nRSE expression : ${one}\nTime : `);
      expectPrinted(await user.rucio(`rule history ${scope}:${file.name}`), beginning);
      await update(id, { lifetime: 0 });
      await expect.poll(async () => (await asRoot().get(`/rules/${id}`)).status).toBe(404);
      expectPrinted(await user.rucio(`rule history ${scope}:${file.name}`), /\nRule deletion\n/);
    });
  });
}
