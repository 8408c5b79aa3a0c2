import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse } from '../support/replicas.ts';
import { allow, linesOf, update } from '../support/rules.ts';
import { asRoot, type Client, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';
import { addSubscription, newSubscription, subscriptionPath } from '../support/subscriptions.ts';

const root = asRoot();
const run = { timeout: 60_000, interval: 200 };

let alice: Client;
let scope: string;
/** Names an attribute that only the RSEs of this file have. */
let mark: string;
beforeAll(async () => {
  [alice, scope] = await Promise.all([newAccount(), newScope()]);
  mark = uniqueName('mark').replace('-', '_');
  for (const place of ['tape', 'tape', 'tape', 'europe', 'europe', 'asia']) {
    const rse = await newStorageRse();
    expectStatus(await root.post(`/rses/${rse}/attr/${mark}`, { value: place }), 201);
    await allow(alice.account, rse);
  }
});

const rulesOf = async (name: string) => {
  const rules = await linesOf(`/dids/${scope}/${name}/rules`);
  return rules.map(({ copies, rse_expression: where }) => `${String(copies)} of ${String(where)}`).toSorted();
};
const make = async (name: string, meta: object = {}) =>
  expectStatus(await root.post(`/dids/${scope}/${name}`, { type: 'DATASET', meta }), 201);
const states = async (name: string) => (await root.get(`${subscriptionPath(alice, name)}/rules/states`)).lines();

describe('a subscription "every AOD dataset of the 2026 run: two copies on tape, one on disk in Europe, for 90 days"', () => {
  it('makes exactly these rules, once each (access 3.7, 3.8)', async () => {
    const name = uniqueName('aod');
    const lifetime = 90 * 86_400;
    const id = await newSubscription(alice, name, {
      filter: { scope: [scope], did_type: ['DATASET'], project: ['data26'], datatype: ['AOD'] },
      replication_rules: [
        { rse_expression: `${mark}=tape`, copies: 2, activity: 'T0 Tape', lifetime },
        { rse_expression: `${mark}=europe`, copies: 1, activity: 'T0 Export', lifetime },
      ],
    });
    const kinds = ['AOD', 'ESD', 'RAW'].flatMap((datatype) =>
      ['data26', 'data25'].map((project) => ({ project, datatype })),
    );
    const dids = Array.from({ length: 60 }, (_none, index) => {
      const meta = kinds[index % kinds.length] as (typeof kinds)[number];
      return { scope, name: `${meta.project}.${index}.${meta.datatype}`, type: 'DATASET', meta };
    });
    expectStatus(await root.post('/dids', dids), 201);
    const wanted = dids.filter(({ meta }) => meta.project === 'data26' && meta.datatype === 'AOD');
    expect(wanted).toHaveLength(10);
    await expect.poll(() => states(name), run).toEqual([[alice.account, name, 'OK', 20]]);
    for (const did of dids) {
      const expected = wanted.includes(did) ? [`1 of ${mark}=europe`, `2 of ${mark}=tape`] : [];
      expect(await rulesOf(did.name)).toEqual(expected);
    }
    const rules = await linesOf(`${subscriptionPath(alice, name)}/rules`);
    expect(rules).toHaveLength(20);
    for (const rule of rules) {
      expect(rule).toMatchObject({ account: alice.account, subscription_id: id, priority: 3, grouping: 'DATASET' });
      const [made, expires] = [rule['created_at'], rule.expires_at].map((text) => Date.parse(String(text)));
      expect((expires ?? 0) - (made ?? 0)).toBe(lifetime * 1_000);
    }
  });

  it('counts its rules as they change (access 3.5)', async () => {
    const name = uniqueName('count');
    await newSubscription(alice, name, {
      filter: { scope: [scope], pattern: 'count' },
      replication_rules: [{ rse_expression: `${mark}=europe`, copies: 1, activity: 'T0 Export' }],
    });
    for (const did of ['count.1', 'count.2']) await make(did);
    await expect.poll(() => states(name)).toEqual([[alice.account, name, 'OK', 2]]);
    const [rule] = await linesOf(`${subscriptionPath(alice, name)}/rules`);
    expectStatus(await update(rule?.id ?? '', { state: 'SUSPENDED' }), 200);
    const both = [
      [alice.account, name, 'OK', 1],
      [alice.account, name, 'SUSPENDED', 1],
    ];
    await expect.poll(() => states(name)).toEqual(both);
  });
});

describe('data whose metadata is set later', () => {
  it('matches when its metadata is set, and again when it is flagged as new', async () => {
    const name = uniqueName('late');
    await newSubscription(alice, name, {
      filter: { scope: [scope], campaign: ['late'] },
      replication_rules: [{ rse_expression: `${mark}=europe`, copies: 1, activity: 'T0 Export' }],
    });
    await make('late.1');
    expectStatus(await root.post(`/dids/${scope}/late.1/meta/campaign`, { value: 'late' }), 201);
    await expect.poll(() => rulesOf('late.1')).toEqual([`1 of ${mark}=europe`]);
    const [rule] = await linesOf(`/dids/${scope}/late.1/rules`);
    expectStatus(await update(rule?.id ?? '', { lifetime: 0 }), 200);
    await expect.poll(() => rulesOf('late.1')).toEqual([]);
    expectStatus(await root.post(`/dids/${scope}/late.1/meta/is_new`, { value: true }), 201);
    await expect.poll(() => rulesOf('late.1')).toEqual([`1 of ${mark}=europe`]);
  });
});

describe('the matches of a subscription', () => {
  it('are listed for existing data without making rules; a dry run makes none for new data either', async () => {
    const name = uniqueName('dry');
    for (const did of ['dry.1', 'dry.2']) await make(did);
    await newSubscription(alice, name, {
      filter: { scope: [scope], pattern: 'dry' },
      replication_rules: [{ rse_expression: `${mark}=tape`, copies: 2, activity: 'T0 Tape' }],
      dry_run: true,
    });
    const path = `${subscriptionPath(alice, name)}/matches`;
    const rule = { account: alice.account, rse_expression: `${mark}=tape`, copies: 2, activity: 'T0 Tape' };
    const line = (did: string) => ({
      scope,
      name: did,
      did_type: 'DATASET',
      exception: null,
      message: null,
      rules: [{ ...rule, source_replica_expression: null, expires_at: null }],
    });
    expect((await root.get(path)).lines()).toEqual([line('dry.1'), line('dry.2')]);
    const page = await root.get(`${path}?limit=1`);
    expect(page.lines()).toEqual([line('dry.1')]);
    expect(page.headers.get('Link')).toContain('rel="next"');
    expect(await rulesOf('dry.1')).toEqual([]);
    expectStatus(await root.put(subscriptionPath(alice, name), { options: { dry_run: false } }), 201);
    await make('dry.3');
    await expect.poll(() => rulesOf('dry.3')).toEqual([`2 of ${mark}=tape`]);
  });

  it('get rules if the subscription is retroactive', async () => {
    const name = uniqueName('past');
    await make('past.1');
    expectStatus(
      await addSubscription(alice, name, {
        filter: { scope: [scope], pattern: 'past' },
        replication_rules: [{ rse_expression: `${mark}=europe`, copies: '*', activity: 'T0 Export' }],
        retroactive: true,
      }),
      201,
    );
    await expect.poll(() => rulesOf('past.1')).toEqual([`2 of ${mark}=europe`]);
  });
});

describe('the failures of a subscription', () => {
  it('are a list, empty at first, and 404 for an unknown subscription', async () => {
    const name = uniqueName('none');
    await newSubscription(alice, name, { filter: { scope: ['nothing'] } });
    const answer = await root.get(`${subscriptionPath(alice, name)}/failures`);
    expect([answer.status, answer.lines()]).toEqual([200, []]);
    for (const list of ['failures', 'matches']) {
      const missing = await root.get(`${subscriptionPath(alice, 'missing')}/${list}`);
      expectError(
        missing,
        404,
        'SubscriptionNotFound',
        `Subscription for account '${alice.account}' named 'missing' not found`,
      );
    }
  });
});
