import { beforeEach, describe, expect, it } from 'vitest';

import { deleteRuleById } from '../../../lib/operations/rules/delete-rule.ts';
import { changeDid } from '../../../lib/store/entities/did.ts';
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
