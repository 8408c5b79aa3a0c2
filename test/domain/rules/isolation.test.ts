import { beforeEach, describe, expect, it } from 'vitest';

import { followContent } from '../../../lib/domain/rules/engine/follow-content.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
const names = ['a', 'spoilt', 'c', 'd', 'e'];

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', names);
  for (const name of ['ds', 'other']) await world.add(name, 'DATASET');
});

/** A store in which every change of the file `spoilt` fails. The name cannot be part of a random id, which is hexadecimal. */
function poisoned(store: Store): Store {
  return {
    ...store,
    begin: () => poisoned(store.begin()),
    write: (plan, options) =>
      store.write(async (latest) => {
        const writes = await plan(latest);
        const changed = writes.some((write) => write.kind === 'change' && JSON.stringify(write.key).includes('spoilt'));
        if (changed) throw new Error('it cannot be changed');
        return writes;
      }, options),
  };
}

const follow = (changes: Parameters<typeof followContent.run>[1]) =>
  followContent.run(world.at(Date.now(), poisoned(world.store)), changes);

describe('a change on which the reaction fails', () => {
  it('does not stop the handling of other attachments, and is handled later', async () => {
    const id = await world.rule('ds');
    const other = await world.rule('other');
    await world.attach('ds', names);
    await world.attach('other', ['d']);
    await follow([...world.tell('attached', 'ds', names), ...world.tell('attached', 'other', ['d'])]);
    expect(await world.show(id)).toBe('OK 4/0/0');
    expect(await world.show(other)).toBe('OK 1/0/0');
    await world.work(120_000);
    expect(await world.show(id)).toBe('OK 5/0/0');
    await world.recount();
  });

  it('does not stop the handling of other detachments, and is handled later', async () => {
    await world.attach('ds', names);
    const id = await world.rule('ds');
    await world.detach('ds', names);
    await follow(world.tell('detached', 'ds', names));
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.work(120_000);
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  });
});
