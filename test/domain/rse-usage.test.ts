import { beforeAll, describe, expect, it } from 'vitest';

import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { rowsOf } from '../../lib/domain/paging/page.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import type { Integer } from '../../lib/integer.ts';
import { toJson } from '../../lib/json.ts';
import { addAccount } from '../../lib/operations/accounts/add-account.ts';
import { setLimitOnRse } from '../../lib/operations/accounts/set-account-limits.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { deleteRse } from '../../lib/operations/rses/delete-rse.ts';
import { getRseSettings } from '../../lib/operations/rses/get-rse.ts';
import { listLiveRses } from '../../lib/operations/rses/list-rses.ts';
import { setRseLimit } from '../../lib/operations/rses/rse-limits.ts';
import { setRseAttribute } from '../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../lib/operations/rses/update-rse.ts';
import { listRseAccountUsage } from '../../lib/operations/rses/usage-by-account.ts';
import { listUsageHistoryOfRse, listUsageOfRse, recordRseUsage } from '../../lib/operations/rses/usage-of-rse.ts';
import { raiseFleetVersion } from '../../lib/store/entities/fleet-version.ts';
import { changeRse, getRse, patchMembers } from '../../lib/store/entities/rse.ts';
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

const asRoot = (now = Date.now()): Context => ({
  store: store.begin(),
  now,
  issuer: { account: 'root', identity: 'ddmlab' },
});
const costOf = async (run: (context: Context) => Promise<unknown>) => (await measure(() => run(asRoot()))).cost;

async function newRse(): Promise<{ id: string; name: string }> {
  const name = uniqueName('rse').toUpperCase();
  await addRse(asRoot(), name, {});
  return { name, id: (await getRseSettings(asRoot(), name)).id };
}

/** Accounts named a000, a001, ... */
async function makeAccounts(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_value, index) => `a${String(index).padStart(3, '0')}`);
  await Promise.all(names.map((account) => addAccount(asRoot(), { account, type: 'USER', email: null })));
  return names;
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

describe('the usage of an RSE by accounts (rses 1.24, 1.27)', () => {
  it('is the usage stored with many accounts, exact beyond 2^53', async () => {
    const accounts = await makeAccounts(120);
    const [rse, other] = [await newRse(), await newRse()];
    const [first = '', second = '', third = ''] = [accounts[0], accounts[110], accounts[60]];
    await use(first, rse.id, 300, 3);
    await use(second, rse.id, 2n ** 53n + 1n, 1);
    await use(third, rse.id, 0, 0);
    await use(first, other.id, 7, 1);
    await setLimitOnRse(asRoot(), { account: second, rse: rse.name, bytes: 2n ** 62n + 1n });

    const lines = await Array.fromAsync(rowsOf(listRseAccountUsage(asRoot(), rse.name)));
    expect(lines.map(({ account }) => account)).toEqual([...accounts, 'root']);
    const line = (account: string) => lines.find((found) => found.account === account);
    expect(line(first)).toMatchObject({ used_bytes: 300, used_files: 3, quota_bytes: null });
    expect(line(second)).toMatchObject({ used_bytes: 2n ** 53n + 1n, used_files: 1, quota_bytes: 2n ** 62n + 1n });

    await recordRseUsage(asRoot(), rse.name, { source: 'rucio', used: 2n ** 53n + 301n, free: 900, files: 4 });
    const shares = async (name: string) => {
      const usages = await Array.fromAsync(
        rowsOf(listUsageOfRse(asRoot(), name, { source: 'rucio', per_account: true })),
      );
      return usages[0]?.account_usages;
    };
    expect(toJson(await shares(rse.name))).toBe(
      `[{"used":9007199254740993,"account":"${second}","percentage":100},{"used":300,"account":"${first}","percentage":0}]`,
    );
    expect(await shares(other.name)).toEqual([{ used: 7, account: first, percentage: 0 }]);
    await recordRseUsage(asRoot(), other.name, { source: 'rucio', used: 7, free: 23, files: 1 });
    expect(await shares(other.name)).toEqual([{ used: 7, account: first, percentage: 23.33 }]);
  });
});

