import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { deleteRse } from '../../../lib/operations/rses/delete-rse.ts';
import { listRseAttributes } from '../../../lib/operations/rses/list-attributes.ts';
import { listUsageOfRse } from '../../../lib/operations/rses/usage-of-rse.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type FleetCatalogue, newFleetCatalogue } from './fleet-catalogue.ts';

const impl = 'rucio.rse.protocols.mock.Default';
const protocol = (hostname: string, more: object = {}) => ({ scheme: 'mock', hostname, port: 1, impl, ...more });
const methods = ['append', 'edit', 'hard'] as const;

let catalogue: FleetCatalogue;
beforeAll(async () => {
  catalogue = await newFleetCatalogue();
});

let count = 0;
let name: string;
beforeEach(() => {
  count += 1;
  name = `RSE-${count}`;
});

const rse = async (of = name) => (await catalogue.rses())[of];
const hosts = async () => (await rse())?.protocols.map(({ hostname }) => hostname);

describe('a new RSE of an import (rses 1.30)', () => {
  it('is created from the keys of a creation except `availability`, without a check of its name', async () => {
    const odd = `any name #${count} %`;
    await catalogue.import({
      rses: {
        [odd]: {
          rse_type: 'TAPE',
          deterministic: false,
          city: 'Oslo',
          availability: 0,
          availability_write: false,
          id: 'x',
        },
        [name]: { rse_type: null, volatile: null, city: null, availability: 0 },
      },
    });
    expect(await rse(odd)).toMatchObject({
      rse: odd,
      rse_type: 'TAPE',
      deterministic: false,
      city: 'Oslo',
      availability: 5,
      attributes: { [odd]: true, city: 'Oslo' },
      MinFreeSpace: null,
      protocols: [],
    });
    expect(await rse()).toMatchObject({
      rse_type: 'DISK',
      volatile: false,
      availability: 7,
      attributes: { [name]: true },
    });
    const [usage] = await Array.fromAsync(rowsOf(listUsageOfRse(catalogue.context(), name, {} as never)));
    expect(JSON.stringify(usage)).toContain('"source":"rucio"');
  });

  it.each(methods)('%s: with protocols, attributes and a limit', async (method) => {
    const given = {
      protocols: [protocol('a', { domains: { lan: { read: 1 } } }), protocol('b', { prefix: '/p' })],
      attributes: { tier: 1, fast: 'TRUE', nothing: null },
      lfn2pfn_algorithm: 'identity',
      verify_checksum: false,
      MinFreeSpace: 9_007_199_254_740_993n,
    };
    await catalogue.import({ rses: { [name]: given } }, { rses: method, attributes: method });
    const made = await rse();
    expect(made?.protocols).toMatchObject([
      { hostname: 'a', prefix: '', domains: { lan: { read: 1 } } },
      { hostname: 'b', prefix: '/p' },
    ]);
    expect(made).toMatchObject({
      lfn2pfn_algorithm: 'identity',
      verify_checksum: false,
      MinFreeSpace: 9_007_199_254_740_993n,
    });
    expect(made?.attributes).toEqual({
      [name]: true,
      tier: '1',
      fast: true,
      lfn2pfn_algorithm: 'identity',
      verify_checksum: false,
    });
    await catalogue.import({ rses: { [name]: {} } });
  });
});

