import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, type Client, expectError, newAccount, nobody, uniqueName } from '../support/server.ts';
import { addSubscription, leastOptions, namesIn, newSubscription, subscriptionPath } from '../support/subscriptions.ts';

const root = asRoot();
const date = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d UTC$/;

let alice: Client;
let admin: Client;
let bob: Client;
beforeAll(async () => {
  [alice, admin, bob] = await Promise.all([newAccount(), newAccount({ admin: true }), newAccount()]);
});

describe('a subscription (access 3.1, 3.3)', () => {
  it('is created by its account and its name; the answer is the bare id', async () => {
    const answer = await addSubscription(bob, uniqueName('sub'));
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(`${answer.status} ${answer.text}`).toMatch(/^201 [0-9a-f]{32}$/);
  });

  it('is shown with all its options, filter and rules as JSON texts, and with defaults', async () => {
    const name = uniqueName('sub');
    const rawBody = `{"options": {"filter": {"pattern": "a\u00e9.*", "scope": ["x"], "run": 12345678901234567890},
      "replication_rules": [{"copies": 1, "activity": "Express", "x": [null, true]}], "comments": "c", "lifetime": 1.5,
      "retroactive": false, "priority": 7}}`;
    const { text: id, status } = await root.post(subscriptionPath(bob, name), undefined, { rawBody });
    expect(status).toBe(201);
    const [record] = (await alice.get(subscriptionPath(bob, name))).lines() as [Record<string, string>];
    expect(record).toEqual({
      id,
      name,
      account: bob.account,
      filter: '{"pattern": "a\\u00e9.*", "scope": ["x"], "run": 12345678901234567890}',
      replication_rules: '[{"copies": 1, "activity": "Express", "x": [null, true]}]',
      policyid: 7,
      state: 'ACTIVE',
      lifetime: expect.stringMatching(date),
      last_processed: expect.stringMatching(date),
      expired_at: null,
      comments: 'c',
      retroactive: false,
      created_at: expect.stringMatching(date),
      updated_at: record['created_at'],
    });
    expect(Date.parse(record['lifetime'] ?? '') - Date.parse(record['created_at'] ?? '')).toBe(1.5 * 86_400_000);
  });

  it('that is retroactive is NEW', async () => {
    const name = uniqueName('sub');
    await newSubscription(bob, name, { retroactive: 'true', dry_run: 1 });
    expect((await root.get(subscriptionPath(bob, name))).lines()).toEqual([
      expect.objectContaining({ state: 'NEW', retroactive: true, policyid: 3, lifetime: null, comments: null }),
    ]);
  });

  it('is unique by account and name: 409, whatever the options', async () => {
    const name = uniqueName('sub');
    await newSubscription(bob, name);
    const message = `Subscription '${name}' owned by '${bob.account}' already exists!`;
    expectError(await addSubscription(bob, name, { filter: {} }), 409, 'SubscriptionDuplicate', message);
    const both = uniqueName('sub');
    const answers = await Promise.all([
      addSubscription(bob, both),
      addSubscription(bob, both),
      addSubscription(bob, both),
    ]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
    await newSubscription(alice, name);
  });

  it.each(['a b', 'a#b', 'a%25b', 'rules', 'name', '__proto__', 'z'.repeat(64), 'ä'.repeat(64)])(
    'may be called %s',
    async (name) => {
      const owner = await newAccount();
      const at = subscriptionPath(owner, name);
      const { status, text: id } = await root.post(at, { options: leastOptions });
      expect(status).toBe(201);
      expect(namesIn((await root.get(at)).lines())).toEqual([name]);
      expect(namesIn((await root.get(`/subscriptions/${owner.account}`)).lines())).toEqual([name]);
      expect((await root.get(`/subscriptions/Id/${id}`)).json()).toMatchObject({ name });
      const named = await root.get(`/subscriptions/Name/${encodeURIComponent(name)}`);
      expect(named.lines()).toContainEqual(expect.objectContaining({ id, name }));
    },
  );

  it.each([
    ['root and admins', () => [root, admin]],
    ['nobody else, not even the owner', () => [alice, bob]],
  ])('may be created by %s', async (who, callers) => {
    for (const caller of callers()) {
      const answer = await caller.post(subscriptionPath(bob, uniqueName('sub')), { options: leastOptions });
      if (who.startsWith('root')) expect(answer.status).toBe(201);
      else {
        const message = `Account ${caller.account} can not add subscription. `;
        expectError(answer, 401, 'AccessDenied', message);
      }
    }
    expectError(
      await nobody.post(subscriptionPath(bob, 'x'), { options: leastOptions }),
      401,
      'CannotAuthenticate',
      'Token must be set.',
    );
  });
});

describe('the options of a subscription are checked (access 3.3)', () => {
  it.each<[string, object, string, string | RegExp]>([
    ['a filter of null', { filter: null }, 'InvalidObject', 'filter should be a dict'],
    ['a filter that is a list', { filter: [1] }, 'InvalidObject', 'filter should be a dict'],
    [
      'a scope that is no list',
      { filter: { scope: 'x' } },
      'InvalidObject',
      /^Problem validating subscription_filter: /,
    ],
    [
      'a pattern that is not a text',
      { filter: { pattern: 5 } },
      'InvalidObject',
      /^Problem validating subscription_filter: /,
    ],
    ['no account name', { filter: { account: ['A B'] } }, 'InvalidObject', /^Problem validating subscription_filter: /],
    ['split_rule of 1', { filter: { split_rule: 1 } }, 'InvalidObject', /^Problem validating subscription_filter: /],
    [
      'a long filter',
      { filter: { x: 'x'.repeat(4000) } },
      'InvalidObject',
      /^Problem validating subscription_filter: /,
    ],
    ['no rules', { replication_rules: [] }, 'InvalidObject', 'You must specify a rule'],
    ['rules of null', { replication_rules: null }, 'InvalidObject', 'You must specify a rule'],
    ['rules that are no list', { replication_rules: { a: 1 } }, 'InvalidObject', 'replication_rules should be a list'],
    ['a rule that is no object', { replication_rules: [5] }, 'InvalidObject', /^replication_rules should be a list/],
    [
      'an unknown activity',
      { replication_rules: [{ activity: 'x' }] },
      'InvalidObject',
      /^Problem validating activity: 'x' is not one of \['Data Brokering', .*'Data Challenge'\]$/,
    ],
    [
      'an activity that is not a text',
      { replication_rules: [{ activity: 5 }] },
      'InvalidObject',
      /^Problem validating act/,
    ],
    ['a lifetime that is a text', { lifetime: '5' }, 'InvalidObject', /^lifetime /],
    ['a lifetime beyond all dates', { lifetime: 1e9 }, 'InvalidObject', /^lifetime /],
    ['a priority that is a word', { priority: 'x' }, 'InvalidObject', /^priority /],
    ['a priority of 40,000', { priority: 40_000 }, 'InvalidObject', /^priority /],
    ['comments that are no text', { comments: 5 }, 'InvalidObject', /^comments /],
    ['long comments', { comments: 'c'.repeat(4001) }, 'InvalidObject', /^comments /],
    ['retroactive of x', { retroactive: 'x' }, 'TypeError', "'retroactive' must be a boolean type."],
    ['retroactive of null', { retroactive: null }, 'KeyError', "'retroactive' not defined"],
    ['dry_run of x', { dry_run: 'x' }, 'TypeError', "'dry_run' must be a boolean type."],
  ])('%s is refused', async (_what, options, exception, message) => {
    const name = uniqueName('sub');
    expectError(await addSubscription(bob, name, options), 400, exception, message);
    expectError(await root.get(subscriptionPath(bob, name)), 404, 'SubscriptionNotFound');
  });

  it.each(Object.keys(leastOptions))('%s is required', async (key) => {
    const { [key as keyof typeof leastOptions]: _absent, ...options } = leastOptions;
    expectError(await root.post(subscriptionPath(bob, 'x'), { options }), 400, 'KeyError', `'${key}' not defined`);
  });

  it('options are required and an object', async () => {
    expectError(await root.post(subscriptionPath(bob, 'x'), {}), 400, 'KeyError', "'options' not defined");
    for (const options of [null, 'x', []])
      expectError(await root.post(subscriptionPath(bob, 'x'), { options }), 400, 'KeyError');
    expectError(await root.post(subscriptionPath(bob, 'x'), []), 400, 'TypeError', 'body must be a json dictionary');
    expectError(
      await root.post(subscriptionPath(bob, 'x')),
      400,
      'ValueError',
      'cannot decode json parameter dictionary',
    );
  });

  it.each<[string, object]>([
    ['an empty filter', { filter: {} }],
    ['any further key of a filter', { filter: { transient: ['False'], group: 'x' } }],
    ['a rule without activity', { replication_rules: [{ copies: 1 }] }],
    ['a lifetime of 0, false or a day', { lifetime: 0 }],
    ['a priority of 0', { priority: 0 }],
    ['a priority as text', { priority: '7' }],
  ])('%s is fine', async (_what, options) => {
    const name = uniqueName('sub');
    await newSubscription(bob, name, options);
    // Not to match what other tests make.
    expect((await root.put(subscriptionPath(bob, name), { options: { state: 'I' } })).status).toBe(201);
  });

  it('an unknown owner is 404, a name of more than 64 characters 400', async () => {
    const unknown = uniqueName();
    expectError(
      await root.post(`/subscriptions/${unknown}/x`, { options: leastOptions }),
      404,
      'AccountNotFound',
      `Account with ID '${unknown}' cannot be found`,
    );
    expectError(await root.post('/subscriptions/a%23b/x', { options: leastOptions }), 404, 'AccountNotFound');
    expectError(await addSubscription(bob, 'n'.repeat(65)), 400, 'InvalidObject', /^Problem validating subscription: /);
  });
});
