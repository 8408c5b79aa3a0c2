import { beforeEach, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { runDueWork } from '../../../lib/background/run-work.ts';
import { clock } from '../../../lib/clock.ts';
import { badReplicaList } from '../../../lib/contract/schemas/bad-replica.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { declareBad } from '../../../lib/operations/replicas/declare-replicas.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { setTombstone } from '../../../lib/operations/replicas/set-tombstone.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { deleteRuleById } from '../../../lib/operations/rules/delete-rule.ts';
import { changeDid, changeReplicas, getDids } from '../../../lib/store/entities/did.ts';
import { changeRule } from '../../../lib/store/entities/rule-writes.ts';
import { fillItem, withFullItemAt } from '../../support/full-items.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
const hour = 3_600_000;
const text = 'The file data:fat holds too much metadata and too many locks for another lock.';

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', ['fat', 'z1', 'z2']);
  await world.add('ds', 'DATASET');
});

/** Grows or shrinks the item of a file to a size. */
async function fill(name: string, bytes: number): Promise<void> {
  const patch = { set: { 'meta:filler': 'x'.repeat(bytes) } };
  await world.store.write(async () => [changeDid(data(name), patch, { onMismatch: () => new Error('gone') })]);
}

const all = 409_000;

describe('a file whose item has no room for a lock', () => {
  it('does not stop the locking of other new files, and the rule has the error', async () => {
    const id = await world.rule('ds');
    await fill('fat', all);
    await world.grow('ds', ['fat', 'z1', 'z2']);
    expect(await world.show(id)).toBe('STUCK 2/0/0');
    expect((await world.read(id)).error).toBe(text);
    await world.work(hour);
    expect(await world.show(id)).toBe('STUCK 2/0/0');
    await fill('fat', 10);
    await world.work(4 * hour);
    expect(await world.show(id)).toBe('OK 3/0/0');
    expect((await world.read(id)).error).toBeUndefined();
    await world.recount();
  });

  it.each([
    ['at once', {}],
    ['by a task', { asynchronous: true }],
    ['file by file', { asynchronous: true, grouping: 'NONE' }],
  ])('does not stop the locking of other files if a rule is placed %s', async (_text, how) => {
    await fill('fat', all);
    await world.attach('ds', ['fat', 'z1', 'z2']);
    const id = await world.rule('ds', how);
    await world.work();
    expect(await world.show(id)).toBe('STUCK 2/0/0');
    expect((await world.read(id)).error).toBe(text);
    await fill('fat', 10);
    await world.work(hour);
    expect(await world.show(id)).toBe('OK 3/0/0');
    await world.recount();
  });

  it('does not stop it below a container either', async () => {
    await fill('fat', all);
    await world.attach('ds', ['fat', 'z1', 'z2']);
    await world.add('top', 'CONTAINER');
    const id = await world.rule('top');
    await world.grow('top', ['ds'], 'DATASET');
    await world.work();
    expect(await world.show(id)).toBe('STUCK 2/0/0');
    expect((await world.read(id)).error).toBe(text);
  });
});

describe('a file with as much metadata as users may fill', () => {
  it('still takes replicas, locks, reasons and marks, since the rest of its item belongs to the service', async () => {
    await setMetadata(world.at(), data('fat'), { key: 'text', value: 'x'.repeat(65_000), recursive: false });
    for (const rse of ['BBB', 'CCC'] as const) await world.register(rse, ['fat']);
    const rules = await Promise.all(['AAA', 'BBB', 'CCC'].map((rse) => world.rule('fat', { rse_expression: rse })));
    for (const rse of ['AAA', 'BBB', 'CCC']) {
      const replicas = [{ ...data('fat'), rse }];
      await declareBad(world.at(), badReplicaList.parse({ replicas, reason: 'r'.repeat(255) }));
    }
    expect(await Promise.all(rules.map((id) => world.show(id)))).not.toContain('OK 1/0/0');
    await world.recount();
  });

  it('is refused more by name, however many requests try at the same time', async () => {
    const grow = (key: string, bytes: number) =>
      setMetadata(world.at(), data('fat'), { key, value: 'x'.repeat(bytes), recursive: false });
    const answers = await Promise.allSettled(Array.from({ length: 12 }, (_none, index) => grow(`key${index}`, 20_000)));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
    expect(refusals).toHaveLength(9);
    for (const refusal of refusals)
      expect(refusal).toMatch(/The free metadata of data:fat would take \d+ bytes; 65536/);
    expect(Object.keys((await world.file('fat')).meta)).toHaveLength(3);
  });
});