describe('an existing RSE of an import (rses 1.30)', () => {
  it('gets the changeable properties, whatever the method', async () => {
    for (const [index, method] of methods.slice(0, 2).entries()) {
      await catalogue.import({ rses: { [name]: { city: 'Oslo', ISP: 'first' } } });
      const id = (await rse())?.id;
      const given = {
        city: `Lyon ${index}`,
        ISP: 'x',
        availability: 4,
        rse_type: 'TAPE',
        volatile: null,
        vo: 'x',
        id: 'y',
      };
      await catalogue.import({ rses: { [name]: given } }, { rses: method });
      expect(await rse()).toMatchObject({
        id,
        city: `Lyon ${index}`,
        availability: 4,
        rse_type: 'TAPE',
        volatile: false,
      });
      expect((await rse())?.attributes).toMatchObject({ city: `Lyon ${index}`, ISP: 'first' });
    }
  });

  it('can be renamed; a name in use is 409', async () => {
    const others = [`${name}-A`, `${name}-B`];
    await catalogue.import({ rses: { [name]: {}, ...Object.fromEntries(others.map((other) => [other, {}])) } });
    const id = (await rse())?.id;
    for (const taken of others) {
      await expect(catalogue.import({ rses: { [name]: { name: taken } } })).rejects.toMatchObject({
        name: 'Duplicate',
        message: `RSE '${taken}' already exists!`,
      });
    }
    const renamed = `${name}-C`;
    await expect(
      catalogue.import({ rses: { [name]: { name: renamed }, [others[0] ?? '']: { name: renamed } } }),
    ).rejects.toMatchObject({ name: 'Duplicate' });
    const distances = { [renamed]: { [renamed]: { distance: 1 } } };
    await catalogue.import({ rses: { [name]: { name: renamed }, [renamed]: { city: 'Oslo' } }, distances });
    expect(await rse()).toBeUndefined();
    expect(await rse(renamed)).toMatchObject({ id, city: 'Oslo', attributes: { [renamed]: true } });
    expect((await rse(renamed))?.attributes).not.toHaveProperty(name);
    expect((await catalogue.export()).distances?.[renamed]).toMatchObject({ [renamed]: { src_rse_id: id } });
  });

  it.each([
    ['append', ['a', 'b', 'c'], ['old', 'old']],
    ['edit', ['a', 'b', 'c'], ['old', 'new']],
    ['hard', ['b', 'c'], ['new']],
  ] as const)('%s: of protocols that are named or not', async (method, present, implementations) => {
    await catalogue.import({
      rses: { [name]: { protocols: [protocol('a', { impl: 'old' }), protocol('b', { impl: 'old' })] } },
    });
    await catalogue.import({ rses: { [name]: { protocols: [] } } }, { rses: method });
    expect(await hosts()).toEqual(['a', 'b']);
    await catalogue.import(
      { rses: { [name]: { protocols: [protocol('b', { impl: 'new' }), protocol('c')] } } },
      { rses: method },
    );
    expect(await hosts()).toEqual(present);
    expect((await rse())?.protocols.slice(0, -1).map((entry) => entry.impl)).toEqual(implementations);
    await catalogue.import({ rses: { [name]: {} } });
  });

  it.each([
    ['append', { city: 'Oslo', gone: 'x', tier: '1', lfn2pfn_algorithm: 'hash' }],
    ['edit', { city: 'Oslo', gone: 'x', tier: '2', lfn2pfn_algorithm: 'identity' }],
    ['hard', { tier: '2', lfn2pfn_algorithm: 'identity' }],
  ] as const)('%s: of attributes that are named or not', async (method, expected) => {
    const before = { city: 'Oslo', attributes: { gone: 'x', tier: 1, kept: 'here' }, lfn2pfn_algorithm: 'hash' };
    await catalogue.import({ rses: { [name]: before } });
    const after = { attributes: { tier: 2, kept: null, fresh: true }, lfn2pfn_algorithm: 'identity' };
    await catalogue.import({ rses: { [name]: after } }, { attributes: method });
    expect((await rse())?.attributes).toEqual({ ...expected, [name]: true, kept: 'here', fresh: true });
  });
});

describe('a disabled RSE (rses 1.30, 2.7)', () => {
  it('is skipped entirely by append', async () => {
    await catalogue.import({ rses: { [name]: {} } });
    await deleteRse(catalogue.context(), name);
    const given = { city: 'Oslo', attributes: { tier: 1 }, protocols: [protocol('a')], MinFreeSpace: 1 };
    await catalogue.import({ rses: { [name]: given } }, { rses: 'append' });
    expect(await rse()).toBeUndefined();
    expect(await listRseAttributes(catalogue.context(), name)).toEqual({});
  });

  it.each(['edit', 'hard'] as const)(
    'is restored by %s: with its id, its name as an attribute and all that it had',
    async (method) => {
      const own = await newFleetCatalogue();
      await own.import({ rses: { [name]: { protocols: [protocol('a')], attributes: { tier: 1 } } } });
      const id = (await own.rses())[name]?.id;
      await deleteRse(own.context(), name);
      expect(await own.rses()).toEqual({});
      await own.import({ rses: { [name]: { city: 'Oslo' } } }, { rses: method });
      const { [name]: restored } = await own.rses();
      expect(restored).toMatchObject({ id, city: 'Oslo', attributes: { [name]: true, tier: '1', city: 'Oslo' } });
      expect(restored?.protocols).toHaveLength(1);
      expect(await getRse(own.store.begin().table, name)).not.toHaveProperty('deletedAt');
    },
  );
});

