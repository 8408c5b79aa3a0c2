/**
 * A search by the index has the rows of a search that reads every DID. `SEARCH_SEED` determines the searches; a failure
 * prints its seed.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { maintainMetadataIndex } from '../../../lib/background/maintain-metadata-index.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { choosePlan } from '../../../lib/domain/search/choose-plan.ts';
import { readSearch } from '../../../lib/domain/search/read-search.ts';
import { searchDids } from '../../../lib/domain/search/search-dids.ts';
import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { addDids } from '../../../lib/operations/dids/add-dids.ts';
import { asCollection } from '../../../lib/store/entities/did.ts';
import { repetitions, seedFrom } from '../../support/volume.ts';
import { type Catalogue, newCatalogue } from '../dids/catalogue.ts';

const seed = seedFrom('SEARCH_SEED');
/** With fewer, the index may serve too few. */
const queries = Math.max(80, repetitions(80));
const searchable = ['run_number', 'datatype', 'colour'];

/** Deterministic pseudo-random numbers. */
const mix = (index: number, salt: number) =>
  Math.imul((index + 1) * 2_654_435_761 + salt * 40_503, 2_246_822_519) >>> 8;
const metaOf = (index: number) => ({
  ...(mix(index, 1) % 10 === 0 ? {} : { run_number: mix(index, 2) % 100 < 60 ? 1 : mix(index, 2) % 7 }),
  ...(mix(index, 3) % 3 === 0 ? {} : { datatype: ['AOD', 'RAW'][mix(index, 4) % 2] }),
  colour: ['red', 5, '5.0', true, 'y'.repeat(300), { a: 1 }, null, '2026-11-21'][mix(index, 5) % 8],
  shift: ['night', 'day'][mix(index, 6) % 2],
});

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await setConfig(catalogue.at(), { metadata: { indexed_keys: searchable.join(',') } });
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
  fc.tuple(fc.constant('shift'), fc.constantFrom('night', 'day')),
  fc.tuple(fc.constant('name'), fc.constantFrom('3*', '3.file*', '*1', '5.set.5', '%7%')),
  fc.tuple(fc.constantFrom('bytes.gt', 'length'), fc.constantFrom('0', '500')),
);
const query = fc.record({
  conditions: fc.uniqueArray(condition, { minLength: 1, maxLength: 4, selector: ([key]) => key }),
  type: fc.constantFrom('all', 'file', 'dataset', 'collection', 'container'),
  page: fc.record(
    {
      after: fc.constantFrom('2.file.5', '5', 'everything').map((name) => [name]),
      limit: fc.constantFrom(1, 7, 50),
    },
    { requiredKeys: [] },
  ),
  sizes: fc.boolean(),
});

type Asked = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

describe(`searches by the index (SEARCH_SEED=${seed})`, () => {
  it('have the same rows as without it, in the same order', async () => {
    const counts = { rows: 0, byIndex: 0 };
    const ask = async ({ conditions, type, page, sizes }: Asked, keys: string[]) => {
      const groups = readSearch({ type, ...Object.fromEntries(conditions) });
      if (keys.length > 0 && groups.some((group) => choosePlan(group, keys).source === 'index')) counts.byIndex += 1;
      const options = { recursive: false, page, searchable: keys, sizes };
      const rows = [];
      for await (const did of rowsOf(searchDids(catalogue.at(), 'data', groups, options))) {
        const { name, type: didType, bytes } = did;
        const length = asCollection(did)?.length;
        rows.push(sizes ? { name, didType, bytes, length } : name);
        if (rows.length === page.limit) break;
      }
      return rows;
    };
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const plain = await ask(asked, []);
        expect(await ask(asked, searchable)).toEqual(plain);
        counts.rows += plain.length;
      }),
      { numRuns: queries, seed },
    );
    console.log(`SEARCH_SEED=${seed}: ${counts.byIndex} by the index, ${counts.rows} rows`);
    expect(counts.byIndex).toBeGreaterThan(20);
  }, 180_000);
});
