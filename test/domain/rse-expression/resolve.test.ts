import { beforeAll, describe, expect, it } from 'vitest';

import type * as Resolve from '../../../lib/domain/rse-expression/resolve-expression.ts';
import { resolveExpression, resolveIfPossible } from '../../../lib/domain/rse-expression/resolve-expression.ts';
import { raiseFleetVersion } from '../../../lib/store/entities/fleet-version.ts';
import { changeRse, getRse, insertRse, patchMembers } from '../../../lib/store/entities/rse.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type * as OpenStore from '../../../lib/store/open-store.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { newProcess } from '../../support/new-process.ts';
import { ownEngine } from '../../support/run.ts';
import { newTestStore } from '../../support/store.ts';
import { rseOf } from './fleet.ts';

const size = 1000;

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  const plan = Array.from({ length: size }, (_value, index) => {
    const attributes = { tier: String(index % 3), country: index % 2 === 0 ? 'NO' : 'SE' };
    const { unsettled: _none, ...rse } = rseOf(`RSE-${String(index).padStart(4, '0')}`, { attributes });
    return insertRse(rse, () => new Error('exists already'));
  });
  await store.write(async (latest) => [...plan.flat(), await raiseFleetVersion(latest)]);
});

const resolve = async (expression: string, by = store) =>
  (await resolveExpression(by.begin().table, expression)).map(({ rse }) => rse);

async function setAttribute(by: Store, name: string, key: string, value: string | boolean): Promise<void> {
  await by.write(async (latest) => {
    const rse = await getRse(latest, name);
    if (rse === undefined) throw new Error(`there is no RSE ${name}`);
    return [changeRse(rse, patchMembers('attribute', [[key, value]])), await raiseFleetVersion(latest)];
  });
}

describe('an RSE expression over 1,000 RSEs', () => {
  it('costs a check of the version while the cached fleet is current', async () => {
    expect(await resolve('*')).toHaveLength(size);
    const { result, cost } = await measure(() => resolve('tier=1&country=NO'));
    expect(result).toHaveLength(166);
    expect(result.slice(0, 2)).toEqual(['RSE-0004', 'RSE-0010']);
    expect(cost).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('costs nothing when it is malformed', async () => {
    const { cost } = await measure(async () => {
      await expect(resolve('tier=1&')).rejects.toMatchObject({ name: 'InvalidRSEExpression' });
    });
    expect(cost.requests).toBe(0);
  });

  it('costs one check for many in one request', async () => {
    await resolve('*');
    const { table } = store.begin();
    const expressions = ['tier=1', 'country=NO', 'RSE-0001', 'NOPE'];
    const { cost } = await measure(() => Promise.all(expressions.map((text) => resolveIfPossible(table, text))));
    expect(cost).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('is empty when it cannot be evaluated but is shown anyway', async () => {
    for (const expression of ['((', 'NOPE', 'rse_type=disk', 'volatile=maybe']) {
      expect(await resolveIfPossible(store.begin().table, expression)).toEqual([]);
    }
  });

  it('is an error, not empty, when the table cannot be read', async () => {
    const { table } = openStore({ tableName: 'NoSuchTable' }).begin();
    await expect(resolveIfPossible(table, '*')).rejects.toMatchObject({ name: 'DatabaseException' });
  });
});

describe('an RSE expression after a change', () => {
  it('is current at once, in the process that made the change and in another one', async () => {
    const load = newProcess((await ownEngine()).client);
    const there = await load<typeof Resolve>('lib/domain/rse-expression/resolve-expression.ts');
    const { openStore: openOther } = await load<typeof OpenStore>('lib/store/open-store.ts');
    expect(there.resolveExpression).not.toBe(resolveExpression);
    const other = openOther({ tableName: store.table.name });
    const resolveThere = async (expression: string) =>
      (await there.resolveIfPossible(other.begin().table, expression)).map(({ rse }) => rse);

    expect(await resolveThere('marked')).toEqual([]);
    await expect(resolve('marked')).rejects.toMatchObject({ message: 'RSE Expression resulted in an empty set.' });
    await setAttribute(store, 'RSE-0007', 'marked', true);
    expect(await resolveThere('marked')).toEqual(['RSE-0007']);
    expect(await resolve('marked')).toEqual(['RSE-0007']);
    await setAttribute(other, 'RSE-0007', 'marked', 'no');
    await setAttribute(other, 'RSE-0003', 'marked', true);
    expect(await resolve('marked')).toEqual(['RSE-0003']);
    const { cost } = await measure(() => resolve('marked'));
    expect(cost.requests).toBe(1);
  });

  it('has a cache per table', async () => {
    const empty = await newTestStore();
    await expect(resolve('*', empty)).rejects.toMatchObject({ name: 'InvalidRSEExpression' });
    const { client } = await ownEngine();
    const again = openStore({ ...client, tableName: store.table.name });
    expect(await resolve('*', again)).toHaveLength(size);
  });
});
