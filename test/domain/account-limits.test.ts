import { beforeAll, describe, expect, it } from 'vitest';

import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { type Placed, rowsOf } from '../../lib/domain/paging/page.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { newId } from '../../lib/domain/values/ids.ts';
import type { Integer } from '../../lib/integer.ts';
import { unlimited } from '../../lib/json.ts';
import { addAccountAttribute } from '../../lib/operations/accounts/account-attributes.ts';
import { addAccount } from '../../lib/operations/accounts/add-account.ts';
import { listLimitsOnRses } from '../../lib/operations/accounts/list-account-limits.ts';
import {
  deleteLimitOnExpression,
  deleteLimitOnRse,
  setLimitOnExpression,
  setLimitOnRse,
} from '../../lib/operations/accounts/set-account-limits.ts';
import {
  getUsageOnExpression,
  getUsageOnRse,
  getUsageHistory,
  listUsageOnExpressions,
  listUsageOnRses,
} from '../../lib/operations/accounts/usage-of-account.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { raiseFleetVersion } from '../../lib/store/entities/fleet-version.ts';
import { insertRse } from '../../lib/store/entities/rse.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { accountKeys } from '../../lib/store/keys/account-keys.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { uniqueName } from '../support/server.ts';
import { newTestStore } from '../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
});

const as = (account: string): Context => ({
  store: store.begin(),
  now: Date.now(),
  issuer: { account, identity: account },
});

async function newAccount(attributes: Record<string, string> = {}): Promise<string> {
  const account = uniqueName();
  await addAccount(as('root'), { account, type: 'USER', email: null });
  for (const [key, value] of Object.entries(attributes)) await addAccountAttribute(as('root'), { account, key, value });
  return account;
}

async function newRse(attributes: Record<string, string | boolean> = {}): Promise<{ id: string; name: string }> {
  const [id, name] = [newId(), uniqueName('rse').toUpperCase()];
  const flags = { deterministic: true, volatile: false, stagingArea: false };
  const availability = { availabilityRead: true, availabilityWrite: true, availabilityDelete: true };
  const rse = {
    ...flags,
    ...availability,
    id,
    rse: name,
    rseType: 'DISK',
    location: {},
    attributes: { [name]: true, ...attributes },
    protocols: [],
    limits: {},
    qosPolicies: [],
    createdAt: 1,
    updatedAt: 1,
  };
  await store.write(async (latest) => [
    ...insertRse(rse, () => new Error('exists already')),
    await raiseFleetVersion(latest),
  ]);
  return { id, name };
}

/** Adds usage of an account on an RSE, as rules do. */
const use = (account: string, rseId: string, bytes: Integer, files: Integer) =>
  store.write(async () => [
    {
      kind: 'insert',
      item: { ...accountKeys.usage(account, rseId), bytes, files },
      onExists: () => new Error('exists already'),
    },
  ]);

const list = <T>(rows: AsyncGenerator<Placed<T>>) => Array.fromAsync(rowsOf(rows));

describe('account usage (access 2.4)', () => {
  it('has a line for each RSE with usage or a limit; the remaining bytes can be negative', async () => {
    const account = await newAccount();
    const [used, over, free, unused] = [await newRse(), await newRse(), await newRse(), await newRse()];
    await use(account, used.id, 70, 7);
    await use(account, over.id, 30, 3);
    await use(account, unused.id, 0, 0);
    await setLimitOnRse(as('root'), { account, rse: used.name, bytes: 100 });
    await setLimitOnRse(as('root'), { account, rse: free.name, bytes: -1 });
    const line = (rse: { id: string; name: string }, bytes: number, files: number) => ({
      rse_id: rse.id,
      rse: rse.name,
      bytes,
      files,
    });
    const expected = [
      { ...line(used, 70, 7), bytes_limit: 100, bytes_remaining: 30 },
      { ...line(over, 30, 3), bytes_limit: 0, bytes_remaining: -30 },
      { ...line(free, 0, 0), bytes_limit: unlimited, bytes_remaining: unlimited },
    ];
    expect(await list(listUsageOnRses(as(account), account))).toEqual(
      expected.toSorted((a, b) => (a.rse < b.rse ? -1 : 1)),
    );
    const one = (rse: string) => list(getUsageOnRse(as(account), { account, rse }));
    expect(await one(used.name)).toEqual(expected.slice(0, 1));
    expect(await one(over.name)).toEqual(expected.slice(1, 2));
    expect(await one(unused.name)).toEqual([]);
  });

  it('sums are exact beyond 2^53', async () => {
    const account = await newAccount();
    const rse = await newRse();
    const huge = 2n ** 62n;
    await use(account, rse.id, huge + 1n, 1);
    await setLimitOnRse(as('root'), { account, rse: rse.name, bytes: huge });
    await setLimitOnExpression(as('root'), { account, expression: '*', bytes: huge * 2n - 1n });
    expect(await list(listUsageOnRses(as(account), account))).toMatchObject([{ bytes_remaining: -1 }]);
    expect(await list(listUsageOnExpressions(as(account), account))).toMatchObject([{ bytes_remaining: huge - 2n }]);
  });

  it('on an expression is the sum over its RSEs', async () => {
    const account = await newAccount();
    const [first, second] = [await newRse(), await newRse()];
    await use(account, first.id, 5, 1);
    await use(account, second.id, 7, 2);
    await setLimitOnExpression(as('root'), { account, expression: '*', bytes: 100 });
    await setLimitOnExpression(as('root'), { account, expression: first.name, bytes: -1 });
    const all = { rse_expression: '*', bytes: 12, files: 3, bytes_limit: 100, bytes_remaining: 88 };
    const some = { rse_expression: first.name, bytes: 5, files: 1 };
    expect(await list(listUsageOnExpressions(as(account), account))).toEqual([
      all,
      { ...some, bytes_limit: unlimited, bytes_remaining: unlimited },
    ]);
    const other = await list(getUsageOnExpression(as(account), { account, expression: second.name }));
    expect(other).toEqual([{ rse_expression: second.name, bytes: 7, files: 2, bytes_limit: 0, bytes_remaining: -7 }]);
  });

  it('its history is in order of time, with dates without a zone', async () => {
    const account = await newAccount();
    const [rse, other] = [await newRse(), await newRse()];
    const days = [22, 9, 21].map((day) => ({ day, at: Date.UTC(2026, 10, day, 12, 24, 32) }));
    await store.write(async () =>
      days.map(({ day, at }) => ({
        kind: 'insert',
        item: { ...accountKeys.usageAt(account, rse.id, at), bytes: day, files: 1 },
        onExists: () => new Error('exists already'),
      })),
    );
    await use(account, rse.id, 1, 1);
    expect(await list(getUsageHistory(as(account), { account, rse: rse.name }))).toEqual([
      { bytes: 9, files: 1, updated_at: '2026-11-09T12:24:32' },
      { bytes: 21, files: 1, updated_at: '2026-11-21T12:24:32' },
      { bytes: 22, files: 1, updated_at: '2026-11-22T12:24:32' },
    ]);
    expect(await list(getUsageHistory(as(account), { account, rse: other.name }))).toEqual([]);
  });
});

