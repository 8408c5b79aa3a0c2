import { beforeEach, describe, expect, it } from 'vitest';

import { eraseHiddenDid, hideExpiredDid } from '../../../lib/background/erase-did.ts';
import { clock } from '../../../lib/clock.ts';
import { followContent } from '../../../lib/domain/rules/engine/follow-content.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { listContentHistory } from '../../../lib/operations/dids/list-history.ts';
import { getDatasetLocks } from '../../../lib/store/entities/dataset-lock.ts';
import { changeRule } from '../../../lib/store/entities/rule-writes.ts';
import { withLateIndex } from '../../support/late-index.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
let id: string;

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', ['f1', 'f2']);
  await world.add('ds', 'DATASET');
  for (const name of ['low', 'high', 'top']) await world.add(name, 'CONTAINER');
  await world.attach('ds', ['f1', 'f2']);
  await world.attach('low', ['ds']);
  await world.attach('high', ['low']);
  await world.attach('top', ['high']);
  id = await world.rule('top', { grouping: 'NONE' });
  expect(await world.show(id)).toBe('OK 2/0/0');
});

/** Runs the tasks, and expects that many locks of the rule. */
async function expectLocks(count: number): Promise<void> {
  await world.work();
  expect(await world.show(id)).toBe(`OK ${count}/0/0`);
  await world.recount();
}

/** Deletes a container as the expiry of DIDs does, and delivers the changes of its attachments. */
async function deleteContainer(name: string, parent: string, child: string, type: 'DATASET' | 'CONTAINER') {
  await hideExpiredDid(world.store, data(name), Date.now(), () => true);
  expect(await eraseHiddenDid(world.store, data(name), Date.now(), Date.now() + 60_000)).toBe(true);
  await world.follow(world.tell('detached', parent, [name], 'CONTAINER'));
  await world.follow(world.tell('detached', name, [child], type));
}

// Rules with grouping NONE have no dataset locks, which would name them.
describe('content whose path to a rule was interrupted (replication 3.6)', () => {
  it.each([
    ['low', 'high', 'ds', 'DATASET'],
    ['high', 'top', 'low', 'CONTAINER'],
  ] as const)('loses its locks when the container %s is deleted', async (name, parent, child, type) => {
    await deleteContainer(name, parent, child, type);
    await expectLocks(0);
  });

  it('loses its locks when all containers are deleted before a task runs', async () => {
    await deleteContainer('low', 'high', 'ds', 'DATASET');
    await deleteContainer('high', 'top', 'low', 'CONTAINER');
    await expectLocks(0);
  });

  it.each(['CONTAINER', 'DATASET'] as const)(
    'loses its locks when a new %s of the same name is below the rule before a task runs',
    async (type) => {
      await deleteContainer('high', 'top', 'low', 'CONTAINER');
      await world.add('high', type);
      await world.grow('top', ['high'], type);
      await expectLocks(0);
    },
  );

  it('loses its locks, and so does a new dataset that was detached again', async () => {
    await deleteContainer('high', 'top', 'low', 'CONTAINER');
    await world.register('AAA', ['f3']);
    await world.add('high', 'DATASET');
    await world.attach('high', ['f3']);
    await world.grow('top', ['high'], 'DATASET');
    await world.detach('top', ['high']);
    await expectLocks(0);
    await world.follow(world.tell('detached', 'top', ['high'], 'DATASET'));
    await expectLocks(0);
  });

  it('loses its locks when it was detached while a container above was detached, too', async () => {
    await world.detach('top', ['high']);
    await world.follow(world.tell('detached', 'top', ['high'], 'CONTAINER'));
    await world.detach('low', ['ds']);
    await world.follow(world.tell('detached', 'low', ['ds'], 'DATASET'));
    await world.grow('top', ['high'], 'CONTAINER');
    await expectLocks(0);
  });

  it('loses its locks when the container above is attached again before its detachment is delivered', async () => {
    await world.detach('top', ['high']);
    await world.detach('low', ['ds']);
    await world.follow(world.tell('detached', 'low', ['ds'], 'DATASET'));
    await world.attach('top', ['high']);
    await world.follow(world.tell('detached', 'top', ['high'], 'CONTAINER'));
    await expectLocks(0);
  });

  it('loses its locks when another request attached the container again, which the index did not show', async () => {
    await world.detach('top', ['high']);
    await world.follow(world.tell('detached', 'top', ['high'], 'CONTAINER'));
    await world.attach('top', ['high']);
    await expectLocks(2);
    await world.detach('low', ['ds']);
    const blind = withLateIndex(world.store, (text) => !text.includes('high'));
    await followContent.run(world.at(Date.now(), blind), world.tell('detached', 'low', ['ds'], 'DATASET'));
    await world.follow(world.tell('attached', 'top', ['high'], 'CONTAINER'));
    await expectLocks(0);
  });

  it('loses its locks in the same way if the rule is suspended', async () => {
    await world.detach('top', ['high']);
    await world.follow(world.tell('detached', 'top', ['high'], 'CONTAINER'));
    await world.attach('top', ['high']);
    await world.work();
    await world.store.write(async () => [changeRule(id, { set: { status: 'SUSPENDED' } })]);
    await world.detach('low', ['ds']);
    const blind = withLateIndex(world.store, (text) => !text.includes('high'));
    await followContent.run(world.at(Date.now(), blind), world.tell('detached', 'low', ['ds'], 'DATASET'));
    await world.follow(world.tell('attached', 'top', ['high'], 'CONTAINER'));
    await world.work();
    expect(await world.show(id)).toBe('SUSPENDED 0/0/0');
    await world.recount();
  });

  it('keeps its locks when another path leads to the rule', async () => {
    await world.attach('top', ['low']);
    await deleteContainer('high', 'top', 'low', 'CONTAINER');
    await expectLocks(2);
  });

  it('is not in the history of a deleted container (dids 2.9)', async () => {
    await deleteContainer('high', 'top', 'low', 'CONTAINER');
    await world.add('high', 'CONTAINER');
    expect(await Array.fromAsync(listContentHistory(world.at(), data('high')))).toEqual([]);
  });
});

