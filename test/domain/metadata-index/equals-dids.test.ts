/**
 * After any concurrent operations on metadata the index equals the one that is derived from the DIDs. `INDEX_SEED`
 * determines the operations; a failure prints its seed.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { maintainMetadataIndex } from '../../../lib/background/maintain-metadata-index.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { RucioError } from '../../../lib/errors.ts';
import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { deleteMetadata } from '../../../lib/operations/dids/delete-metadata.ts';
import { resurrect } from '../../../lib/operations/dids/resurrect.ts';
import { setDidsMetadataBulk, setMetadata, setMetadataBulk } from '../../../lib/operations/dids/set-metadata.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { indexOfTable } from './index-of-table.ts';

const seed = seedFrom('INDEX_SEED');
const indexed = ['run_number', 'datatype', 'colour', 'size'];

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await setConfig(catalogue.at(), { metadata: { indexed_keys: indexed.join(', ') } });
  for (const collection of collections) await catalogue.add(collection, 'DATASET');
  await catalogue.attach('c0', files, 1);
  expect(await maintainMetadataIndex(catalogue.at(), { settlingMs: 0 })).toEqual({ rewritten: 0, done: true });
});

const collections = Array.from({ length: 6 }, (_value, index) => `c${index}`);
const files = Array.from({ length: 14 }, (_value, index) => `f${index}`);
const name = fc.constantFrom(...collections, ...files);

/** Metadata: indexed columns and free keys, some that are not indexed, values of all kinds. */
const free = fc.oneof(
  fc.constantFrom<unknown>(
    'red',
    'green',
    ' 5 ',
    '5.0',
    5,
    2n ** 60n,
    -2.095558835773826e19,
    true,
    null,
    '2026-11-21',
    'x'.repeat(300),
    -0,
    '',
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const meta = fc.record(
  {
    run_number: fc.constantFrom<unknown>(1, 2, '3', null, 10 ** 15),
    datatype: fc.constantFrom<unknown>('AOD', 'RAW', '7', null, 7),
    campaign: fc.constantFrom<unknown>('mc26', null),
    colour: free,
    size: free,
    other: free,
  },
  { requiredKeys: [] },
);
const keyAndValue = fc.oneof(
  fc.tuple(fc.constant('run_number'), fc.constantFrom<unknown>(1, 2, '3', null)),
  fc.tuple(fc.constant('datatype'), fc.constantFrom<unknown>('AOD', 'RAW', null)),
  fc.tuple(fc.constantFrom('colour', 'size', 'other'), free),
);

interface Operation {
  readonly text: string;
  readonly run: (context: Context) => Promise<unknown>;
}
const operation = <T>(inputs: fc.Arbitrary<T>, what: string, run: (context: Context, input: T) => Promise<unknown>) =>
  inputs.map((input): Operation => ({
    text: `${what} ${fc.stringify(input)}`,
    run: (context) => run(context, input),
  }));

const operations = fc.oneof(
  operation(fc.tuple(fc.constantFrom(...collections), meta), 'add', (_context, [did, values]) =>
    catalogue.add(did, 'DATASET', { meta: values }),
  ),
  operation(
    fc.tuple(
      fc.constantFrom(...collections),
      fc.uniqueArray(fc.tuple(fc.constantFrom(...files), meta), { selector: ([file]) => file, minLength: 1 }),
    ),
    'attach',
    (context, [did, list]) =>
      attachDids(
        context,
        data(did),
        list.map(([file, values]) => ({ ...data(file), bytes: 1, meta: values })),
        'DISK',
      ),
  ),
  operation(fc.tuple(name, keyAndValue, fc.boolean()), 'set', (context, [did, [key, value], recursive]) =>
    setMetadata(context, data(did), { key, value, recursive }),
  ),
  operation(fc.tuple(name, meta, fc.boolean()), 'set many', (context, [did, values, recursive]) =>
    setMetadataBulk(context, data(did), { meta: values, recursive }),
  ),
  operation(fc.array(fc.tuple(name, meta), { minLength: 1, maxLength: 20 }), 'set of many', (context, list) =>
    setDidsMetadataBulk(
      context,
      list.map(([did, values]) => ({ ...data(did), meta: values })),
    ),
  ),
  operation(fc.tuple(name, fc.constantFrom('colour', 'size', 'other')), 'delete', (context, [did, one]) =>
    deleteMetadata(context, data(did), one),
  ),
  operation(fc.constantFrom(...collections), 'expire', async (context, did) => {
    await setMetadata(context, data(did), { key: 'lifetime', value: -1, recursive: false });
    await expireDids(catalogue.at(Date.now() + 1000));
  }),
  operation(name, 'resurrect', (context, did) => resurrect(context, [data(did)])),
);

describe(`the metadata index (INDEX_SEED=${seed})`, () => {
  it('equals the one derived from the DIDs, after any concurrent operations', async () => {
    const counts = { done: 0, refused: 0 };
    const rounds = fc.array(fc.array(operations, { minLength: 3, maxLength: 5 }), { minLength: 6, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rounds, async (list) => {
        for (const round of list) {
          const outcomes = await Promise.allSettled(round.map(({ run }) => run(catalogue.at())));
          for (const [at, outcome] of outcomes.entries()) {
            if (outcome.status === 'fulfilled') counts.done += 1;
            else if (outcome.reason instanceof RucioError && outcome.reason.status !== 503) counts.refused += 1;
            else throw new Error(`${round[at]?.text} failed`, { cause: outcome.reason });
          }
        }
        const { found, expected, noted } = await indexOfTable(catalogue.store.table.name, indexed);
        expect(found).toEqual(expected);
        const byConfiguredKeys = Object.keys(expected).filter((place) => place.startsWith('M#'));
        expect(Object.values(noted).flat()).toHaveLength(byConfiguredKeys.length);
      }),
      { numRuns: volumeOf('searchesForDids'), seed, endOnFailure: true },
    );
    console.log(`INDEX_SEED=${seed}: ${counts.done} operations done, ${counts.refused} refused`);
    // About half of the operations are refused.
    expect(counts.done).toBeGreaterThan(counts.refused / 10);
  }, 120_000);
});