describe('RSEs that an import does not name (rses 1.30)', () => {
  it('are disabled by hard, unless they have content; an import without RSEs changes none', async () => {
    const own = await newFleetCatalogue();
    await own.import({ rses: { EMPTY: {}, FULL: {}, NAMED: {} } });
    await addScope(own.context(), { scope: 'data', account: 'root' });
    const file = { scope: 'data', name: 'file', bytes: 1, adler32: '0cc737eb' };
    await addDid(own.context(), { scope: 'data', name: 'set' }, { type: 'DATASET', dids: [file], rse: 'FULL' });
    const names = async () => Object.keys(await own.rses());
    for (const method of ['append', 'edit'] as const) {
      await own.import({ rses: { NAMED: {} } }, { rses: method });
      expect(await names()).toEqual(['EMPTY', 'FULL', 'NAMED']);
    }
    for (const document of [{}, { rses: {} }, { distances: {} }]) {
      await own.import(document, { rses: 'hard' });
      expect(await names()).toEqual(['EMPTY', 'FULL', 'NAMED']);
    }
    await own.import({ rses: { NAMED: {}, NEW: {} } }, { rses: 'hard' });
    expect(await names()).toEqual(['FULL', 'NAMED', 'NEW']);
    expect(await listRseAttributes(own.context(), 'EMPTY')).toEqual({});
  });
});

describe('many changes of one RSE at once', () => {
  const some = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_value, index) => [`attribute-with-a-long-name-${index}`, 'x'.repeat(50)]),
    );

  it('as many as fit into a write succeed, alone and with other RSEs', async () => {
    const others = Object.fromEntries(Array.from({ length: 12 }, (_value, index) => [`${name}-${index}`, {}]));
    await catalogue.import({ rses: { [name]: {}, [`${name}-X`]: {} } });
    await catalogue.import({ rses: { [name]: { attributes: some(250) } } });
    await catalogue.import({ rses: { [`${name}-X`]: { attributes: some(250) }, ...others } });
    for (const made of [name, `${name}-X`])
      expect((await rse(made))?.attributes).toEqual({ [made]: true, ...some(250) });
  });

  it('more are 400, except for a new RSE', async () => {
    await catalogue.import({ rses: { [name]: {} } });
    const document = { rses: { [name]: { attributes: some(251) } } };
    await expect(catalogue.import(document)).rejects.toMatchObject({ name: 'InvalidObject' });
    const others = Object.fromEntries(Array.from({ length: 12 }, (_value, index) => [`${name}-${index}`, {}]));
    await catalogue.import({ rses: { [`${name}-X`]: { attributes: some(1000) }, ...others } });
    expect((await rse(`${name}-X`))?.attributes).toEqual({ [`${name}-X`]: true, ...some(1000) });
  });

  it('more than fit into an item are 413, alone and with other RSEs; nothing is written', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 1700 }, (_value, index) => [`attribute-${index}`, 'x'.repeat(250)]),
    );
    const others = Object.fromEntries(Array.from({ length: 12 }, (_value, index) => [`${name}-${index}`, {}]));
    for (const rses of [{ [name]: { attributes } }, { ...others, [name]: { attributes } }]) {
      await expect(catalogue.import({ rses })).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    }
    expect(Object.keys(await catalogue.rses()).filter((found) => found.startsWith(name))).toEqual([]);
  });
});

describe('the cost of an import', () => {
  it('is a check of the version and no write when nothing differs', async () => {
    const own = await newFleetCatalogue();
    const document = { rses: { [name]: { city: 'Oslo', protocols: [protocol('a')], attributes: { tier: 1 } } } };
    await own.import(document);
    await own.import(document);
    const { cost } = await measure(() => own.import(document));
    expect(cost).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });
});