describe('past usage of an RSE (rses 1.26)', () => {
  it('keeps several changes of one millisecond, and orders those of a clock that is behind', async () => {
    const { name } = await newRse();
    const now = Date.now();
    for (const [used, at] of [10, 11, 12].map((value) => [value, value === 12 ? now - 5000 : now] as const)) {
      await recordRseUsage(asRoot(at), name, { source: 'storage', used, free: null, files: null });
    }
    const past = await Array.fromAsync(rowsOf(listUsageHistoryOfRse(asRoot(), name, {})));
    expect(past.map(({ used }) => used)).toEqual([12, 11, 10]);
  });

  it('is in order of time over all sources', async () => {
    const { name } = await newRse();
    const now = Date.UTC(2026, 10, 21);
    for (const [index, source] of ['a', 'c', 'b', 'c', 'a'].entries()) {
      await recordRseUsage(asRoot(now + index * 1000), name, { source, used: index, free: null, files: null });
    }
    const past = await Array.fromAsync(rowsOf(listUsageHistoryOfRse(asRoot(), name, {})));
    expect(past.map(({ source, used }) => `${source}${String(used)}`)).toEqual(['a4', 'c3', 'b2', 'c1', 'a0']);
    expect(past[0]?.updated_at).toBe('Sat, 21 Nov 2026 00:00:04 UTC');
  });
});

describe('a full RSE', () => {
  it('refuses further members with the reason', async () => {
    const { name } = await newRse();
    const key = (index: number) => `${'漢'.repeat(250)}${index}`;
    const value = '漢'.repeat(255);
    const most = Array.from({ length: 264 }, (_value, index) => [key(index), value] as const);
    await store.write(async (latest) => {
      const rse = await getRse(latest, name);
      if (rse === undefined) throw new Error(`there is no RSE ${name}`);
      return [changeRse(rse, patchMembers('attribute', most)), await raiseFleetVersion(latest)];
    });
    const fill = async () => {
      for (let index = most.length; index < 400; index += 1)
        await setRseAttribute(asRoot(), { rse: name, key: key(index), value });
    };
    await expect(fill()).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    await deleteRse(asRoot(), name);
  });
});

describe('cost of RSEs for root', () => {
  // Parallel requests count as one or two round trips, depending on timing; the number of requests is exact.
  it('a change reads the copies of the version, and is a transaction; without a difference no transaction', async () => {
    const { name } = await newRse();
    const change = (context: Context) => setRseAttribute(context, { rse: name, key: 'tier', value: 1 });
    expect(await costOf(change)).toMatchObject({ rru: 43, requests: 4 });
    expect(await costOf(change)).toMatchObject({ rru: 43, wru: 0, requests: 3 });
    const update = (context: Context) => updateRse(context, name, { volatile: true, name: `${name}-2` });
    expect(await costOf(update)).toMatchObject({ rru: 43, requests: 4 });
    const limit = (context: Context) => setRseLimit(context, `${name}-2`, { name: 'MinFreeSpace', value: 1 });
    expect(await costOf(limit)).toMatchObject({ rru: 43, requests: 4 });
  });

  it('disabling closes it by 256 marks, and looks for a file in each shard before and after', async () => {
    const { name } = await newRse();
    const cost = await costOf((context) => deleteRse(context, name));
    expect(cost.requests).toBeLessThanOrEqual(25);
    expect(cost.rru).toBeLessThanOrEqual(25 + 39);
  });

  it('the list of all is one small read while the cached fleet is current', async () => {
    const list = (context: Context) => Array.fromAsync(listLiveRses(context, {}));
    await list(asRoot());
    expect(await costOf(list)).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('usage is one query of the RSE, and its change one transaction', async () => {
    const { name } = await newRse();
    const usage = { source: 'storage', used: 1, free: 2, files: 3 };
    const set = (context: Context) => recordRseUsage(context, name, usage);
    expect(await costOf(set)).toMatchObject({ requests: 3, roundTrips: 3 });
    expect(await costOf(set)).toEqual({ rru: 2, wru: 0, requests: 2, roundTrips: 2 });
    const list = (context: Context) => Array.fromAsync(listUsageOfRse(context, name, { per_account: false }));
    expect(await costOf(list)).toEqual({ rru: 2, wru: 0, requests: 2, roundTrips: 2 });
  });
});
