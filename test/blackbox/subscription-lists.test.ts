import { beforeAll, describe, expect, it } from 'vitest';

import { newFile, newRule, newRuleSetup } from '../support/rules.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';
import { leastOptions, namesIn, newSubscription, subscriptionPath } from '../support/subscriptions.ts';
import { walk } from '../support/walk.ts';

const root = asRoot();

let alice: Client;
let bob: Client;
beforeAll(async () => {
  [alice, bob] = await Promise.all([newAccount(), newAccount()]);
});

describe('lists of subscriptions (access 3.2)', () => {
  it('all, by account, by account and name, by name, by id; both spellings are the same', async () => {
    const owner = await newAccount();
    const [one, two] = [uniqueName('one'), uniqueName('two')];
    const [id] = [
      await newSubscription(owner, one),
      await newSubscription(owner, two),
      await newSubscription(alice, one),
    ];
    const ofOwner = (rows: readonly unknown[]) =>
      (rows as { account: string }[]).filter(({ account }) => account === owner.account);
    const all = ofOwner((await bob.get('/subscriptions/')).lines());
    expect(all).toEqual(ofOwner((await bob.get('/subscriptions')).lines()));
    expect(namesIn(all)).toEqual([one, two].toSorted());
    expect(namesIn((await bob.get(`/subscriptions/${owner.account}`)).lines())).toEqual([one, two].toSorted());
    const [record] = (await bob.get(`/subscriptions/${owner.account}/${one}`)).lines();
    expect(record).toMatchObject({ id, name: one, account: owner.account });
    for (const literal of ['Name', 'name']) {
      const found = (await bob.get(`/subscriptions/${literal}/${one}`)).lines() as { account: string }[];
      expect(found.map(({ account }) => account)).toEqual([owner.account, alice.account].toSorted());
    }
    for (const literal of ['Id', 'id']) {
      const hyphened = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
      for (const spelling of [id, hyphened]) {
        const answer = await bob.get(`/subscriptions/${literal}/${spelling}`);
        expect(answer.headers.get('Content-Type')).toBe('application/json');
        expect(answer.json()).toEqual(record);
      }
    }
  });

  it('`*` in the account stands for any text', async () => {
    const owner = await newAccount();
    const name = uniqueName('sub');
    const id = await newSubscription(owner, name);
    const [head, tail] = [owner.account.slice(0, -4), owner.account.slice(-4)];
    for (const account of [`${head}*`, `*${tail}`, `${head.slice(0, 4)}*${tail}`, `${owner.account}*`]) {
      for (const wanted of [`/subscriptions/${account}`, `/subscriptions/${account}/${name}`]) {
        expect((await root.get(wanted)).lines()).toContainEqual(expect.objectContaining({ id }));
      }
    }
    expectError(await root.get(`/subscriptions/${head}*x`), 404, 'SubscriptionNotFound');
  });

  it('no match is 404 and names the filter', async () => {
    const unknown = uniqueName('none');
    const message = (account: string, name: string) =>
      `Subscription for account '${account}' named '${name}' not found`;
    for (const [wanted, account, name] of [
      [unknown, unknown, 'None'],
      [`${bob.account}/${unknown}`, bob.account, unknown],
      [`Name/${unknown}`, '*', unknown],
      [`name/${unknown}`, '*', unknown],
      [`${unknown}*`, `${unknown}*`, 'None'],
      [`${unknown}*/x`, `${unknown}*`, 'x'],
      ['a%23b', 'a#b', 'None'],
      ['__proto__', '__proto__', 'None'],
      [`${bob.account}/constructor`, bob.account, 'constructor'],
    ] as const) {
      const answer = await bob.get(`/subscriptions/${wanted}`);
      expectError(answer, 404, 'SubscriptionNotFound', message(account, name));
    }
    for (const id of ['0'.repeat(32), 'nope', '{0}', 'x'.repeat(2000)]) {
      const answer = await bob.get(`/subscriptions/Id/${id}`);
      expectError(answer, 404, 'SubscriptionNotFound', `No subscription with the id ${id} found`);
    }
  });

  it('lists come in pages', async () => {
    const owner = await newAccount();
    const names = ['a', 'b b', 'c#', 'd', 'e'];
    for (const name of names) await root.post(subscriptionPath(owner, name), { options: leastOptions });
    const list = `/subscriptions/${owner.account}`;
    const whole = (await root.get(list)).lines();
    expect(namesIn(whole)).toEqual(names);
    expect((await walk(root, list, 2)).flat()).toEqual(whole);
    const shared = uniqueName('page');
    for (const each of [owner, alice, bob]) await newSubscription(each, shared);
    for (const wanted of [`Name/${shared}`, `*/${shared}`]) {
      const rows = (await root.get(`/subscriptions/${wanted}`)).lines();
      expect(rows).toHaveLength(3);
      expect((await walk(root, `/subscriptions/${wanted}`, 1)).flat()).toEqual(rows);
    }
  });

  it('DELETE, and POST to an account, are 405', async () => {
    const name = uniqueName('sub');
    await newSubscription(bob, name);
    expectError(await root.delete(subscriptionPath(bob, name)), 405, 'MethodNotAllowed');
    expectError(await root.post(`/subscriptions/${bob.account}`, {}), 405, 'MethodNotAllowed');
  });

  it('the literals accept what they answer', async () => {
    const json = { headers: { Accept: 'application/json' } };
    for (const wanted of [
      '/subscriptions',
      subscriptionPath(bob, 'x'),
      `${subscriptionPath(bob, 'x')}/Rules`,
      `${subscriptionPath(bob, 'x')}/Rules/States`,
    ]) {
      expectError(await root.get(wanted, json), 406, 'UnsupportedRequestedContentType');
    }
    const stream = { headers: { Accept: 'application/x-json-stream' } };
    expectError(await root.get('/subscriptions/Id/x', stream), 406, 'UnsupportedRequestedContentType');
    expectError(await nobody.get('/subscriptions'), 401, 'CannotAuthenticate');
  });

  it('a rule with the id of one counts at once in all forms of its states', async () => {
    const { scope, one } = await newRuleSetup();
    const owner = await newAccount();
    const name = uniqueName('sub');
    const id = await newSubscription(owner, name);
    await newRule(await newFile(scope, one), one, { subscription_id: id });
    const row = { account: owner.account, name, state: 'OK', count: 1 };
    for (const path of [`/subscriptions/${owner.account}/${name}`, `/subscriptions/${owner.account}`]) {
      for (const spelling of ['rules/states', 'Rules/States']) {
        const plain = spelling === 'rules/states' ? Object.values(row) : row;
        expect((await root.get(`${path}/${spelling}`)).lines()).toEqual([plain]);
        const detailed = (await root.get(`${path}/${spelling}?include_details=true`)).lines();
        expect(detailed).toEqual([expect.objectContaining({ ...row, subscription_state: 'ACTIVE' })]);
      }
    }
  });

  it('a suspended account keeps them', async () => {
    const owner = await newAccount();
    const name = uniqueName('sub');
    await newSubscription(owner, name);
    expectEmpty(await root.put(`/accounts/${owner.account}`, { status: 'SUSPENDED' }));
    expect(namesIn((await root.get(`/subscriptions/${owner.account}`)).lines())).toEqual([name]);
    expectCreated(await root.put(subscriptionPath(owner, name), { options: {} }));
  });
});
