import { beforeEach, describe, expect, it } from 'vitest';

import { followContent } from '../../../lib/domain/rules/engine/react.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import type { Range, Table } from '../../../lib/store/table.ts';
import { newRuleWorld, type RuleWorld } from './world.ts';

let world: RuleWorld;
let id: string;

beforeEach(async () => {
  world = await newRuleWorld();
  await world.register('AAA', ['f']);
  for (const name of ['d1', 'd2']) await world.add(name, 'DATASET');
  await world.add('top', 'CONTAINER');
  await world.attach('d1', ['f']);
  await world.attach('top', ['d1', 'd2']);
  id = await world.rule('top');
  // The file moves.
  await world.attach('d2', ['f']);
  await world.detach('d1', ['f']);
}, 60_000);

/** A table of which the index does not know yet that the file is attached to the second dataset. */
function late(table: Table): Table {
  return new Proxy(table, {
    get(target, property) {
      if (property === 'latest') return () => late(target.latest());
      if (property === 'query') {
        return async function* (range: Range) {
          for await (const item of target.query(range)) {
            if (range.index !== 'GSI1' || !JSON.stringify(item).includes('d2')) yield item;
          }
        };
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function lateStore(store: Store): Store {
  return {
    ...store,
    table: late(store.table),
    begin: () => lateStore(store.begin()),
    write: (plan, options) => store.write((latest) => plan(late(latest)), options),
  };
}

const follow = (changes: readonly TableChange[]) =>
  followContent.run(world.at(Date.now(), lateStore(world.store)), changes);

describe('a file that moves below a rule while the index is late', () => {
  it('stays locked where both changes are told of at once', async () => {
    await follow([...world.tell('detached', 'd1', ['f']), ...world.tell('attached', 'd2', ['f'])]);
    expect(await world.replicas('f')).toBe('AAA:A[O]');
  });

  it('is looked at again where they are not', async () => {
    await follow(world.tell('attached', 'd2', ['f']));
    await follow(world.tell('detached', 'd1', ['f']));
    await world.work();
    await world.work(120_000);
    expect(await world.replicas('f')).toBe('AAA:A[O]');
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.recount();
  });
});