describe('a bulk request with full items, which an earlier version has stored', () => {
  it('changes them by its commit if the change fits, and else names the one at fault and changes nothing', async () => {
    const names = Array.from({ length: 30 }, (_none, index) => `f${index}`);
    await world.register('AAA', names);
    for (const name of ['f3', 'f17']) await fillItem(world.store, data(name), 200);
    const files = names.map((name) => ({ ...data(name), state: 'U' as const }));
    await updateReplicas(world.at(), { rse: 'AAA', files });
    expect(await Promise.all(['f0', 'f3', 'f17'].map((name) => world.replicas(name)))).toEqual([
      'AAA:U[]',
      'AAA:U[]',
      'AAA:U[]',
    ]);
    await fillItem(world.store, data('f17'));
    const tombstones = names.map((name) => Object.assign(data(name), { rse: 'AAA' }));
    await expect(setTombstone(world.at(), tombstones)).rejects.toThrow(/^data:f17: The item grows beyond the 400 KB/);
    expect((await world.file('f0')).replicas.get(world.rseIds.AAA)?.tombstone).toBeUndefined();
    await setTombstone(
      world.at(),
      tombstones.filter(({ name }) => name !== 'f17'),
    );
    expect((await world.file('f3')).replicas.get(world.rseIds.AAA)?.tombstone).toBeDefined();
  });
});

describe('files with items of the maximum size', () => {
  const many = Array.from({ length: 24 }, (_none, index) => `large${index}`);

  it('lose their locks when they are detached, and when the rule is removed', async () => {
    await world.register('AAA', many);
    await world.attach('ds', many);
    const ids = [await world.rule('ds'), await world.rule('ds', { rse_expression: 'BBB' })];
    for (const name of many) await fill(name, all);
    await world.detach('ds', many.slice(0, 12));
    await world.follow(world.tell('detached', 'ds', many.slice(0, 12)));
    expect(await world.show(ids[0] ?? '')).toBe('OK 12/0/0');
    await deleteRuleById(world.at(), ids[0] ?? '');
    await world.work(hour + 1);
    await expect(world.read(ids[0] ?? '')).rejects.toThrow('there is no rule');
    expect(await world.replicas('large20')).toBe('AAA:A[] BBB:C[R]');
    await world.recount();
  });
});

