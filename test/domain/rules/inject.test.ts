import { beforeEach, describe, expect, it } from 'vitest';

import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { getDatasetLocks } from '../../../lib/store/entities/dataset-lock.ts';
import { listRulesOf } from '../../../lib/store/entities/rule.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

beforeEach(async () => {
  world = await newRuleCatalogue();
});

const later = { asynchronous: true };
const anywhere = 'AAA|BBB|CCC';

/** Two datasets in a container: most of the one is on `BBB`, the other on `CCC`; the first has a file of its own. */
async function plant(): Promise<void> {
  await world.register('AAA', ['a1', 'shared']);
  await world.register('BBB', ['b1', 'b2']);
  await world.register('CCC', ['c1', 'c2', 'c3', 'c4']);
  for (const name of ['one', 'two']) await world.add(name, 'DATASET');
  await world.add('top', 'CONTAINER');
  await world.attach('one', ['a1', 'b1', 'b2', 'shared']);
  await world.attach('two', ['c1', 'c2', 'c3', 'c4', 'shared']);
  await world.attach('top', ['one', 'two']);
}

const locked = async (names: readonly string[]) => {
  const found: string[] = [];
  for (const name of names) found.push(`${name} ${(await world.replicas(name)).match(/\w+(?=:\w\[\w)/g)?.join('+')}`);
  return found;
};

const all = ['a1', 'b1', 'b2', 'c1', 'c2', 'c3', 'c4', 'shared'];

describe.each([
  ['at once', {}],
  ['by a task', later],
])('a rule that is placed %s (replication 3.3)', (_text, how) => {
  it('places everything on the RSE with most bytes, with grouping ALL', async () => {
    await plant();
    const id = await world.rule('top', { ...how, grouping: 'ALL', rse_expression: anywhere });
    await world.work();
    expect(await locked(all)).toEqual(all.map((name) => `${name} CCC`));
    expect(await world.show(id)).toBe('REPLICATING 4/4/0');
    await world.recount();
  });

  it('places each dataset on one RSE, with grouping DATASET', async () => {
    await plant();
    const id = await world.rule('top', { ...how, rse_expression: 'BBB|CCC' });
    await world.work();
    expect(await locked(['a1', 'b1', 'b2'])).toEqual(['a1 BBB', 'b1 BBB', 'b2 BBB']);
    expect(await locked(['c1', 'c2', 'c3'])).toEqual(['c1 CCC', 'c2 CCC', 'c3 CCC']);
    // A file in both datasets is locked once.
    expect(await locked(['shared'])).toEqual(['shared BBB']);
    const { table } = world.at().store;
    const locks = await Promise.all(['one', 'two'].map((name) => getDatasetLocks(table, data(name), id)));
    expect(locks.map((list) => list.map(({ rseId }) => rseId))).toEqual([[world.rseIds.BBB], [world.rseIds.CCC]]);
    await world.recount();
  });

  it('places each file on its own RSE, with grouping NONE', async () => {
    await plant();
    const id = await world.rule('top', { ...how, grouping: 'NONE', rse_expression: anywhere });
    await world.work();
    expect(await locked(all)).toEqual([
      'a1 AAA',
      'b1 BBB',
      'b2 BBB',
      'c1 CCC',
      'c2 CCC',
      'c3 CCC',
      'c4 CCC',
      'shared AAA',
    ]);
    expect(await world.show(id)).toBe('OK 8/0/0');
    expect(await getDatasetLocks(world.at().store.table, data('one'))).toEqual([]);
    await world.recount();
  });

  it('copies to as many RSEs as it asks for', async () => {
    await plant();
    const id = await world.rule('one', { ...how, copies: 3, rse_expression: anywhere });
    await world.work();
    expect(await world.show(id)).toBe('REPLICATING 4/8/0');
    expect(await locked(['b1'])).toEqual(['b1 AAA+BBB+CCC']);
    await world.recount();
  });

  it('is stuck if a file is on no source RSE', async () => {
    await plant();
    const id = await world.rule('one', { ...how, rse_expression: 'CCC', source_replica_expression: 'BBB' });
    await world.work();
    expect(await world.show(id)).toBe('STUCK 0/2/2');
    expect((await world.read(id)).error).toBe('MissingSourceReplica');
    await world.recount();
  });
});

