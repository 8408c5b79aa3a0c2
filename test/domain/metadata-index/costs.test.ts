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
      expect(plan).toEqual([{ source: 'index', keys: ['run_number', 'datatype'], prefix: '' }]);
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
    for (const { rows, cost } of await inBoth({ run_number: '1', shift: 'night' })) {
      expect(rows).toBeGreaterThan(0);
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + shards * 3 + 100);
    }
    for (const { cost } of await inBoth({ run_number: '1', datatype: 'AOD', shift: 'night' })) {
      expect(cost.rru).toBeLessThanOrEqual(hitUnits + shards * 3 + 34);
    }
  });

  it('costs at most about twice as much as a scan of the scope, even for a very common value', async () => {
    const everything = { shift: 'night', 'run_number.gte': '0' };
    for (const size of sizes) {
      const catalogue = catalogues.get(size) as Catalogue;
      const read = await find(catalogue, everything);
      for (const by of [
        { run_number: '2', 'datatype.ne': 'x' },
        { datatype: 'AOD' },
        { datatype: 'AOD', run_number: '2' },
      ]) {
        const { cost, plan } = await find(catalogue, { ...by, shift: 'night' });
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

describe('cost of keeping the index', () => {
  it('registering files: one unit for each indexed key, nothing for others', async () => {
    const catalogue = await newCatalogue();
    const register = async (name: string, meta: Readonly<Record<string, unknown>>) => {
      const dids = Array.from({ length: 100 }, (_value, index) => ({ ...data(`${name}.${index}`), bytes: 1, meta }));
      const { cost } = await measure(() => catalogue.add(name, 'DATASET', { rse: 'DISK', dids }));
      return cost;
    };
    await register('first', {});
    const plain = await register('plain', {});
    const others = await register('others', { shift: 'night', version: 'v1' });
    const indexed = await register('indexed', { run_number: 5, datatype: 'AOD' });
    expect(others).toEqual(plain);
    // The keys of the entries fit into the same record of the bulk request.
    expect(indexed).toEqual({ ...plain, wru: plain.wru + 200, requests: plain.requests + 8 });
  });

  it('setting a key that is not indexed: no more than the DID', async () => {
    const catalogue = await newCatalogue();
    await catalogue.add('set', 'DATASET', { meta: { run_number: 1 } });
    const { cost } = await measure(() =>
      setMetadata(catalogue.at(), data('set'), { key: 'shift', value: 'x', recursive: false }),
    );
    expect(cost).toEqual({ rru: 1, wru: 2, requests: 2, roundTrips: 2 });
    const { cost: ofIndexed } = await measure(() =>
      setMetadata(catalogue.at(), data('set'), { key: 'run_number', value: 2, recursive: false }),
    );
    expect(ofIndexed).toMatchObject({ rru: 1, requests: 2, roundTrips: 2 });
  });
});
