import { beforeEach, describe, expect, it } from 'vitest';

import { runTaskOfKey } from '../../../lib/background/run-work.ts';
import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

beforeEach(async () => {
  world = await newRuleCatalogue();
});

/** Levels of containers; two paths lead to each of them from the one above. */
const levels = 10;

/** More requests than a task needs that visits each collection once; there are 1,024 paths to the dataset. */
const few = 500;

/** Containers that share content: from `top` there are 2^levels paths to the dataset. */
async function plantDiamond(): Promise<void> {
  await world.register('AAA', ['f']);
  await world.add('ds', 'DATASET');
  await world.attach('ds', ['f']);
  let below = 'ds';
  for (let level = levels; level > 0; level -= 1) {
    const own = level === 1 ? 'top' : `c${level}`;
    for (const name of [`l${level}`, `r${level}`, own]) await world.add(name, 'CONTAINER');
    for (const name of [`l${level}`, `r${level}`]) await world.attach(name, [below]);
    await world.attach(own, [`l${level}`, `r${level}`]);
    below = own;
  }
}

const requestsOf = async (task: () => Promise<unknown>) => (await measure(task)).cost.requests;

describe('content with many paths to it', () => {
  it('is visited once by every task of a rule', async () => {
    await plantDiamond();
    let id = '';
    const rule = async (grouping: string) => {
      id = await world.rule('top', { asynchronous: true, grouping, rse_expression: 'BBB' });
    };
    for (const grouping of ['NONE', 'DATASET', 'ALL']) {
      await rule(grouping);
      expect(await requestsOf(() => world.work())).toBeLessThan(few);
      expect(await world.show(id)).toBe('REPLICATING 0/1/0');
      expect(await requestsOf(() => updateRule(world.at(), id, { state: 'STUCK' }))).toBeLessThan(few);
      expect(await requestsOf(() => world.work())).toBeLessThan(few);
      expect(await world.show(id)).toBe('STUCK 0/0/1');
      expect(await requestsOf(() => world.work(1_900_000))).toBeLessThan(few);
      const now = { now: Date.now(), until: clock.now() + 60_000 };
      expect(await requestsOf(() => removeRuleNow(world.store, id, now))).toBeLessThan(few);
      expect(await world.replicas('f')).toMatch(/^AAA:A\[\]/);
    }
    await world.recount();
  }, 120_000);

  it('is unlocked once when all paths are detached', async () => {
    await plantDiamond();
    await world.add('over', 'CONTAINER');
    await world.attach('over', ['top']);
    const id = await world.rule('over');
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.detach('over', ['top']);
    await world.follow(world.tell('detached', 'over', ['top'], 'CONTAINER'));
    expect(await requestsOf(() => world.work())).toBeLessThan(few);
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  }, 120_000);

  it('is visited completely if a walk resumes many times and its list of visited collections exceeds the task', async () => {
    const count = 520;
    const names = Array.from({ length: count }, (_none, index) => `d${String(index).padStart(4, '0')}`);
    await world.register('AAA', ['f']);
    for (const name of ['one', 'two', 'top']) await world.add(name, 'CONTAINER');
    for (const name of [...names, 'last']) await world.add(name, 'DATASET');
    await world.attach('last', ['f']);
    await world.attach('one', names);
    await world.attach('two', [...names, 'last']);
    await world.attach('top', ['one', 'two']);
    const id = await world.rule('top', { asynchronous: true });
    const [note] = await Array.fromAsync(listDueWork(world.at().store.table, Date.now()));
    let steps = 0;
    // The deadline is over after each step, so that the next one resumes from the stored position.
    for (let done = 1; done > 0; steps += 1) done = await runTaskOfKey(world.at(), note?.key ?? { PK: '', SK: '' }, 0);
    expect(steps).toBeGreaterThan(count / 100);
    expect(steps).toBeLessThan(count / 50);
    expect(await world.show(id)).toBe('OK 1/0/0');
    await removeRuleNow(world.store, id, { now: Date.now(), until: clock.now() + 60_000 });
    expect(await world.replicas('f')).toBe('AAA:A[]');
  }, 240_000);

  it('counts once against the quota, and in the choice of RSEs', async () => {
    await world.register('AAA', ['a1', 'a2']);
    await world.register('BBB', ['b']);
    for (const name of ['ds', 'other']) await world.add(name, 'DATASET');
    await world.attach('ds', ['b']);
    await world.attach('other', ['a1', 'a2', 'b']);
    for (const name of ['c1', 'c2', 'top', 'both']) await world.add(name, 'CONTAINER');
    for (const name of ['c1', 'c2']) await world.attach(name, ['ds']);
    await world.attach('top', ['c1', 'c2']);
    await world.limit('CCC', 15);
    const id = await world.rule('top', { grouping: 'ALL', rse_expression: 'CCC' });
    expect(await world.show(id)).toBe('REPLICATING 0/1/0');
    // BBB holds ten bytes, whatever the number of paths; AAA holds twenty.
    for (const name of ['c3', 'rest']) await world.add(name, 'CONTAINER');
    await world.attach('c3', ['ds']);
    await world.attach('rest', ['other']);
    await world.attach('both', ['c1', 'c2', 'c3', 'rest']);
    for (const how of [{}, { asynchronous: true }]) {
      const all = await world.rule('both', { ...how, grouping: 'ALL', rse_expression: 'AAA|BBB' });
      await world.work();
      expect(await world.show(all)).toBe('REPLICATING 2/1/0');
      await removeRuleNow(world.store, all, { now: Date.now(), until: clock.now() + 60_000 });
    }
    await world.recount();
  });
});
