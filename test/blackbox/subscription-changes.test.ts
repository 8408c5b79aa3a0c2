import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, type Client, expectCreated, expectError, newAccount, nobody, uniqueName } from '../support/server.ts';
import { newSubscription, subscriptionPath } from '../support/subscriptions.ts';

const root = asRoot();

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

/** The path of a new subscription of alice. */
async function made(options: object = {}): Promise<string> {
  const name = uniqueName('sub');
  await newSubscription(alice, name, options);
  return subscriptionPath(alice, name);
}

async function shown(path: string): Promise<Record<string, unknown>> {
  const [record] = (await alice.get(path)).lines();
  return record as Record<string, unknown>;
}

const change = (path: string, options: object, caller = root) => caller.put(path, { options });

describe('a subscription that is changed (access 3.4)', () => {
  it('gets the named options and keeps the rest', async () => {
    // With a scope, since the retroactive one would otherwise walk through the data of all tests.
    const [filter, shownFilter] = [{ pattern: 'new', scope: ['data'] }, '{"pattern": "new", "scope": ["data"]}'];
    const path = await made({ comments: 'before', priority: 5 });
    const before = await shown(path);
    expectCreated(await change(path, { filter, replication_rules: [{ activity: 'Express' }] }));
    expect(await shown(path)).toEqual({
      ...before,
      filter: shownFilter,
      replication_rules: '[{"activity": "Express"}]',
      state: 'UPDATED',
      updated_at: expect.any(String),
    });
    expectCreated(await change(path, { comments: 'after', priority: '6', retroactive: true }));
    expect(await shown(path)).toMatchObject({
      comments: 'after',
      policyid: 6,
      retroactive: true,
      filter: shownFilter,
    });
  });

  it('is UPDATED even by an empty change, and INACTIVE by the letter I, with the time', async () => {
    const path = await made();
    expectCreated(await change(path, {}));
    expect(await shown(path)).toMatchObject({ state: 'UPDATED', expired_at: null });
    expectCreated(await change(path, { state: 'I' }));
    const inactive = await shown(path);
    expect(inactive).toMatchObject({ state: 'INACTIVE', expired_at: inactive['updated_at'] });
    for (const state of ['A', 'N', 'U', 'B', null]) {
      expectCreated(await change(path, { state }));
      expect(await shown(path)).toMatchObject({ state: 'UPDATED', expired_at: inactive['expired_at'] });
    }
  });

  it.each(['', 0, false, null, [], {}])('keeps an option whose new value is %j', async (nothing) => {
    const path = await made({ comments: 'c', lifetime: 5, retroactive: true, priority: 5 });
    const before = await shown(path);
    const [filter, replication_rules] = [nothing, nothing];
    const [comments, lifetime, retroactive, priority] = [nothing, nothing, nothing, nothing];
    expectCreated(await change(path, { filter, replication_rules, comments, lifetime, retroactive, priority }));
    const dates = { updated_at: expect.any(String), last_processed: expect.any(String) };
    expect(await shown(path)).toEqual({ ...before, ...dates, state: 'UPDATED' });
  });

  it.each<[unknown, number]>([
    [2, 2],
    ['2', 2],
    [' 0.5 ', 0.5],
    [true, 1],
    [-3, -3],
  ])('a lifetime of %j ends that many days from now', async (lifetime, days) => {
    const path = await made();
    // Dates have no fractions of a second. `updated_at` changes again when a subscription ends that is over already.
    const earliest = Math.floor(Date.now() / 1_000) * 1_000;
    expectCreated(await change(path, { lifetime }));
    const { lifetime: end } = (await shown(path)) as Record<string, string>;
    const changedAt = Date.parse(end ?? '') - days * 86_400_000;
    expect(changedAt).toBeGreaterThanOrEqual(earliest);
    expect(changedAt).toBeLessThanOrEqual(Date.now());
  });

  it('ignores other keys, dry_run too', async () => {
    const path = await made();
    const before = await shown(path);
    expectCreated(await change(path, { dry_run: 'x', name: 'other', account: 'root', id: '1', created_at: 0 }));
    const dates = { updated_at: expect.any(String), last_processed: expect.any(String) };
    expect(await shown(path)).toEqual({ ...before, ...dates, state: 'UPDATED' });
  });

  it.each<[object, string | RegExp]>([
    [{ state: 'X' }, 'Invalid subscription state: X'],
    [{ state: '' }, 'Invalid subscription state: '],
    [{ state: 'INACTIVE' }, 'Invalid subscription state: INACTIVE'],
    [{ state: 5 }, 'Invalid subscription state: 5'],
    [{ filter: 'x' }, 'filter should be a dict'],
    [{ filter: { account: ['A B'] } }, /^Problem validating subscription_filter: 'A B' does not match/],
    [{ filter: { pattern: 'x'.repeat(4000) } }, /^Problem validating subscription_filter: /],
    [{ replication_rules: 'x' }, 'replication_rules should be a list'],
    [{ replication_rules: [5] }, /^replication_rules should be a list/],
    [{ replication_rules: [{ activity: 'x' }] }, /^Problem validating activity: 'x' is not one of /],
    [{ replication_rules: [{ x: 'x'.repeat(4000) }] }, /^Problem validating subscription_replication_rules: /],
    [{ lifetime: 'x' }, /^lifetime is no number of days: "x"/],
    [{ lifetime: [1] }, /^lifetime is no number of days/],
    [{ lifetime: 1e9 }, /^lifetime is no number of days/],
    [{ priority: 'x' }, /^priority is no number/],
    [{ priority: 40_000 }, /^priority is no number/],
    [{ comments: 5 }, /^comments should be a text/],
  ])('refuses %j', async (options, message) => {
    const path = await made();
    const before = await shown(path);
    expectError(await change(path, { comments: 'new', ...options }), 400, 'InvalidObject', message);
    expect(await shown(path)).toEqual(before);
  });

  it('refuses invalid booleans, and bodies without options', async () => {
    const path = await made();
    const message = "'retroactive' must be a boolean type.";
    expectError(await change(path, { retroactive: 'x' }), 400, 'TypeError', message);
    expectError(await root.put(path, {}), 400, 'KeyError', "'options' not defined");
    for (const options of [null, 'x', []]) expectError(await root.put(path, { options }), 400, 'InvalidObject');
    expectError(await root.put(path, []), 400, 'TypeError', 'body must be a json dictionary');
    expectError(await root.put(path), 400, 'ValueError', 'cannot decode json parameter dictionary');
  });

  it('must exist: 404 after all other checks', async () => {
    const name = uniqueName('none');
    const path = subscriptionPath(alice, name);
    const message = `Subscription for account '${alice.account}' named '${name}' not found`;
    expectError(await change(path, {}), 404, 'SubscriptionNotFound', message);
    expectError(await change(path, { state: 'X' }), 400, 'InvalidObject');
    expectError(await change(path, {}, alice), 401, 'AccessDenied');
    for (const strange of ['a%23b/x', `${alice.account}/${'x'.repeat(2000)}`, `${alice.account}*/x`, '__proto__/x']) {
      expectError(await change(`/subscriptions/${strange}`, {}), 404, 'SubscriptionNotFound');
    }
    expectError(await alice.get(path), 404, 'SubscriptionNotFound');
  });

  it('may be changed by root and admins, not by its owner', async () => {
    const path = await made();
    expectCreated(await change(path, {}, admin));
    const message = `Account ${alice.account} can not update subscription. `;
    expectError(await change(path, { state: 'I' }, alice), 401, 'AccessDenied', message);
    expectError(await nobody.put(path, { options: {} }), 401, 'CannotAuthenticate');
    expect(await shown(path)).toMatchObject({ state: 'UPDATED' });
  });
});
