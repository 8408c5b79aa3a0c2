import { beforeAll, describe, expect, it } from 'vitest';

import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { search } from '../../../lib/operations/dids/search.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { type Cost, measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';

/** 100 of the files have the run number 1, and a third of all have each datatype. */
async function catalogueOf(size: number): Promise<Catalogue> {
  const catalogue = await newCatalogue();
  for (let start = 0; start < size; start += 1000) {
    const files = Array.from({ length: Math.min(1000, size - start) }, (_value, index) => start + index);
    await catalogue.add(`all.${start}`, 'DATASET', {
      rse: 'DISK',
      dids: files.map((index) => ({
        scope: 'data',
        name: `file.${String(index).padStart(6, '0')}`,
        bytes: 10,
        meta: {
          run_number: index % (size / 100) === 0 ? 1 : 2,
          datatype: ['AOD', 'RAW', 'ESD'][Math.floor(index / (size / 100)) % 3],
          shift: index % 2 === 0 ? 'night' : 'day',
          weight: index % (size / 100) === 0 ? index : String(-index),
          tag: index % (size / 100) === 0 ? `tag.${index}` : `other.${index}`,
        },
      })),
    });
  }
  return catalogue;
}

interface Found {
  readonly rows: number;
  readonly cost: Cost;
  readonly plan: readonly Record<string, unknown>[];
}

async function find(catalogue: Catalogue, parameters: Readonly<Record<string, string>>, long = false): Promise<Found> {
  const options = { long, recursive: false, explain: false };
  const ask = (explain: boolean) =>
    Array.fromAsync(rowsOf(search(catalogue.at(), 'data', { type: 'file', ...parameters }, { ...options, explain })));
  const { result, cost } = await measure(() => ask(false));
  const [explained] = await ask(true);
  return { rows: result.length, cost, plan: (explained as unknown as { plan: Record<string, unknown>[] }).plan };
}

const sizes = [500, 3000] as const;
const catalogues = new Map<number, Catalogue>();
beforeAll(async () => {
  for (const size of sizes) catalogues.set(size, await catalogueOf(size));
}, 180_000);
const inBoth = (parameters: Readonly<Record<string, string>>, long = false) =>
  Promise.all(sizes.map((size) => find(catalogues.get(size) as Catalogue, parameters, long)));

/** 100 hits of 256 bytes take 7 units of 4 KB, and one more per shard and page. */
const shards = 4;
const hitUnits = 7;

