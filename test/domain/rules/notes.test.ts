import { beforeEach, describe, expect, it } from 'vitest';

import { runDueWork } from '../../../lib/background/run-work.ts';
import { workReaction as reaction } from '../../../lib/background/work-reaction.ts';
import { clock } from '../../../lib/clock.ts';
import type { Table } from '../../../lib/store/batches/table.ts';
import { insertWork, listDueWork, type Work } from '../../../lib/store/entities/work.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

beforeEach(async () => {
  world = await newRuleCatalogue();
});

const notes = (until = clock.now()): Promise<Work[]> =>
  Array.fromAsync(listDueWork(world.at().store.table.latest(), until));

/** The changes that the stream delivers for tasks in their present state. */
const told = async (): Promise<TableChange[]> => (await notes()).map((after): TableChange => ({ kind: 'work', after }));

const never = new Promise<never>(() => {});

/** A store that never answers the read of a rule: its process has crashed there. */
function dying(store: Store, id: string, counts: { now: number; most: number }): Store {
  const watched = (table: Table): Table =>
    new Proxy(table, {
      get(target, property) {
        if (property === 'latest') return () => watched(target.latest());
        if (property === 'get') {
          return async (key: Parameters<Table['get']>[0]) => {
            if (key.PK === `RULE#${id}`) return never;
            counts.now += 1;
            counts.most = Math.max(counts.most, counts.now);
            try {
              return await target.get(key);
            } finally {
              counts.now -= 1;
            }
          };
        }
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    ...store,
    table: watched(store.table),
    begin: () => dying(store.begin(), id, counts),
    write: (plan, options) => store.write((latest) => plan(watched(latest)), options),
  };
}

describe('tasks', () => {
  it('that crash their process are not retried first', async () => {
    await world.register('AAA', ['f']);
    for (const name of ['one', 'two']) await world.add(name, 'DATASET');
    await world.attach('one', ['f']);
    await world.attach('two', ['f']);
    const bad = await world.rule('one', { asynchronous: true });
    // The process crashes during the first task.
    void runDueWork(world.at(Date.now(), dying(world.store, bad, { now: 0, most: 0 })));
    const isTaken = async () => (await notes()).some(({ leasedUntil }) => leasedUntil !== undefined);
    await expect.poll(isTaken).toBe(true);
    const good = await world.rule('two', { asynchronous: true });
    expect(await runDueWork(world.at())).toMatchObject({ tasks: 1 });
    expect(await world.show(good)).toBe('OK 1/0/0');
    expect(await world.show(bad)).toBe('INJECT 0/0/0');
    await world.work(120_000);
    expect(await world.show(bad)).toBe('OK 1/0/0');
    await world.recount();
  });

  it('of one rule run one after the other, those of several rules in parallel', async () => {
    await world.register('AAA', ['f']);
    await world.add('top', 'CONTAINER');
    const names = Array.from({ length: 12 }, (_none, index) => `d${index}`);
    for (const name of names) await world.add(name, 'DATASET');
    await world.attach('d7', ['f']);
    const id = await world.rule('top');
    await world.grow('top', names, 'DATASET');
    let atOnce = 0;
    let most = 0;
    const counting: Store = {
      ...world.store,
      write: async (plan, options) => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        try {
          await world.store.write(plan, options);
        } finally {
          atOnce -= 1;
        }
      },
    };
    await reaction.run({ store: counting, now: Date.now() }, await told());
    expect(most).toBe(1);
    // A slow engine may leave some to the next run.
    await world.work(120_000);
    expect(await world.show(id)).toBe('OK 1/0/0');
    expect(await notes()).toEqual([]);
  });

  it('have all run before the handler returns, even if one fails', async () => {
    await world.store.write(async () => [
      insertWork({ kind: 'remove', ruleId: 'a' }, 1),
      insertWork({ kind: 'remove', ruleId: 'b' }, 2),
      insertWork({ kind: 'remove', ruleId: 'c' }, 3),
    ]);
    const [first] = await notes();
    const store: Store = {
      ...world.store,
      write: (plan, options) =>
        world.store.write(async (latest) => {
          const writes = await plan(latest);
          if (JSON.stringify(writes).includes(first?.key.SK ?? '')) throw new Error('throttled');
          return writes;
        }, options),
    };
    await expect(reaction.run({ store, now: Date.now() }, await told())).rejects.toThrow('neither done nor put off');
    expect((await notes()).map(({ key }) => key.SK)).toEqual([first?.key.SK]);
  });

  it('record their error on the rule after repeated failures', async () => {
    await world.register('AAA', ['f']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f']);
    const id = await world.rule('ds', { asynchronous: true });
    const store: Store = {
      ...world.store,
      begin: () => store,
      write: (plan, options) =>
        options?.inBackground === true
          ? Promise.reject(new Error('something is wrong with it'))
          : world.store.write(plan, options),
    };
    for (let hours = 0; hours < 4; hours += 1) {
      await runDueWork({ store, now: clock.now() + hours * 3_600_000 });
      expect((await world.read(id)).error).toBe(hours < 3 ? undefined : 'something is wrong with it');
    }
    await world.work(5 * 3_600_000);
    expect(await world.show(id)).toBe('OK 1/0/0');
    expect((await world.read(id)).error).toBeUndefined();
  });
});
