/**
 * A search by the index has the rows of a search that reads every DID. `SEARCH_SEED` determines the searches; a failure
 * prints its seed.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { maintainMetadataIndex } from '../../../lib/background/maintain-metadata-index.ts';
import { type Page, rowsOf } from '../../../lib/domain/paging/page.ts';
import { nothingSearchable, type Searchable } from '../../../lib/domain/search/index-lists.ts';
import { readSearch } from '../../../lib/domain/search/read-search.ts';
import { planSearch, searchDids } from '../../../lib/domain/search/search-dids.ts';
import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { addDids } from '../../../lib/operations/dids/add-dids.ts';
import { asCollection } from '../../../lib/store/entities/did.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';
import { type Catalogue, newCatalogue } from '../dids/catalogue.ts';

const seed = seedFrom('SEARCH_SEED');
/** With fewer, the index may serve too few. */
const queries = volumeOf('indexedSearches');
const configured = ['run_number', 'datatype', 'colour'];
const free = new Set(['colour', 'shift', 'weight']);
/** With configured and free keys, and with free keys only. */
const searchables: readonly Searchable[] = [
  { ...nothingSearchable, configured, free },
  { ...nothingSearchable, free },
];

/** Deterministic pseudo-random numbers. */
const mix = (index: number, salt: number) =>
  Math.imul((index + 1) * 2_654_435_761 + salt * 40_503, 2_246_822_519) >>> 8;
const metaOf = (index: number) => ({
  ...(mix(index, 1) % 10 === 0 ? {} : { run_number: mix(index, 2) % 100 < 60 ? 1 : mix(index, 2) % 7 }),
  ...(mix(index, 3) % 3 === 0 ? {} : { datatype: ['AOD', 'RAW'][mix(index, 4) % 2] }),
  colour: ['red', 5, '5.0', true, 'y'.repeat(300), { a: 1 }, null, '2026-11-21'][mix(index, 5) % 8],
  shift: ['night', 'day'][mix(index, 6) % 2],
  ...(mix(index, 9) % 5 === 0 ? {} : { weight: weights[mix(index, 10) % weights.length] }),
});
const weights = [-1e30, -2, '-1.5', 0, 1, ' 2 ', '3e0', 10, 2n ** 60n, '1e400', 'heavy', 'Heavy', '2026-11-20', false];

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await setConfig(catalogue.at(), { metadata: { indexed_keys: configured.join(',') } });
  await maintainMetadataIndex(catalogue.at(), { settlingMs: 0 });
  const files = Array.from({ length: 900 }, (_value, index) => ({
    scope: 'data',
    name: `${mix(index, 7) % 10}.file.${index}`,
    bytes: index,
    meta: metaOf(index),
  }));
  await catalogue.add('everything', 'DATASET', { rse: 'DISK', dids: files });
  const sets = Array.from({ length: 300 }, (_value, index) => ({
    scope: 'data',
    name: `${mix(index, 8) % 10}.set.${index}`,
    type: index % 10 === 0 ? ('CONTAINER' as const) : ('DATASET' as const),
    meta: metaOf(index + 1000),
  }));
  await addDids(catalogue.at(), sets);
});