describe('cost of a search by indexed metadata: its hits, and one unit per shard and page', () => {
  it('100 hits: the same few units among 500 files and among 3,000', async () => {
    const [small, large] = await inBoth({ run_number: '1' });
    expect(small).toMatchObject({ rows: 100, plan: [{ source: 'index', keys: ['run_number'] }] });
    expect(large?.rows).toBe(100);
    for (const { cost } of [small, large].flatMap((one) => one ?? [])) {
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + shards * Math.ceil(cost.requests / shards));
      expect(cost.requests).toBeLessThanOrEqual(2 * shards);
    }
    expect(Math.abs((small?.cost.rru ?? 0) - (large?.cost.rru ?? 0))).toBeLessThanOrEqual(shards);
  });

  it('two keys: the hits of the rarer one, though a third of all files have the other', async () => {
    const found = await inBoth({ run_number: '1', datatype: 'AOD' });
    for (const { rows, cost, plan } of found) {
      expect(rows).toBe(34);
      expect(plan).toEqual([
        {
          source: 'index',
          keys: ['run_number', 'datatype'],
          by: { run_number: 'equality', datatype: 'equality' },
          order: 'name',
          prefix: '',
        },
      ]);
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + shards * 3);
    }
    // The order of the conditions does not matter.
    const [, turned] = await inBoth({ datatype: 'AOD', run_number: '1' });
    expect(turned?.cost.rru).toBe(found[1]?.cost.rru);
  });

  it('the long form of files needs no more', async () => {
    const [short, long] = [await inBoth({ run_number: '1' }), await inBoth({ run_number: '1' }, true)];
    expect(long[1]?.cost).toEqual(short[1]?.cost);
  });

  it('a condition on an unindexed key reads only the DIDs that the index has found', async () => {
    for (const { rows, cost } of await inBoth({ run_number: '1', 'version.ne': 'v2' })) {
      expect(rows).toBeGreaterThan(0);
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + shards * 3 + 100);
    }
    for (const { cost } of await inBoth({ run_number: '1', datatype: 'AOD', 'version.ne': 'v2' })) {
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + shards * 3 + 34);
    }
  });

  it('costs at most about twice as much as a scan of the scope, even for a very common value', async () => {
    const everything = { version: 'None', 'run_number.gte': '0' };
    for (const size of sizes) {
      const catalogue = catalogues.get(size) as Catalogue;
      const read = await find(catalogue, everything);
      for (const by of [
        { run_number: '2', 'datatype.ne': 'x' },
        { datatype: 'AOD' },
        { datatype: 'AOD', run_number: '2' },
      ]) {
        const { cost, plan } = await find(catalogue, { ...by, version: 'None' });
        expect(plan).toMatchObject([{ source: 'index' }]);
        // The candidates of the first page of each shard are read one by one.
        expect(cost.rru).toBeLessThanOrEqual(2 * read.cost.rru + shards * (32 + 2));
      }
    }
  });

  it('a prefix of the name reduces it', async () => {
    const [, prefixed] = await inBoth({ datatype: 'AOD', name: 'file.0001*' });
    expect(prefixed?.rows).toBe(40);
    expect(prefixed?.cost.rru).toBeLessThanOrEqual(hitUnits + shards * 2);
    const [, nothing] = await inBoth({ run_number: '3' });
    expect(nothing).toMatchObject({ rows: 0, cost: { requests: shards } });
  });

  it('a search for collections reads no files', async () => {
    const [, found] = await inBoth({ type: 'dataset', datatype: 'AOD' });
    expect(found).toMatchObject({ rows: 0, cost: { requests: 1 } });
  });
});

describe('cost of a search by free metadata: its hits, whatever else is in the scope', () => {
  it.each<[string, Readonly<Record<string, string>>, 'name' | 'value']>([
    ['a range of numbers', { 'weight.gte': '0' }, 'value'],
    ['a prefix of texts', { tag: 'tag*' }, 'value'],
    ['a prefix of texts, of names too', { tag: 'tag*', name: 'file*' }, 'name'],
  ])('%s', async (_what, query, order) => {
    const [small, large] = await inBoth(query);
    expect([small?.rows, large?.rows]).toEqual([100, 100]);
    for (const { cost, plan } of [small, large].flatMap((one) => one ?? [])) {
      expect(plan).toMatchObject([{ source: 'index', order }]);
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + 2 * shards);
    }
    expect(Math.abs((small?.cost.rru ?? 0) - (large?.cost.rru ?? 0))).toBeLessThanOrEqual(shards);
  });

  it('equality: one request a shard', async () => {
    for (const { rows, cost } of await inBoth({ tag: 'tag.0' })) {
      expect(rows).toBe(1);
      expect(cost).toMatchObject({ requests: shards, roundTrips: 1 });
      expect(cost.rru).toBeLessThanOrEqual(shards);
    }
  });

  it('two keys: the DIDs of the rarer one, whichever is named first', async () => {
    const queries = [
      { shift: 'night', tag: 'tag.0' },
      { tag: 'tag.0', shift: 'night' },
      { shift: 'night', 'weight.gt': '-1' },
    ];
    for (const query of queries) {
      for (const { rows, cost } of await inBoth(query)) {
        expect(rows).toBeGreaterThan(0);
        expect(cost.rru).toBeLessThanOrEqual(6 * hitUnits + 100 + 8 * shards);
      }
    }
  });

  it('never costs more than about twice a scan of the scope', async () => {
    for (const size of sizes) {
      const catalogue = catalogues.get(size) as Catalogue;
      const read = await find(catalogue, { version: 'None' });
      for (const by of [{ shift: 'night' }, { 'weight.gte': '-1e9' }, { 'weight.ne': 'x', shift: 'day' }]) {
        const { cost } = await find(catalogue, { ...by, version: 'None' });
        expect(cost.rru).toBeLessThanOrEqual(2 * read.cost.rru + 2 * shards * (32 + 4));
      }
    }
  });
});

