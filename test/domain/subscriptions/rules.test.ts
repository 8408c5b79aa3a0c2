import { beforeAll, describe, expect, it } from 'vitest';

import type { RuleStateName } from '../../../lib/contract/schemas/states.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { buildRule } from '../../../lib/domain/rules/new-rule.ts';
import { addSubscription } from '../../../lib/operations/subscriptions/add-subscription.ts';
import { countRules, countRulesShort } from '../../../lib/operations/subscriptions/count-rules.ts';
import { listSubscriptionRules } from '../../../lib/operations/subscriptions/list-rules.ts';
import {
  getSubscriptionRecord,
  listSubscriptionRecords,
} from '../../../lib/operations/subscriptions/list-subscriptions.ts';
import { updateSubscription } from '../../../lib/operations/subscriptions/update-subscription.ts';
import { insertRule } from '../../../lib/store/entities/rule-writes.ts';
import { addSubscriptionStates, type StateChange } from '../../../lib/store/entities/subscription.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { pagesOf } from '../paging/pages-of.ts';

const account = 'root';
const options = {
  filter: {},
  replication_rules: [{}],
  comments: 'c',
  lifetime: undefined,
  retroactive: false,
  dry_run: false,
  priority: undefined,
};
const noSubscription = () => new Error('no such subscription');

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
});

const add = (name: string) => addSubscription(catalogue.at(), { account, name }, options);
const count = (name: string, ...changes: StateChange[]) =>
  catalogue.store.write(async () => addSubscriptionStates({ account, name }, changes, noSubscription));
const counted = (name?: string) =>
  Array.fromAsync(rowsOf(countRulesShort(catalogue.at(), name === undefined ? { account } : { account, name }, false)));

describe('rules of a subscription are counted by state', () => {
  it('as they are created, changed and deleted; a state without rules has no row', async () => {
    await add('counted');
    expect(await counted('counted')).toEqual([[account, 'counted', null, 0]]);
    await count('counted', { to: 'INJECT' }, { to: 'INJECT' }, { to: 'OK' });
    expect(await counted('counted')).toEqual([
      [account, 'counted', 'OK', 1],
      [account, 'counted', 'INJECT', 2],
    ]);
    await count('counted', { from: 'INJECT', to: 'REPLICATING' }, { from: 'OK' });
    expect(await counted('counted')).toEqual([
      [account, 'counted', 'REPLICATING', 1],
      [account, 'counted', 'INJECT', 1],
    ]);
    await count('counted', { from: 'REPLICATING' }, { from: 'INJECT' });
    expect(await counted('counted')).toEqual([[account, 'counted', null, 0]]);
  });

  it('without loss under concurrent changes', async () => {
    await add('busy');
    await Promise.all(Array.from({ length: 20 }, () => count('busy', { to: 'OK' })));
    expect(await counted('busy')).toEqual([[account, 'busy', 'OK', 20]]);
  });

  it('a rule that one plan adds and removes is no write, and an unknown subscription is an error', async () => {
    expect(
      addSubscriptionStates(
        { account, name: 'any' },
        [{ from: 'OK', to: 'OK' }, { to: 'STUCK' }, { from: 'STUCK' }],
        noSubscription,
      ),
    ).toEqual([]);
    await expect(count('unknown', { to: 'OK' })).rejects.toThrow('no such subscription');
  });

  it('also after a change of the subscription, with its properties if details are asked for', async () => {
    await add('detailed');
    await count('detailed', { to: 'STUCK' });
    await updateSubscription(catalogue.at(), { account, name: 'detailed' }, { state: 'INACTIVE' });
    const [row, ...others] = await Array.fromAsync(
      rowsOf(countRules(catalogue.at(), { account, name: 'detailed' }, true)),
    );
    expect(others).toEqual([]);
    const date = expect.stringMatching(/ UTC$/);
    expect(row).toEqual({
      account,
      name: 'detailed',
      state: 'STUCK',
      count: 1,
      subscription_state: 'INACTIVE',
      last_processed: date,
      lifetime: null,
      expired_at: date,
      comments: 'c',
    });
  });

  it('in pages that can end between the states of a subscription', async () => {
    for (const name of ['page.1', 'page.2', 'page.3']) {
      await add(name);
      if (name !== 'page.2') await count(name, { to: 'OK' }, { to: 'STUCK' }, { to: 'INJECT' });
    }
    const whole = await counted();
    const wanted = { account };
    for (const limit of [1, 2, 3, 100]) {
      const pages = pagesOf((page) => countRulesShort(catalogue.at(), wanted, false, page), limit);
      expect((await Array.fromAsync(pages)).flat()).toEqual(whole);
    }
  });
});