const condition = fc.oneof(
  fc.tuple(fc.constant('run_number'), fc.constantFrom('1', '2', '3', '9')),
  fc.tuple(fc.constant('datatype'), fc.constantFrom('AOD', 'RAW', 'A*')),
  fc.tuple(fc.constantFrom('datatype.ne', 'run_number.ne', 'run_number.gte'), fc.constantFrom('1', '2')),
  fc.tuple(
    fc.constantFrom('colour', 'colour.ne'),
    fc.constantFrom('red', '5', '5.0', 'True', 'y'.repeat(300), 'None', '2026-11-21T00:00:00Z', 'r*'),
  ),
  fc.tuple(fc.constantFrom('shift', 'shift.gt', 'shift.lte'), fc.constantFrom('night', 'day', 'e')),
  fc.tuple(
    fc.constantFrom('weight', 'weight.gt', 'weight.gte', 'weight.lt', 'weight.lte', 'weight.ne'),
    fc.constantFrom('-2', '0', '2.5', '1e500', 'heavy', 'a', 'G', '5x', '2026-11-19', 'True'),
  ),
  fc.tuple(fc.constant('weight'), fc.constantFrom('h*', '*e*', '2*', 'H*y', '-*')),
  fc.tuple(fc.constant('name'), fc.constantFrom('3*', '3.file*', '*1', '5.set.5', '%7%')),
  fc.tuple(fc.constantFrom('bytes.gt', 'length'), fc.constantFrom('0', '500')),
);
const limit = fc.constantFrom(1, 7, 50);
const general = fc.record({
  conditions: fc.uniqueArray(condition, { minLength: 1, maxLength: 4, selector: ([key]) => key }),
  type: fc.constantFrom('all', 'file', 'dataset', 'collection', 'container'),
  page: fc.record(
    { after: fc.constantFrom('2.file.5', '5', 'everything').map((name) => [name]), limit },
    { requiredKeys: [] },
  ),
  sizes: fc.boolean(),
});
/** Conditions on the order of one key, whose rows are in order of its values. */
const ofOrder = fc.record({
  conditions: fc
    .tuple(fc.constantFrom('weight.gt', 'weight.lte', 'shift.gte'), fc.constantFrom('-2', '2.5', 'G', 'e'))
    .map((one) => [one]),
  type: fc.constantFrom('all', 'file', 'container'),
  page: fc.record({ limit }, { requiredKeys: [] }),
  sizes: fc.constant(false),
});
const query = fc.oneof({ weight: 3, arbitrary: general }, { weight: 1, arbitrary: ofOrder });

interface Asked {
  readonly conditions: readonly (readonly [string, string])[];
  readonly type: string;
  readonly page: Page;
  readonly sizes: boolean;
}

describe(`searches by the index (SEARCH_SEED=${seed})`, () => {
  it('have the same rows as without it, in the same order unless they are in order of values', async () => {
    const counts = { rows: 0, byIndex: 0, byValue: 0 };
    const ask = async ({ conditions, type, page, sizes }: Asked, searchable: Searchable) => {
      const groups = readSearch({ type, ...Object.fromEntries(conditions) });
      const mode = { recursive: false, page, searchable, sizes };
      const plans = planSearch(groups, mode).map(({ plan }) => plan);
      if (plans.some(({ source }) => source === 'index')) counts.byIndex += 1;
      const isByValue = plans.some((plan) => plan.source === 'index' && plan.order === 'value');
      const rows = [];
      for await (const did of rowsOf(searchDids(catalogue.at(), 'data', groups, mode))) {
        const { name, type: didType, bytes } = did;
        const length = asCollection(did)?.length;
        rows.push(sizes ? { name, didType, bytes, length } : name);
        if (rows.length === page.limit) break;
      }
      return { rows, isByValue };
    };
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(...searchables), async (asked, searchable) => {
        const plain = await ask(asked, nothingSearchable);
        const found = await ask(asked, searchable);
        if (found.isByValue) {
          counts.byValue += 1;
          const all = await ask({ ...asked, page: {} }, nothingSearchable);
          expect(all.rows).toEqual(expect.arrayContaining(found.rows));
          expect(new Set(found.rows.map((row) => JSON.stringify(row))).size).toBe(plain.rows.length);
        } else expect(found.rows).toEqual(plain.rows);
        counts.rows += plain.rows.length;
      }),
      { numRuns: queries, seed },
    );
    console.log(`SEARCH_SEED=${seed}: ${counts.byIndex} by the index, ${counts.byValue} by value, ${counts.rows} rows`);
    expect(counts.byIndex).toBeGreaterThan(queries / 4);
    expect(counts.byValue).toBeGreaterThan(queries / 80);
  }, 180_000);
});