describe('a rule that is placed later (replication 3.4)', () => {
  it('has state INJECT and no locks until then', async () => {
    await plant();
    const id = await world.rule('one', { delay_injection: 3_600 });
    await world.work();
    expect(await world.show(id)).toBe('INJECT 0/0/0');
    expect((await world.read(id)).createdAt).toBeGreaterThan(Date.now() + 3_000_000);
    await world.work(3_700_000);
    expect(await world.show(id)).toBe('REPLICATING 2/2/0');
  });

  it('is stuck with the error if it cannot be placed then, and is retried', async () => {
    await plant();
    const id = await world.rule('one', later);
    await world.limit('AAA', 40);
    await world.work();
    expect(await world.show(id)).toBe('STUCK 0/0/0');
    expect((await world.read(id)).error).toMatch(/^There is insufficient quota/);
    await world.limit('AAA', 41);
    await world.work(3_600_000);
    expect(await world.show(id)).toBe('REPLICATING 2/2/0');
    await world.recount();
  });

  it('is not placed if it expires within five minutes', async () => {
    await plant();
    const id = await world.rule('one', { ...later, lifetime: 200 });
    await world.work();
    expect(await world.show(id)).toBe('INJECT 0/0/0');
  });

  it('is placed if its lifetime is prolonged after that', async () => {
    await plant();
    const id = await world.rule('one', { ...later, lifetime: 200 });
    await world.work();
    await updateRule(world.at(), id, { lifetime: null });
    await world.work(301_000);
    expect(await world.show(id)).toMatch(/^(OK|REPLICATING) /);
    await world.recount();
  });

  it('becomes a rule on each dataset if the container is to be split', async () => {
    await plant();
    await world.rule('two', { rse_expression: 'AAA' });
    const id = await world.rule('top', { split_container: true, rse_expression: 'AAA', comment: 'c' });
    expect(await world.show(id)).toBe('INJECT 0/0/0');
    await world.work();
    await expect(world.read(id)).rejects.toThrow('there is no rule');
    const { table } = world.at().store;
    const [one, two] = await Promise.all(['one', 'two'].map((name) => Array.fromAsync(listRulesOf(table, data(name)))));
    expect(one?.map(({ comments, grouping, status, ok }) => ({ comments, grouping, status, ok }))).toEqual([
      { comments: 'c', grouping: 'DATASET', status: 'ACTIVE', ok: 2 },
    ]);
    expect(two).toHaveLength(1);
    await world.recount();
  });
});

describe('a rule that asks for approval (replication 2.7)', () => {
  it.each([
    ['auto_approve_files', '5', 'REPLICATING 2/2/0'],
    ['auto_approve_files', '4', 'WAITING_APPROVAL 0/0/0'],
    ['auto_approve_bytes', '41', 'REPLICATING 2/2/0'],
    ['auto_approve_bytes', '40', 'WAITING_APPROVAL 0/0/0'],
  ])('is approved on a closed DID by %s %s: %s', async (key, value, shown) => {
    await plant();
    await setRseAttribute(world.at(), { rse: 'AAA', key, value });
    await world.limit('AAA', 1);
    await setStatus(world.at(), data('one'), { open: false });
    const id = await world.rule('one', { ask_approval: true });
    await world.work();
    expect(await world.show(id)).toBe(shown);
  });

  it('waits for approval on an open DID', async () => {
    await plant();
    await setRseAttribute(world.at(), { rse: 'AAA', key: 'auto_approve_files', value: '50' });
    const id = await world.rule('one', { ask_approval: true });
    await world.work();
    expect(await world.show(id)).toBe('WAITING_APPROVAL 0/0/0');
  });
});
