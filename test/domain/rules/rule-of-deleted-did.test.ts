import { beforeEach, describe, expect, it } from 'vitest';

import type { DidKey } from '../../../lib/contract/schemas/did.ts';
import type { RulesRequest } from '../../../lib/domain/rules/rules-request.ts';
import { matchNewDids } from '../../../lib/domain/subscriptions/engine/match-new-dids.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { addSubscription } from '../../../lib/operations/subscriptions/add-subscription.ts';
import type { Table } from '../../../lib/store/batches/table.ts';
import { type Did, getDid } from '../../../lib/store/entities/did.ts';
import { listRuleIds, listRuleIdsOfAccount } from '../../../lib/store/entities/rule.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { deleteDuring, runDuringDeletion } from '../dids/delete-during.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
beforeEach(async () => {
  world = await newRuleCatalogue();
});

const wish = { account: null, copies: 1, rse_expression: 'AAA' };

async function expectNothingLeft(table: Table, did: DidKey): Promise<void> {
  expect(await listRuleIds(table, did), did.name).toEqual([]);
  expect(await Array.fromAsync(listRuleIdsOfAccount(table, 'root')), did.name).toEqual([]);
}

describe('a collection that is deleted while a rule is made takes the rule with it', () => {
  it.each<[string, Did['type'], readonly string[], Partial<RulesRequest>]>([
    ['that is placed at once', 'DATASET', ['f'], {}],
    ['on an empty dataset', 'DATASET', [], {}],
    ['on an empty container', 'CONTAINER', [], {}],
    ['that a task will place', 'DATASET', ['f'], { asynchronous: true }],
    ['that waits for an approval', 'DATASET', ['f'], { ask_approval: true }],
  ])('%s', async (_what, type, files, more) => {
    if (files.length > 0) await world.register('AAA', files);
    const run = (store: Store, did: DidKey) => addRules(world.at(Date.now(), store), { ...wish, ...more, dids: [did] });
    expect(await deleteDuring(world, { type, files }, { run, expectNothingLeft })).toBeGreaterThan(3);
  });

  it.each([[{ asynchronous: true }], [{ ask_approval: true }]])('with its last replica, %j', async (more) => {
    const run = (store: Store, did: DidKey) => addRules(world.at(Date.now(), store), { ...wish, ...more, dids: [did] });
    const sent = await runDuringDeletion(world, {
      run,
      async expectNothingLeft(table, did) {
        await world.work();
        await expectNothingLeft(table, did);
      },
    });
    expect(sent).toBeGreaterThan(3);
  });

  it.each([[[]], [['f']]])('by a subscription, with the files %j', async (files) => {
    const options = { comments: null, lifetime: undefined, retroactive: false, dry_run: false, priority: undefined };
    const replication_rules = [{ rse_expression: 'AAA', copies: 1 }];
    const subscription = { account: 'root', name: 'matching' };
    await addSubscription(world.at(), subscription, { filter: { pattern: 'deleted' }, replication_rules, ...options });
    if (files.length > 0) await world.register('AAA', files);
    const run = async (store: Store, did: DidKey) => {
      const after = (await getDid(world.at().store.table, did)) as Did;
      await matchNewDids.run(world.at(Date.now(), store), [{ kind: 'did', id: did.name, at: Date.now(), after }]);
    };
    expect(await deleteDuring(world, { type: 'DATASET', files }, { run, expectNothingLeft })).toBeGreaterThan(3);
  });
});
