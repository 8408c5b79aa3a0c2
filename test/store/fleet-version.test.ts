import { beforeAll, describe, expect, it } from 'vitest';

import { raiseFleetVersion } from '../../lib/store/entities/fleet-version.ts';
import type * as RseFleet from '../../lib/store/entities/rse-fleet.ts';
import { getFleet } from '../../lib/store/entities/rse-fleet.ts';
import { changeRse, getRse, insertRse, patchMembers, type Rse } from '../../lib/store/entities/rse.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { rseKeys } from '../../lib/store/keys/rse-keys.ts';
import type * as OpenStore from '../../lib/store/open-store.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { rseOf } from '../domain/rse-expression/fleet.ts';
import { newProcess } from '../support/new-process.ts';
import { ownEngine } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';

const size = 300;
const nameOf = (index: number) => `RSE-${String(index).padStart(4, '0')}`;

interface Process {
  readonly store: Store;
  readonly fleet: () => Promise<readonly Rse[]>;
}

const newStore = async (): Promise<Store> => {
  const store = await newTestStore();
  const plan = Array.from({ length: size }, (_value, index) => {
    const { unsettled: _none, ...rse } = rseOf(nameOf(index), { attributes: { tier: '1' } });
    return insertRse(rse, () => new Error('exists already'));
  });
  await store.write(async (latest) => [...plan.flat(), await raiseFleetVersion(latest)]);
  return store;
};

async function otherProcess(name: string): Promise<Process> {
  const load = newProcess((await ownEngine()).client);
  const there = await load<typeof RseFleet>('lib/store/entities/rse-fleet.ts');
  const { openStore } = await load<typeof OpenStore>('lib/store/open-store.ts');
  const store = openStore({ tableName: name });
  return { store, fleet: async () => (await there.getFleet(store.begin().table)).all };
}

async function setAttributes(by: Store, names: readonly string[], value: string): Promise<void> {
  await by.write(async (latest) => {
    const rses = await Promise.all(names.map((name) => getRse(latest, name)));
    const changes = rses.flatMap((rse) =>
      rse === undefined ? [] : [changeRse(rse, patchMembers('attribute', [['marked', value]]))],
    );
    return [...changes, await raiseFleetVersion(latest)];
  });
}

const markOf = (rses: readonly Rse[], name: string) => rses.find(({ rse }) => rse === name)?.attributes['marked'];

let store: Store;
let processes: readonly Process[];
beforeAll(async () => {
  store = await newStore();
  const here = { store, fleet: async () => (await getFleet(store.begin().table)).all };
  processes = [here, await otherProcess(store.table.name), await otherProcess(store.table.name)];
});

describe('a change of RSEs', () => {
  it('is told by each copy of the version when it is answered', async () => {
    await setAttributes(store, [nameOf(1)], 'told');
    const copies = Array.from({ length: 40 }, (_none, slot) => rseKeys.fleetCopy(slot));
    const items = await store.begin().table.getMany(copies);
    expect(items).toHaveLength(40);
    expect(new Set(items.map(({ version }) => version)).size).toBe(1);
  });

  it('makes copies equal that differ or are missing, as after a restore, and every process sees what changed', async () => {
    for (const { fleet } of processes) await fleet();
    await store.write(async () => [
      { kind: 'change', key: rseKeys.fleetCopy(17), patch: { set: { version: 1 } }, onMismatch: () => new Error() },
      { kind: 'change', key: rseKeys.fleetCopy(5), patch: { delete: true }, onMismatch: () => new Error() },
    ]);
    await setAttributes(store, [nameOf(3)], 'repaired');
    const copies = Array.from({ length: 40 }, (_none, slot) => rseKeys.fleetCopy(slot));
    const items = await store.begin().table.getMany(copies);
    expect(items).toHaveLength(40);
    expect(new Set(items.map(({ version }) => version)).size).toBe(1);
    for (const { fleet } of processes) expect(markOf(await fleet(), nameOf(3))).toBe('repaired');
  });

  it('is seen by all processes at once, whoever makes it', async () => {
    for (let round = 0; round < 30; round += 1) {
      const by = processes[round % 3] as Process;
      const name = nameOf((round * 7) % 20);
      await setAttributes(by.store, [name], String(round));
      const seen = await Promise.all(processes.map(async ({ fleet }) => markOf(await fleet(), name)));
      expect(seen).toEqual(Array.from(processes, () => String(round)));
    }
  });

  it('costs another process the RSEs that changed, not the fleet', async () => {
    const [, other] = processes as [Process, Process];
    await getFleet(store.begin().table);
    for (let count = 0; count < 5; count += 1) await setAttributes(other.store, [nameOf(count)], 'more');
    const { result, cost } = await measure(() => getFleet(store.begin().table));
    expect(cost).toEqual({ rru: 6, wru: 0, requests: 2, roundTrips: 2 });
    expect(result.all.filter(({ attributes }) => attributes['marked'] === 'more')).toHaveLength(5);
  });

  it('is complete for a process that missed more changes than a copy names', async () => {
    const [, other] = processes as [Process, Process];
    await other.fleet();
    for (let count = 0; count < 25; count += 1) await setAttributes(store, [nameOf(100 + count)], 'many');
    const marked = (await other.fleet()).filter(({ attributes }) => attributes['marked'] === 'many');
    expect(marked).toHaveLength(25);
    await setAttributes(
      store,
      Array.from({ length: 30 }, (_none, index) => nameOf(200 + index)),
      'together',
    );
    const together = (await other.fleet()).filter(({ attributes }) => attributes['marked'] === 'together');
    expect(together).toHaveLength(30);
  });

  it('is not lost among changes at the same time', async () => {
    const names = Array.from({ length: 24 }, (_none, index) => nameOf(40 + index));
    await Promise.all(
      names.map((name, index) => setAttributes((processes[index % 3] as Process).store, [name], 'race')),
    );
    for (const { fleet } of processes) {
      const marked = (await fleet()).filter(({ attributes }) => attributes['marked'] === 'race');
      expect(marked.map(({ rse }) => rse)).toEqual(names);
    }
  });
});

describe('a table without copies of the version', () => {
  it('is read by the version itself until an RSE changes', async () => {
    const former = await newStore();
    await deleteCopies(former);
    const one = await otherProcess(former.table.name);
    const other = await otherProcess(former.table.name);
    expect(await one.fleet()).toHaveLength(size);
    await setAttributes(other.store, [nameOf(3)], 'first');
    expect(markOf(await one.fleet(), nameOf(3))).toBe('first');
    await setAttributes(one.store, [nameOf(4)], 'second');
    expect(markOf(await other.fleet(), nameOf(4))).toBe('second');
  });
});

/** Deletes the copies, as in a table of a release that had none. */
async function deleteCopies(former: Store): Promise<void> {
  await former.write(async () =>
    Array.from({ length: 40 }, (_none, slot) => ({
      kind: 'change' as const,
      key: rseKeys.fleetCopy(slot),
      patch: { delete: true as const },
      onMismatch: () => new Error('there was no copy'),
    })),
  );
}
