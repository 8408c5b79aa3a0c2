import { beforeAll, describe, expect, it } from 'vitest';

import { followRules } from '../../../lib/domain/rules/life-cycle/follow-rules.ts';
import { countRules } from '../../../lib/operations/subscriptions/count-rules.ts';
import { addSubscriptionStates } from '../../../lib/store/entities/subscription.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { reportsAllUnits } from '../../support/run.ts';
import { type SubscriptionCatalogue, newSubscriptionCatalogue } from './subscription-catalogue.ts';

let world: SubscriptionCatalogue;
beforeAll(async () => {
  world = await newSubscriptionCatalogue();
  const templates = [
    { rse_expression: 'medium=disk', copies: 1, lifetime: 60 },
    { rse_expression: 'medium=tape', copies: 2, lifetime: 60 },
  ];
  await world.subscribe('priced', { pattern: 'priced' }, templates);
  // Data with a TTL of a minute is read once.
  await world.make('first');
});

const told = async (...names: string[]) => {
  for (const name of names) await world.add(name, 'DATASET');
  const dids = await Promise.all(names.map((name) => world.did(name)));
  return dids.map((after) => ({ kind: 'did', id: after.name, at: after.createdAt, after }) as const);
};
const costOf = async (run: () => Promise<unknown>) => (await measure(run)).cost;

describe('the cost of new data (access 3.7)', () => {
  it('without a match: a query for all subscriptions per batch, and a read of each collection', async () => {
    const changes = await told('other.1', 'other.2', 'other.3');
    expect(await costOf(() => world.tellChanges(...changes))).toMatchObject({ rru: 4, wru: 0, requests: 2 });
  });

  it('with a match: one plan for both rules; shared data is read once per batch', async () => {
    const one = await told('priced.1');
    const single = await costOf(() => world.tellChanges(...one));
    const four = await told('priced.2', 'priced.3', 'priced.4', 'priced.5');
    const several = await costOf(() => world.tellChanges(...four));
    // DynamoDB Local does not count units of absent keys and of a write.
    expect(single).toMatchObject(reportsAllUnits() ? { rru: 13 + 10, wru: 23 } : { rru: 13 });
    expect(several).toMatchObject(reportsAllUnits() ? { rru: 33 + 24, wru: 4 * 23 } : { rru: 33 });
  });

  it('delivered again: no write', async () => {
    await world.make('priced.again');
    const again = { kind: 'did', id: '1', at: 1, after: await world.did('priced.again') } as const;
    expect(await costOf(() => world.tellChanges(again))).toMatchObject({ wru: 0 });
  });
});

describe('the cost of counting rules (access 3.5)', () => {
  it('the rules of a batch change the sums once', async () => {
    await world.tellChanges(...(await told(...Array.from({ length: 10 }, (_none, index) => `priced.many.${index}`))));
    const rules = (
      await Promise.all(Array.from({ length: 10 }, (_none, index) => world.rules(`priced.many.${index}`)))
    ).flat();
    expect(rules).toHaveLength(20);
    const changes = rules.map((after) => ({ kind: 'rule', id: after.id, at: 1, after }) as const);
    const cost = await costOf(() => followRules.run(world.at(), changes));
    // The rules and the sums are one transaction, of which DynamoDB Local reports the units of one item.
    expect(cost).toMatchObject({ rru: 21, requests: 3, roundTrips: 3 });
  });

  it('a subscription of 100,000 rules shows them by one read', async () => {
    const made = Array.from({ length: 100_000 }, () => ({ to: 'OK' }) as const);
    const wanted = { account: 'root', name: 'priced' };
    await world.store.write(async () => addSubscriptionStates(wanted, made, () => new Error('no such subscription')));
    const { cost, result } = await measure(() => Array.fromAsync(countRules(world.at(), wanted, false)));
    expect(cost).toMatchObject({ rru: 1, requests: 1, roundTrips: 1 });
    expect(result[0]?.row).toMatchObject({ state: 'OK', count: 100_020 });
  });
});
