import { beforeEach, describe, expect, it } from 'vitest';

import { runDueWork } from '../../../lib/background/run-work.ts';
import { followContent } from '../../../lib/domain/rules/engine/follow-content.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { deleteMetadata } from '../../../lib/operations/dids/delete-metadata.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { changeRule, changeRuleOwner } from '../../../lib/store/entities/rule-writes.ts';
import { insertWork } from '../../../lib/store/entities/work.ts';
import { fillItem } from '../../support/full-items.ts';
import { data, interrupted } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

beforeEach(async () => {
  world = await newRuleCatalogue();
  await addAccount(world.at(), { account: 'heir', type: 'USER', email: null });
  await setLimitOnRse(world.at(), { account: 'heir', rse: 'AAA', bytes: 1e12 });
  await world.register('AAA', ['f1', 'f2']);
  await world.add('ds', 'DATASET');
  await world.attach('ds', ['f1', 'f2']);
});

const give = (id: string) => updateRule(world.at(), id, { account: 'heir' });

const suspend = (id: string) =>
  world
    .at()
    .store.write(async () => [changeRule(id, { set: { status: 'SUSPENDED' } }, { when: { status: 'ACTIVE' } })]);

/** The accounts to which the locks on files are charged. */
async function payers(...names: string[]): Promise<string[]> {
  const files = await Promise.all(names.map((name) => world.file(name)));
  return files.flatMap(({ replicas }) =>
    [...replicas.values()].flatMap(({ locks = {} }) => Object.values(locks).map(({ account }) => account)),
  );
}

describe('a rule that is given to another account (replication 2.4)', () => {
  it('charges it for a file that was detached meanwhile and attached again, before its lock was released', async () => {
    const id = await world.rule('ds');
    await world.detach('ds', ['f1']);
    await give(id);
    await world.work();
    expect(await payers('f1', 'f2')).toEqual(['root', 'heir']);
    await world.attach('ds', ['f1']);
    await world.follow([...world.tell('detached', 'ds', ['f1']), ...world.tell('attached', 'ds', ['f1'])]);
    expect(await payers('f1', 'f2')).toEqual(['heir', 'heir']);
  });

  it('charges it for the other files although the item of one is full, and for that once it has room', async () => {
    await addAccount(world.at(), { account: 'a-longer-heir', type: 'USER', email: null });
    await setLimitOnRse(world.at(), { account: 'a-longer-heir', rse: 'AAA', bytes: 1e12 });
    const id = await world.rule('ds');
    await fillItem(world.store, data('f1'));
    await updateRule(world.at(), id, { account: 'a-longer-heir' });
    await world.work();
    expect(await payers('f1', 'f2')).toEqual(['root', 'a-longer-heir']);
    await world.work(4_000_000);
    expect(await payers('f1', 'f2')).toEqual(['root', 'a-longer-heir']);
    await deleteMetadata(world.at(), data('f1'), 'filler');
    await world.work(8_000_000);
    expect(await payers('f1', 'f2')).toEqual(['a-longer-heir', 'a-longer-heir']);
  });

  it('charges it for such a file even if the rule is suspended, so that it takes no new content', async () => {
    const id = await world.rule('ds');
    await world.detach('ds', ['f1']);
    await give(id);
    await world.work();
    await world.attach('ds', ['f1']);
    await suspend(id);
    await world.follow([...world.tell('detached', 'ds', ['f1']), ...world.tell('attached', 'ds', ['f1'])]);
    expect(await payers('f1', 'f2')).toEqual(['heir', 'heir']);
  });

  it.each(['never', 'before the changes are delivered', 'before the tasks run'])(
    'charges it for a dataset that was detached meanwhile and attached again, if the rule is suspended: %s',
    async (when) => {
      await world.add('top', 'CONTAINER');
      await world.attach('top', ['ds']);
      const id = await world.rule('top');
      await world.detach('top', ['ds']);
      await give(id);
      await world.work();
      expect(await payers('f1', 'f2')).toEqual(['root', 'root']);
      await world.attach('top', ['ds']);
      if (when === 'before the changes are delivered') await suspend(id);
      await world.follow([
        ...world.tell('detached', 'top', ['ds'], 'DATASET'),
        ...world.tell('attached', 'top', ['ds'], 'DATASET'),
      ]);
      if (when === 'before the tasks run') await suspend(id);
      await world.work();
      expect(await payers('f1', 'f2')).toEqual(['heir', 'heir']);
    },
  );

  it('is given back while it is being charged', async () => {
    const id = await world.rule('ds');
    const move = async (account: string) => {
      const rule = await world.read(id);
      const task = insertWork({ kind: 'charge', ruleId: id }, Date.now());
      await world.store.write(async () => [...changeRuleOwner(rule, account, {}, () => new Error('duplicate')), task]);
    };
    await move('heir');
    let isGivenBack = false;
    const store = interrupted(world.store, async (writes) => {
      const isCharge = writes.some((write) => write.kind === 'change' && write.key.SK.includes('f1'));
      if (isGivenBack || !isCharge) return;
      isGivenBack = true;
      await move('root');
      await world.work();
    });
    await runDueWork(world.at(Date.now(), store), 30_000);
    expect(isGivenBack).toBe(true);
    expect(await payers('f1', 'f2')).toEqual(['root', 'root']);
  });

  it('charges it for what is locked at the same time', async () => {
    const id = await world.rule('ds');
    await world.register('AAA', ['f3']);
    await world.attach('ds', ['f3']);
    let isGiven = false;
    const store = interrupted(world.store, async () => {
      if (isGiven) return;
      isGiven = true;
      await give(id);
      await world.work();
    });
    await followContent.run(world.at(Date.now(), store), world.tell('attached', 'ds', ['f3']));
    expect(await payers('f1', 'f2', 'f3')).toEqual(['heir', 'heir', 'heir']);
  });
});
