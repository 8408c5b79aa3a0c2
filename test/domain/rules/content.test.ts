import { beforeEach, describe, expect, it } from 'vitest';

import { runTaskOfKey } from '../../../lib/background/run-work.ts';
import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { interrupted } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
const hour = 3_600_000;

beforeEach(async () => {
  world = await newRuleCatalogue();
});

describe('content attached below a rule (replication 3.6)', () => {
  it('is locked once, however often the stream delivers it', async () => {
    await world.register('AAA', ['f1', 'f2']);
    await world.register('BBB', ['f3']);
    await world.add('ds', 'DATASET');
    const id = await world.rule('ds');
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.grow('ds', ['f1']);
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.grow('ds', ['f2', 'f3']);
    await world.follow(world.tell('attached', 'ds', ['f1', 'f2', 'f3']));
    expect(await world.show(id)).toBe('REPLICATING 2/1/0');
    expect(await world.replicas('f3')).toBe('AAA:C[R] BBB:A[]');
    await world.recount();
  });

  it('is placed on the RSEs of the other files of its dataset', async () => {
    await world.register('AAA', ['f1']);
    await world.register('BBB', ['f2', 'f3']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f1']);
    const id = await world.rule('ds', { rse_expression: 'AAA|BBB' });
    expect(await world.replicas('f1')).toBe('AAA:A[O]');
    await world.grow('ds', ['f2', 'f3']);
    expect(await world.replicas('f2')).toBe('AAA:C[R] BBB:A[]');
    expect(await world.show(id)).toBe('REPLICATING 1/2/0');
  });

  it('decides the RSEs of the rule if the dataset was empty', async () => {
    await world.register('BBB', ['f1']);
    await world.add('ds', 'DATASET');
    const id = await world.rule('ds', { rse_expression: 'AAA|BBB|CCC' });
    await world.grow('ds', ['f1']);
    expect(await world.replicas('f1')).toBe('BBB:A[O]');
    expect(await world.show(id)).toBe('OK 1/0/0');
  });

  it('is locked by the rules on all ancestors', async () => {
    await world.register('AAA', ['f1']);
    await world.add('ds', 'DATASET');
    await world.add('inner', 'CONTAINER');
    await world.add('outer', 'CONTAINER');
    await world.attach('inner', ['ds']);
    await world.attach('outer', ['inner']);
    const ids = [await world.rule('outer'), await world.rule('inner', { copies: 2, rse_expression: 'AAA|BBB' })];
    await world.grow('ds', ['f1']);
    expect(await Promise.all(ids.map((id) => world.show(id)))).toEqual(['OK 1/0/0', 'REPLICATING 1/1/0']);
    expect(await world.replicas('f1')).toBe('AAA:A[OO] BBB:C[R]');
    await world.recount();
  });

  it('is locked by a task if it is a collection', async () => {
    await world.register('AAA', ['f1', 'f2']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f1', 'f2']);
    await world.add('top', 'CONTAINER');
    const id = await world.rule('top');
    await world.grow('top', ['ds'], 'DATASET');
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.work();
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.follow(world.tell('attached', 'top', ['ds'], 'DATASET'));
    await world.work();
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.recount();
  });

  it('records an error on the rule if it cannot be placed, and is placed later', async () => {
    await world.register('AAA', ['f1']);
    await world.add('ds', 'DATASET');
    const id = await world.rule('ds');
    await world.limit('AAA', 5);
    await world.grow('ds', ['f1']);
    await world.follow(world.tell('attached', 'ds', ['f1']));
    expect(await world.show(id)).toBe('STUCK 0/0/0');
    expect((await world.read(id)).error).toBe(
      "There is insufficient quota on any of the target RSE's to fulfill the operation.",
    );
    await world.work(hour);
    expect(await world.show(id)).toBe('STUCK 0/0/0');
    await world.limit('AAA', 500);
    await world.work(4 * hour);
    expect(await world.show(id)).toBe('OK 1/0/0');
    expect((await world.read(id)).error).toBeUndefined();
    await world.recount();
  });
});

describe('detached content (replication 3.6)', () => {
  it('loses its locks and may be deleted', async () => {
    await world.register('AAA', ['f1', 'f2']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f1', 'f2']);
    const id = await world.rule('ds');
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.detach('ds', ['f1']);
    await world.follow(world.tell('detached', 'ds', ['f1']));
    await world.follow(world.tell('detached', 'ds', ['f1']));
    expect(await world.show(id)).toBe('OK 1/0/0');
    expect(await world.replicas('f1')).toBe('AAA:A[]');
    const { replicas, createdAt } = await world.file('f1');
    expect(replicas.get(world.rseIds.AAA)?.tombstone).toBe(createdAt);
    await world.recount();
  });

  it('stays locked if another path leads to the rule', async () => {
    await world.register('AAA', ['f1']);
    for (const name of ['one', 'two']) await world.add(name, 'DATASET');
    await world.add('top', 'CONTAINER');
    await world.attach('one', ['f1']);
    await world.attach('two', ['f1']);
    await world.attach('top', ['one', 'two']);
    const id = await world.rule('top');
    await world.detach('one', ['f1']);
    await world.follow(world.tell('detached', 'one', ['f1']));
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.detach('top', ['two']);
    await world.follow(world.tell('detached', 'top', ['two'], 'DATASET'));
    await world.work();
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  });

  it('loses its locks through all levels, even if several levels were detached at once', async () => {
    await world.register('AAA', ['f1', 'f2']);
    await world.add('ds', 'DATASET');
    await world.add('inner', 'CONTAINER');
    await world.add('top', 'CONTAINER');
    await world.attach('ds', ['f1', 'f2']);
    await world.attach('inner', ['ds']);
    await world.attach('top', ['inner']);
    const id = await world.rule('top', { grouping: 'NONE' });
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.detach('inner', ['ds']);
    await world.detach('top', ['inner']);
    await world.follow([
      ...world.tell('detached', 'inner', ['ds'], 'DATASET'),
      ...world.tell('detached', 'top', ['inner'], 'CONTAINER'),
    ]);
    await world.work();
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  });

  it('loses its locks even if the rule is removed before the stream delivers the detachment', async () => {
    await world.register('AAA', ['f1']);
    for (const name of ['one', 'two']) await world.add(name, 'DATASET');
    await world.add('top', 'CONTAINER');
    for (const name of ['one', 'two']) await world.attach(name, ['f1']);
    await world.attach('top', ['one']);
    const id = await world.rule('top');
    // The stream has not delivered the second dataset yet, so only the path to the rule justifies the lock.
    await world.attach('top', ['two']);
    await world.detach('one', ['f1']);
    await world.follow(world.tell('detached', 'one', ['f1']));
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.detach('top', ['two']);
    await removeRuleNow(world.store, id, { now: Date.now(), until: clock.now() + 60_000 });
    await world.follow(world.tell('detached', 'top', ['two'], 'DATASET'));
    await world.work();
    expect(await world.replicas('f1')).toBe('AAA:A[]');
    await world.recount();
  });

  it('loses its locks even if it is detached while it is being locked', async () => {
    await world.register('AAA', ['f1', 'f2']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f1', 'f2']);
    await world.add('top', 'CONTAINER');
    const id = await world.rule('top');
    await world.grow('top', ['ds'], 'DATASET');
    const { table } = world.at().store;
    const [{ key } = { key: { PK: '', SK: '' } }] = await Array.fromAsync(listDueWork(table, Date.now()));
    let writes = 0;
    const store = interrupted(world.store, async () => {
      writes += 1;
      // The first write takes the lease, the second one is the step.
      if (writes !== 2) return;
      await world.detach('top', ['ds']);
      await world.follow(world.tell('detached', 'top', ['ds'], 'DATASET'));
      for await (const note of listDueWork(world.at().store.table, Date.now())) {
        if (note.task.kind === 'unlock') await runTaskOfKey(world.at(), note.key, Date.now() + 10_000);
      }
    });
    await runTaskOfKey(world.at(Date.now(), store), key, Date.now() + 1);
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.work(120_000);
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  });
});
