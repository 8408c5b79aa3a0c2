import { beforeEach, describe, expect, it } from 'vitest';

import { runTaskOfKey } from '../../../lib/background/run-work.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { listDueWork, type Work } from '../../../lib/store/entities/work.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

/** With three locks each, more than a request places. */
const count = 340;

/** More files than one step locks. */
const few = 120;

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.add('ds', 'DATASET');
});

/** Registers files and attaches them. */
async function plant(files: number): Promise<void> {
  const names = Array.from({ length: files }, (_value, index) => `f${String(index).padStart(4, '0')}`);
  await world.register('AAA', names);
  await world.attach('ds', names);
}

const wish = { copies: 3, rse_expression: 'AAA|BBB|CCC' };
const later = { ...wish, asynchronous: true };

const noted = async (): Promise<Work> => {
  for await (const work of listDueWork(world.at().store.table, Date.now())) return work;
  throw new Error('nothing is noted');
};

/** Runs one step of the due task. */
async function step(store?: Store): Promise<void> {
  const { key } = await noted();
  // The deadline is over after the first step.
  await runTaskOfKey(context(store), key, Date.now() + 1);
}

const context = (store = world.store): Context => world.at(Date.now(), store);

/** A store in which a write fails before or after its effect; the writer cannot tell which. */
function failing(store: Store, when: 'before' | 'after'): Store {
  let failures = 1;
  return {
    ...store,
    begin: () => failing(store.begin(), when),
    async write(plan, options) {
      // The lease is taken by a write of its own, before the step.
      if (options?.inBackground !== true) return store.write(plan, options);
      if (when === 'before' && failures > 0) {
        failures -= 1;
        await store.write(async (latest) => {
          await plan(latest);
          throw new Error('the process has died');
        });
      }
      await store.write(plan);
      if (failures > 0) {
        failures -= 1;
        throw new Error('the answer was lost');
      }
    },
  };
}

describe('a rule on more than a request places (replication 3.12)', () => {
  it('is accepted, and placed in steps that take effect once', async () => {
    await plant(count);
    const id = await world.rule('ds', wish);
    expect(await world.show(id)).toBe('INJECT 0/0/0');
    await step();
    const { ok, replicating } = await world.read(id);
    expect(await world.show(id)).toMatch(/^INJECT /);
    expect(ok).toBeGreaterThan(0);
    expect(ok + replicating).toBeLessThan(3 * count);
    await world.recount();
    await step(failing(world.store, 'before'));
    expect((await world.read(id)).ok).toBe(ok);
    await world.work(3_600_000);
    expect(await world.show(id)).toBe(`REPLICATING ${count}/${2 * count}/0`);
    await world.recount();
  }, 120_000);

  it('is placed correctly if the answer of a step is lost', async () => {
    await plant(few);
    const id = await world.rule('ds', later);
    await step(failing(world.store, 'after'));
    const { ok } = await world.read(id);
    expect(ok).toBeGreaterThan(0);
    expect(ok).toBeLessThan(few);
    await world.work(3_600_000);
    expect(await world.show(id)).toBe(`REPLICATING ${few}/${2 * few}/0`);
    await world.recount();
  }, 120_000);

  it('locks what is attached concurrently, and not what is detached', async () => {
    await plant(few);
    const id = await world.rule('ds', later);
    await step();
    expect((await world.read(id)).ok).toBeLessThan(few);
    await world.register('BBB', ['a', 'z']);
    await world.grow('ds', ['a', 'z']);
    await world.detach('ds', ['f0001', 'f0119']);
    await world.follow(world.tell('detached', 'ds', ['f0001', 'f0119']));
    await world.recount();
    await world.work();
    await world.work(120_000);
    expect(await world.show(id)).toBe(`REPLICATING ${few}/${2 * few}/0`);
    expect(await world.replicas('a')).toBe('AAA:C[R] BBB:A[O] CCC:C[R]');
    expect(await world.replicas('f0119')).toMatch(/^AAA:A\[\]/);
    await world.recount();
  }, 120_000);

  it('is refused at once if the quota is insufficient', async () => {
    await plant(count);
    await world.limit('AAA', 10 * count);
    await expect(world.rule('ds', { ...wish, copies: 3 })).rejects.toMatchObject({ name: 'InsufficientAccountLimit' });
  });
});
