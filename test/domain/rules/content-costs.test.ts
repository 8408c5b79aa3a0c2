import { beforeAll, describe, expect, it } from 'vitest';

import { measure } from '../../../lib/store/items/meter.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

beforeAll(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', ['f1', 'f2']);
  for (const name of ['free', 'ruled']) await world.add(name, 'DATASET');
  await world.attach('free', ['f1', 'f2']);
  for (const name of ['inner', 'outer']) await world.add(name, 'CONTAINER');
  await world.attach('inner', ['free']);
  await world.attach('outer', ['inner']);
  await world.attach('ruled', ['f1']);
});

const cost = async (kind: 'attached' | 'detached', parent: string, children: string[]) =>
  (await measure(() => world.follow(world.tell(kind, parent, children)))).cost;

describe('cost of the reaction to changed content (ADR 0011)', () => {
  it('is a round trip and two queries per level without rules, whatever the number of files', async () => {
    const one = await cost('attached', 'free', ['f1']);
    expect(one).toMatchObject({ wru: 0, requests: 6, roundTrips: 3 });
    expect(await cost('attached', 'free', ['f1', 'f2'])).toEqual(one);
  });

  it('is a read of the file for detached files without locks', async () => {
    expect(await cost('detached', 'free', ['f1'])).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('is a few reads for content that is locked already', async () => {
    await world.rule('ruled');
    const again = await cost('attached', 'ruled', ['f1']);
    expect(again.wru).toBe(0);
    expect(again.requests).toBeLessThanOrEqual(6);
    expect(again.rru).toBeLessThanOrEqual(6);
  });

  it('reads the parents of detached files level by level, those of all files and for all rules together', async () => {
    const names = Array.from({ length: 40 }, (_value, index) => `g${index}`);
    await world.register('AAA', names);
    await world.add('wide', 'DATASET');
    for (const name of ['high', 'higher']) await world.add(name, 'CONTAINER');
    await world.attach('wide', names);
    await world.attach('high', ['wide']);
    await world.attach('higher', ['high']);
    for (const name of ['wide', 'high', 'higher']) await world.rule(name);
    // All are still attached, so every way up is read: the parents of each of the 42 DIDs once, not for each rule.
    const { requests, roundTrips, wru } = await cost('detached', 'wide', names);
    const [files, rules, queries] = [1, 1, names.length + 2];
    const attachments = 3 + 2 + 1;
    expect({ requests, wru }).toEqual({ requests: files + rules + queries + attachments, wru: 0 });
    expect(roundTrips).toBeLessThanOrEqual(2 + 2 * 3);
  });
});