describe('cost of keeping the index', () => {
  it('registering files: one unit for each indexed key, nothing for others', async () => {
    const catalogue = await newCatalogue();
    const register = async (name: string, meta: Readonly<Record<string, unknown>>) => {
      const dids = Array.from({ length: 100 }, (_value, index) => ({ ...data(`${name}.${index}`), bytes: 1, meta }));
      const { cost } = await measure(() => catalogue.add(name, 'DATASET', { rse: 'DISK', dids }));
      return cost;
    };
    await register('first', { shift: 'night' });
    const plain = await register('plain', {});
    const others = await register('others', { version: 'v1', prod_step: 'merge' });
    const indexed = await register('indexed', { run_number: 5, datatype: 'AOD' });
    const free = await register('free', { shift: 'night' });
    expect(others).toEqual(plain);
    // The keys of the entries fit into the same record of the bulk request.
    expect(indexed).toEqual({ ...plain, wru: plain.wru + 200, requests: plain.requests + 8 });
    expect(free).toEqual({ ...plain, wru: plain.wru + 100, requests: plain.requests + 4 });
  });

  it('setting a key that is not indexed: no more than the DID', async () => {
    const catalogue = await newCatalogue();
    await catalogue.add('set', 'DATASET', { meta: { run_number: 1 } });
    const { cost } = await measure(() =>
      setMetadata(catalogue.at(), data('set'), { key: 'version', value: 'x', recursive: false }),
    );
    expect(cost).toEqual({ rru: 1, wru: 2, requests: 2, roundTrips: 2 });
    const { cost: ofIndexed } = await measure(() =>
      setMetadata(catalogue.at(), data('set'), { key: 'run_number', value: 2, recursive: false }),
    );
    expect(ofIndexed).toMatchObject({ rru: 1, requests: 2, roundTrips: 2 });
  });

  it('setting a free key: the DID and its entry; what is known of the keys of the scope is not read again', async () => {
    const catalogue = await newCatalogue();
    await catalogue.add('set', 'DATASET', { meta: { shift: 'night', many: Array.from({ length: 30 }, String) } });
    const set = (key: string, value: unknown) =>
      setMetadata(catalogue.at(), data('set'), { key, value, recursive: false });
    const { cost: first } = await measure(() => set('colour', 'red'));
    expect(first).toMatchObject({ requests: 6 });
    const { cost: other } = await measure(() => set('shift', 'day'));
    // Two entries and the DID, which is in an index of the table.
    expect(other).toEqual({ rru: 1, wru: 8, requests: 2, roundTrips: 2 });
    const { cost: same } = await measure(() => set('shift', 'day'));
    expect(same).toEqual({ rru: 1, wru: 2, requests: 2, roundTrips: 2 });
  });

  it('the 150 other free keys of a DID cost nothing when one is set', async () => {
    const catalogue = await newCatalogue();
    const meta = Object.fromEntries(Array.from({ length: 150 }, (_value, index) => [`k${index}`, index]));
    await catalogue.add('wide', 'DATASET', { meta });
    const { cost } = await measure(() =>
      setMetadata(catalogue.at(), data('wide'), { key: 'k7', value: 'x', recursive: false }),
    );
    expect(cost).toMatchObject({ requests: 2, roundTrips: 2 });
    expect(cost.wru).toBeLessThanOrEqual(4 + 2 * 6);
  });
});