describe('the administrator of a country (access 5.3)', () => {
  const denied = { name: 'AccessDenied' };

  it('sets and deletes limits of all accounts on the RSEs of the country only', async () => {
    const account = await newAccount();
    const admin = await newAccount({ 'country-NO': 'admin', 'country-SE': 'admin', 'country-DE': 'user' });
    const home = await Promise.all([newRse({ country: 'NO' }), newRse({ country: 'SE' })]);
    const abroad = await Promise.all([newRse({ country: 'DE' }), newRse({ country: true }), newRse()]);
    for (const { name: rse } of home) {
      await setLimitOnRse(as(admin), { account, rse, bytes: 1 });
      await deleteLimitOnRse(as(admin), { account, rse });
      await setLimitOnExpression(as(admin), { account, expression: rse, bytes: 1 });
      await deleteLimitOnExpression(as(admin), { account, expression: rse });
    }
    for (const { name: rse } of abroad) {
      await expect(setLimitOnRse(as(admin), { account, rse, bytes: 1 })).rejects.toMatchObject(denied);
      await expect(deleteLimitOnRse(as(admin), { account, rse })).rejects.toMatchObject(denied);
      await expect(setLimitOnExpression(as(admin), { account, expression: rse, bytes: 1 })).rejects.toMatchObject(
        denied,
      );
      await expect(deleteLimitOnExpression(as(admin), { account, expression: rse })).rejects.toMatchObject(denied);
    }
  });

  it('may limit an expression only if it has at least one RSE, and all are in the country', async () => {
    const account = await newAccount();
    const admin = await newAccount({ 'country-NO': 'admin' });
    await newRse({ country: 'NO' });
    for (const expression of ['*', 'NO-SUCH-RSE', '((', 'rse_type=disk', 'country=NO|country=DE']) {
      await expect(setLimitOnExpression(as(admin), { account, expression, bytes: 1 })).rejects.toMatchObject(denied);
    }
    await setLimitOnExpression(as(admin), { account, expression: 'country=NO', bytes: 1 });
  });
});

describe('cost of account limits', () => {
  const costOf = async (run: () => Promise<unknown>) => (await measure(run)).cost;

  it('grows with the limits of the account, not with the number of RSEs', async () => {
    const account = await newAccount();
    const rse = await newRse();
    const set = () => setLimitOnRse(as('root'), { account, rse: rse.name, bytes: 1 });
    expect(await costOf(set)).toMatchObject({ rru: 4, wru: 4 });
    expect(await costOf(set)).toMatchObject({ rru: 4, wru: 4 });
    await listLimitsOnRses(as('root'), account);
    const before = await costOf(() => listLimitsOnRses(as('root'), account));
    for (let n = 0; n < 5; n += 1) await addRse(as('root'), uniqueName('rse').toUpperCase(), {});
    await listLimitsOnRses(as('root'), account);
    expect(await costOf(() => listLimitsOnRses(as('root'), account))).toEqual(before);
    expect(before).toMatchObject({ rru: 3, wru: 0, requests: 3, roundTrips: 2 });
  });
});