describe('rules of a subscription are listed', () => {
  it('in order of their creation, all or those in a state, in pages', async () => {
    const subscription_id = await add('listed');
    await catalogue.add('listed', 'DATASET');
    const states = ['OK', 'STUCK', 'OK', 'SUSPENDED'] as const;
    const ids: string[] = [];
    for (const [index, state] of states.entries()) {
      const wish = { copies: index + 1, rse_expression: 'DISK', account, subscription_id };
      const rule = buildRule({ ...data('listed'), type: 'DATASET' }, wish, 1_000_000 - index * 1_000);
      const status = state === 'SUSPENDED' ? state : 'ACTIVE';
      await catalogue.store.write(async () =>
        insertRule({ ...rule, status, stuck: state === 'STUCK' ? 1 : 0 }, noSubscription),
      );
      ids.unshift(rule.id);
    }
    const wanted = { account, name: 'listed' };
    const listed = async (state?: RuleStateName) =>
      (await Array.fromAsync(rowsOf(listSubscriptionRules(catalogue.at(), wanted, state)))).map(({ id }) => id);
    expect(await listed()).toEqual(ids);
    expect(await listed('OK')).toEqual([ids[1], ids[3]]);
    expect(await listed('STUCK')).toEqual([ids[2]]);
    expect(await listed('SUSPENDED')).toEqual([ids[0]]);
    expect(await listed('INJECT')).toEqual([]);
    for (const limit of [1, 3]) {
      const pages = pagesOf((page) => listSubscriptionRules(catalogue.at(), wanted, undefined, page), limit);
      expect((await Array.fromAsync(pages)).flat().map(({ id }) => id)).toEqual(ids);
    }
  });
});

describe('the cost of subscriptions', () => {
  const costOf = async (run: () => Promise<unknown>) => (await measure(run)).cost;

  it('creating one is a transaction of three small items, changing one a single write', async () => {
    const created = await costOf(() => add('priced'));
    expect(created).toMatchObject({ rru: 1, requests: 2, roundTrips: 2 });
    const change = () => updateSubscription(catalogue.at(), { account, name: 'priced' }, { comments: 'x' });
    expect(await costOf(change)).toEqual({ rru: 0, wru: 1, requests: 1, roundTrips: 1 });
  });

  it('showing one is one read by account and name, two by id; its rules by state are one read', async () => {
    const id = await add('read');
    const wanted = { account, name: 'read' };
    await count('read', ...Array.from({ length: 1000 }, () => ({ to: 'OK' as const })));
    expect(await costOf(() => Array.fromAsync(listSubscriptionRecords(catalogue.at(), wanted)))).toMatchObject({
      rru: 1,
      requests: 1,
    });
    expect(await costOf(() => getSubscriptionRecord(catalogue.at(), id))).toMatchObject({ rru: 2, requests: 2 });
    expect(await costOf(() => Array.fromAsync(countRules(catalogue.at(), wanted, false)))).toMatchObject({
      rru: 1,
      requests: 1,
    });
    expect(await costOf(() => Array.fromAsync(countRules(catalogue.at(), wanted, true)))).toMatchObject({ rru: 2 });
    const unknown = { account, name: 'unknown' };
    expect(await Array.fromAsync(countRules(catalogue.at(), unknown, true))).toEqual([]);
  });
});
