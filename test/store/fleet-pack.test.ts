import { beforeAll, describe, expect, it } from 'vitest';

import { packChangedFleet } from '../../lib/background/pack-fleet.ts';
import { packCopies } from '../../lib/store/entities/fleet-pack.ts';
import { raiseFleetVersion } from '../../lib/store/entities/fleet-version.ts';
import type * as RseFleet from '../../lib/store/entities/rse-fleet.ts';
import { readFleet } from '../../lib/store/entities/rse-fleet.ts';
import { changeRse, getRse, insertRse, patchMembers } from '../../lib/store/entities/rse.ts';
import type * as Meter from '../../lib/store/items/meter.ts';
import { rseKeys } from '../../lib/store/keys/rse-keys.ts';
import type * as OpenStore from '../../lib/store/open-store.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { rseOf } from '../domain/rse-expression/fleet.ts';
import { newProcess } from '../support/new-process.ts';
import { ownEngine } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';

const size = 400;
const nameOf = (index: number) => `RSE-${String(index).padStart(4, '0')}`;
const large = 2n ** 60n;

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  const plan = Array.from({ length: size }, (_value, index) => {
    const { unsettled: _none, ...rse } = rseOf(nameOf(index), {
      attributes: { site: `a site of some length, number ${index}`, ['__proto__']: 'kept' },
      limits: { MinFreeSpace: large },
    });
    return insertRse(rse, () => new Error('exists already'));
  });
  await store.write(async (latest) => [...plan.flat(), await raiseFleetVersion(latest)]);
});

/** The fleet as a process reads it that has just started, and what that costs. */
async function start() {
  const load = newProcess((await ownEngine()).client);
  const { getFleet } = await load<typeof RseFleet>('lib/store/entities/rse-fleet.ts');
  const { openStore } = await load<typeof OpenStore>('lib/store/open-store.ts');
  const { measure } = await load<typeof Meter>('lib/store/items/meter.ts');
  const other = openStore({ tableName: store.table.name });
  const { result, cost } = await measure(() => getFleet(other.begin().table));
  expect(result.all).toEqual((await readFleet(store.begin().table)).all);
  return cost;
}

const pack = () => packChangedFleet.run({ store: store.begin(), now: Date.now() }, []);

async function change(name: string, value: string): Promise<void> {
  await store.write(async (latest) => {
    const rse = await getRse(latest, name);
    if (rse === undefined) throw new Error(`there is no ${name}`);
    return [changeRse(rse, patchMembers('attribute', [['marked', value]])), await raiseFleetVersion(latest)];
  });
}

describe('a process that starts', () => {
  it('reads the packed fleet and what changed since, in one more trip at most', async () => {
    const whole = await start();
    await pack();
    const packed = await start();
    expect(packed.rru).toBeLessThan(whole.rru / 4);
    expect(packed.roundTrips).toBeLessThanOrEqual(whole.roundTrips);
    for (let count = 0; count < 5; count += 1) await change(nameOf(count), 'since');
    const later = await start();
    expect(later.rru).toBe(packed.rru + 5);
    expect(later.roundTrips).toBe(packed.roundTrips + 1);
  });

  it('reads the whole fleet where the pack is too old, until it is made anew', async () => {
    for (let count = 0; count < 30; count += 1) await change(nameOf(count), `more ${count}`);
    const old = await start();
    await pack();
    const anew = await start();
    expect(anew.rru).toBeLessThan(old.rru / 4);
  });
});

describe('the packed fleet', () => {
  it('is in all its copies, and left alone while it is of use', async () => {
    const copies = async () => {
      const keys = Array.from({ length: packCopies }, (_none, slot) => rseKeys.fleetPack(slot));
      return (await store.begin().table.getMany(keys)).map(({ version }) => Number(version));
    };
    const before = await copies();
    expect(before).toHaveLength(packCopies);
    await change(nameOf(7), 'once');
    await pack();
    expect(await copies()).toEqual(before);
    for (let count = 0; count < 12; count += 1) await change(nameOf(count), 'often');
    await pack();
    expect(Math.min(...(await copies()))).toBeGreaterThan(Math.max(...before));
  });

  it('is not made of a small fleet', async () => {
    const small = await newTestStore();
    const { unsettled: _none, ...rse } = rseOf('SMALL', {});
    await small.write(async (latest) => [
      ...insertRse(rse, () => new Error('exists already')),
      await raiseFleetVersion(latest),
    ]);
    await packChangedFleet.run({ store: small.begin(), now: Date.now() }, []);
    expect(await small.begin().table.get(rseKeys.fleetPack(0))).toBeUndefined();
  });
});