describe('a hundred files of which two have no byte left', () => {
  const many = Array.from({ length: 100 }, (_none, index) => `f${index}`);
  const some = many.slice(0, 50).map(data);
  const fillTwo = async () => {
    for (const name of ['f3', 'f50']) await fillItem(world.store, data(name));
  };
  const present = async (dids: Parameters<typeof getDids>[1]) => (await getDids(world.at().store.table, dids)).length;

  beforeEach(async () => {
    await world.register('AAA', many);
    await world.attach('ds', many);
  });

  it('are all unlocked when their rules are deleted, whether there are copies or not', async () => {
    const ids = [await world.rule('ds'), await world.rule('ds', { rse_expression: 'BBB' })];
    await fillTwo();
    for (const id of ids) await deleteRuleById(world.at(), id);
    await world.work(hour + 1);
    for (const id of ids) await expect(world.read(id)).rejects.toThrow('there is no rule');
    await world.recount();
  });

  it('are all unlocked when they are detached', async () => {
    const id = await world.rule('ds');
    await fillTwo();
    await world.detach('ds', many);
    await world.follow(world.tell('detached', 'ds', many));
    await world.work(hour + 1);
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  });

  it('stay where they are if there is no room to note who has let them go', async () => {
    const id = await world.rule('ds');
    await fillTwo();
    await deleteRuleById(world.at(), id);
    await world.work(hour + 1);
    const [full, other] = await Promise.all(
      ['f3', 'f4'].map(async (name) => (await world.file(name)).replicas.get(world.rseIds.AAA)),
    );
    expect(full).toEqual({ state: 'A' });
    expect(other).toMatchObject({ freedBy: ['root'], tombstone: expect.any(Number) });
    await fill('f3', 10);
    await setTombstone(world.at(), [{ ...data('f3'), rse: 'AAA' }]);
    expect((await world.file('f3')).replicas.get(world.rseIds.AAA)).toMatchObject({ freedBy: [''], tombstone: 0 });
    await world.recount();
  });

  it('lose a copy that its owner has let go, though there is no room to note that on all others', async () => {
    const others = new Map(Array.from({ length: 40 }, (_none, index) => [`rse${index}`, { state: 'A' } as const]));
    await world.store.write(async () => [changeReplicas(await world.file('f3'), others)]);
    await setTombstone(world.at(), [{ ...data('f3'), rse: 'AAA' }]);
    await fillItem(world.store, data('f3'), 200);
    await deleteReplicas(world.at(), { rse: 'AAA', files: [data('f3')], ignore_availability: true });
    const left = [...(await world.file('f3')).replicas.values()];
    expect(left).toHaveLength(40);
    expect(left.filter(({ freedBy }) => freedBy === undefined).length).toBeGreaterThan(20);
  });

  it('are all deleted with their replicas', async () => {
    await fillTwo();
    await deleteReplicas(world.at(), { rse: 'AAA', files: many.map(data), ignore_availability: true });
    expect(await present(many.map(data))).toBe(0);
  });

  it.each([
    ['keeps others', many],
    ['becomes empty', many.slice(0, 2)],
  ])(
    'are all deleted with their replicas though a dataset of a stranger has no byte left, which %s',
    async (_what, held) => {
      await world.add('theirs', 'DATASET');
      await world.attach('theirs', held);
      await fillItem(world.store, data('theirs'));
      await deleteReplicas(world.at(), { rse: 'AAA', files: some, ignore_availability: true });
      expect(await present(some)).toBe(0);
    },
  );
});

describe('a rule whose item has no room for its counters', () => {
  it('has its task put off each time, and holds up no other', async () => {
    await world.attach('ds', ['fat', 'z1']);
    const [full, other] = [
      await world.rule('ds', { asynchronous: true }),
      await world.rule('z2', { asynchronous: true }),
    ];
    const store = withFullItemAt(world.store, changeRule(full, {}).key);
    for (let hours = 0; hours < 7; hours += 1)
      await runDueWork({ ...world.at(Date.now() + hours * hour), store: store.begin() });
    expect([await world.show(full), await world.show(other)]).toEqual(['INJECT 0/0/0', 'OK 1/0/0']);
    await world.work(9 * hour);
    expect(await world.show(full)).toBe('OK 2/0/0');
  });
});

describe('expired datasets, one of which has no byte left', () => {
  it('are all deleted in one run', async () => {
    const names = Array.from({ length: 20 }, (_none, index) => `set${index}`);
    for (const name of names) await addDid(world.at(), data(name), { type: 'DATASET', lifetime: -10 });
    await fillItem(world.store, data('set7'));
    const run = await expireDids({ store: world.store.begin(), now: clock.now() });
    expect(run).toEqual({ deleted: 20, released: 0, postponed: 0 });
  });
});