describe('a dataset that is deleted below a rule', () => {
  it('loses its dataset locks, so that a new container of its name has none', async () => {
    const own = await world.rule('top', { rse_expression: 'AAA|BBB' });
    const { table } = world.at().store;
    expect(await getDatasetLocks(table.latest(), data('ds'), own)).toHaveLength(1);
    await hideExpiredDid(world.store, data('ds'), Date.now(), () => true);
    expect(await eraseHiddenDid(world.store, data('ds'), Date.now(), Date.now() + 60_000)).toBe(true);
    await world.add('ds', 'CONTAINER');
    await world.follow(world.tell('detached', 'low', ['ds'], 'DATASET'));
    await world.follow(world.tell('detached', 'ds', ['f1', 'f2']));
    await world.work();
    expect(await getDatasetLocks(table.latest(), data('ds'))).toEqual([]);
    expect(await world.show(own)).toBe('OK 0/0/0');
    await world.recount();
  });
});

describe('a dataset whose detachment is followed only when the rule is gone', () => {
  it.each([
    { what: 'a container above', parent: 'top', child: 'high', type: 'CONTAINER', isAttachedAgain: false },
    {
      what: 'a container above, attached again',
      parent: 'top',
      child: 'high',
      type: 'CONTAINER',
      isAttachedAgain: true,
    },
    { what: 'itself', parent: 'low', child: 'ds', type: 'DATASET', isAttachedAgain: false },
    { what: 'itself, attached again', parent: 'low', child: 'ds', type: 'DATASET', isAttachedAgain: true },
  ] as const)('loses its dataset locks even if another one holds its files: $what', async (how) => {
    const { parent, child, type, isAttachedAgain } = how;
    const own = await world.rule('top', { rse_expression: 'AAA|BBB' });
    await world.add('other', 'DATASET');
    await world.grow('other', ['f1', 'f2']);
    await world.grow('top', ['other'], 'DATASET');
    await world.detach(parent, [child]);
    await removeRuleNow(world.store, own, { now: Date.now(), until: clock.now() + 60_000 });
    const changes = world.tell('detached', parent, [child], type);
    if (isAttachedAgain) {
      await world.attach(parent, [child]);
      changes.push(...world.tell('attached', parent, [child], type));
    }
    await world.follow(changes);
    await world.work();
    for (const name of ['ds', 'other']) {
      expect(await getDatasetLocks(world.store.table.latest(), data(name), own)).toEqual([]);
    }
    await world.recount();
  });

  it('loses its locks if it is attached again while the removal of the rule has passed it', async () => {
    const own = await world.rule('top', { rse_expression: 'AAA|BBB' });
    await world.detach('low', ['ds']);
    await world.store.write(async () => [changeRule(own, { set: { removing: true } })]);
    await world.attach('low', ['ds']);
    const change = (kind: 'attached' | 'detached') => world.tell(kind, 'low', ['ds'], 'DATASET');
    await world.follow([...change('detached'), ...change('attached')]);
    await world.work();
    expect(await getDatasetLocks(world.store.table.latest(), data('ds'), own)).toEqual([]);
    expect((await world.read(own)).ok).toBe(0);
    await world.recount();
  });
});
