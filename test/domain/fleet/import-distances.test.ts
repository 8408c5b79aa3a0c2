import { beforeAll, describe, expect, it } from 'vitest';

import { deleteRse } from '../../../lib/operations/rses/delete-rse.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { addDistance } from '../../../lib/operations/rses/write-distance.ts';
import { changeRse, getRse, patchMembers } from '../../../lib/store/entities/rse.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type FleetCatalogue, newFleetCatalogue } from './fleet-catalogue.ts';

let catalogue: FleetCatalogue;
beforeAll(async () => {
  catalogue = await newFleetCatalogue();
  await catalogue.import({ rses: { A: {}, B: {}, C: {}, DISABLED: {} } });
  await deleteRse(catalogue.context(), 'DISABLED');
});

/** Every distance by source and destination. */
async function distances(of = catalogue): Promise<Record<string, Record<string, number | null>>> {
  const rows = Object.entries((await of.export()).distances ?? {});
  return Object.fromEntries(
    rows.map(([source, row]) => [
      source,
      Object.fromEntries(Object.entries(row).map(([destination, { distance }]) => [destination, distance])),
    ]),
  );
}

describe('distances of an import (rses 1.30)', () => {
  it('are created and changed; others stay; `distance` takes precedence over `ranking`', async () => {
    await catalogue.import({
      distances: { A: { B: { distance: 1 }, C: { ranking: 2 } }, B: { A: { distance: null, ranking: 3 }, B: {} } },
    });
    const first = { A: { B: 1, C: 2 }, B: { A: null, B: null } };
    expect(await distances()).toEqual(first);
    await catalogue.import({
      distances: { A: { C: { distance: 5, src_rse_id: 'x' } }, C: { A: { distance: 6 } }, B: {} },
    });
    expect(await distances()).toEqual({ ...first, A: { B: 1, C: 5 }, C: { A: 6 } });
  });

  it('can have disabled RSEs, and RSEs that the import creates, as source and destination', async () => {
    const own = await newFleetCatalogue();
    await own.import({ rses: { OLD: {} } });
    await deleteRse(own.context(), 'OLD');
    const rows = { NEW: { OLD: { distance: 1 }, NEW: { distance: 0 } }, OLD: { NEW: { distance: 2 } } };
    await own.import({ rses: { NEW: {} }, distances: rows });
    expect(await distances(own)).toEqual({ NEW: { NEW: 0, OLD: 1 }, OLD: { NEW: 2 } });
    expect(Object.keys(await own.rses())).toEqual(['NEW']);
  });

  it('with an unknown RSE are 404, and nothing is imported', async () => {
    const before = await catalogue.export();
    for (const rows of [{ NOPE: { A: {} } }, { A: { B: { distance: 99 }, NOPE: { distance: 1 } } }]) {
      await expect(catalogue.import({ rses: { A: { city: 'Oslo' }, NEW: {} }, distances: rows })).rejects.toMatchObject(
        {
          name: 'RSENotFound',
          message: "RSE 'NOPE' cannot be found in vo 'def'",
        },
      );
    }
    expect(await catalogue.export()).toEqual(before);
  });

  it('that do not differ are not written', async () => {
    const rows = { A: { B: { distance: 1 }, C: { distance: 5 } } };
    await catalogue.import({ distances: rows });
    const { cost } = await measure(() => catalogue.import({ distances: rows }));
    expect(cost).toEqual({ rru: 2, wru: 0, requests: 2, roundTrips: 2 });
  });
});

describe('imports concurrent with each other and with other requests', () => {
  it('succeed after an aborted bulk request that had staged a change of an RSE', async () => {
    const own = await newFleetCatalogue();
    await own.import({ rses: { A: {} } });
    await own.import({ rses: { A: {} } });
    const taken = { kind: 'insert', item: { PK: 'X', SK: '0' }, onExists: () => new Error('taken') } as const;
    await own.store.write(async () => [taken]);
    const others = Array.from({ length: 12 }, (_value, index) => ({ ...taken, item: { PK: 'X', SK: String(index) } }));
    const given = own.store.write(async (latest) => {
      const rse = await getRse(latest, 'A');
      if (rse === undefined) throw new Error('A is not there');
      return [changeRse(rse, patchMembers('attribute', [['tier', 'none']])), ...others];
    });
    await expect(given).rejects.toThrow('taken');
    await own.import({ rses: { A: { attributes: { tier: 1 } } } });
    expect((await own.rses())['A']?.attributes).toEqual({ A: true, tier: '1' });
  });

  it('of the same RSEs and distances all succeed, and the result contains each', async () => {
    const own = await newFleetCatalogue();
    const names = Array.from({ length: 20 }, (_value, index) => `RSE-${index}`);
    const document = (writer: number) => ({
      rses: Object.fromEntries(names.map((name) => [name, { attributes: { [`by-${writer}`]: writer } }])),
      distances: { 'RSE-0': Object.fromEntries(names.map((name, index) => [name, { distance: index }])) },
    });
    const writers = [1, 2, 3];
    await Promise.all(writers.map((writer) => own.import(document(writer))));
    const rses = await own.rses();
    expect(Object.keys(rses)).toHaveLength(names.length);
    for (const name of names) {
      expect(rses[name]?.attributes).toEqual({ [name]: true, 'by-1': '1', 'by-2': '2', 'by-3': '3' });
    }
    expect(await distances(own)).toEqual({ 'RSE-0': Object.fromEntries(names.map((name, index) => [name, index])) });
  });

  it('do not lose an attribute and a distance that are set concurrently', async () => {
    const own = await newFleetCatalogue();
    const names = Array.from({ length: 20 }, (_value, index) => `RSE-${index}`);
    const rses = (tier: number) => Object.fromEntries(names.map((name) => [name, { attributes: { tier } }]));
    await own.import({ rses: rses(1) });
    await Promise.all([
      own.import({ rses: rses(2), distances: { 'RSE-1': { 'RSE-3': { distance: 3 } } } }),
      ...names.map((rse) => setRseAttribute(own.context(), { rse, key: 'fast', value: true })),
      addDistance(
        own.context(),
        { source: 'RSE-1', destination: 'RSE-2' },
        { distance: 7, ranking: null, bidirectional: true },
      ),
    ]);
    const after = await own.rses();
    for (const name of names) expect(after[name]?.attributes).toEqual({ [name]: true, tier: '2', fast: true });
    expect(await distances(own)).toEqual({ 'RSE-1': { 'RSE-2': 7, 'RSE-3': 3 }, 'RSE-2': { 'RSE-1': 7 } });
  });
});
