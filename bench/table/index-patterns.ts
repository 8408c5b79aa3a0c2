import type { Context } from '../../lib/domain/values/context.ts';
import { getConfigOption } from '../../lib/operations/config/get-config.ts';
import { setConfig } from '../../lib/operations/config/set-config.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { search } from '../../lib/operations/dids/search.ts';
import { setDidsMetadataBulk, setMetadata } from '../../lib/operations/dids/set-metadata.ts';
import type { Bench } from './bench.ts';

/** The scope that grows with the catalogue. */
const scope = 'bench';
const did = (name: string) => ({ scope, name });
const run = { run_number: 358_031, datatype: 'AOD' };

const files = (prefix: string, count: number, meta: Readonly<Record<string, unknown>>) =>
  Array.from({ length: count }, (_value, index) => ({
    scope,
    name: `${prefix}.${String(index).padStart(6, '0')}`,
    bytes: 1_048_576,
    adler32: '0cc737eb',
    meta,
  }));
const sets = Array.from({ length: 100 }, (_value, index) => `neighbour.${index}`);

/** Free metadata of the 100 files that are searched, and of the 3,000 beside them. */
const hit = { block: 7, tag: 'hit.main', shift: 'night' };
const miss = { block: -7, tag: 'miss.main', shift: 'night' };

/** 100 files of a run, every second one from a stream, and 3,000 of another run with the same datatype. */
export async function seedIndexed(asRoot: () => Context): Promise<void> {
  const make = (name: string, dids: ReturnType<typeof files>) =>
    addDid(asRoot(), did(name), { type: 'DATASET', rse: 'BENCH_DISK', dids });
  await make('run', [
    ...files('run.main', 50, { ...run, ...hit, stream_name: 'main' }),
    ...files('run.other', 50, { ...run, ...hit, stream_name: 'express' }),
  ]);
  for (const part of [1, 2, 3])
    await make(`runs.${part}`, files(`runs.${part}`, 1_000, { ...run, ...miss, run_number: part }));
}

async function find(context: Context, parameters: Readonly<Record<string, string>>, expected: number): Promise<void> {
  const options = { long: true, recursive: false, explain: false };
  const rows = await Array.fromAsync(search(context, scope, { type: 'file', ...parameters }, options));
  if (rows.length !== expected) throw new Error(`the search found ${rows.length} instead of ${expected}`);
}

/** 100 entries of 160 bytes at most, in units of 4 KB, and one unit a shard. */
const hits = { roundTrips: 1, rru: 4 + 4, wru: 0 };

/** Searches and writes with the metadata index, and the configuration. */
export const indexBenches: readonly Bench[] = [
  {
    what: 'search 100 files by an indexed metadata key',
    run: (context) => find(context, { run_number: '358031' }, 100),
    budget: hits,
    floor: { rru: 4 },
  },
  {
    what: 'search 100 files by two indexed metadata keys, one of which 3,100 have',
    run: (context) => find(context, { datatype: 'AOD', run_number: '358031' }, 100),
    budget: hits,
    floor: { rru: 4 },
  },
  {
    what: 'search 50 files by two indexed metadata keys and another one',
    run: (context) => find(context, { datatype: 'AOD', run_number: '358031', stream_name: 'main' }, 50),
    // The 100 DIDs with the indexed values are read.
    budget: { roundTrips: 2, rru: hits.rru + 100, wru: 0 },
  },
  {
    what: 'register 1000 files with two indexed metadata keys and attach them',
    run: (context) =>
      addDid(context, did('indexed'), {
        type: 'DATASET',
        rse: 'BENCH_DISK',
        dids: files('indexed', 1_000, { ...run, run_number: 4 }),
      }),
    // One write for each key, beside the four of a file without.
    // Three of them say that the RSE is not closed.
    budget: { roundTrips: 5, wru: 6 * 1_000 + 36 },
  },
  {
    what: 'set an indexed metadata key of a dataset',
    run: (context) => setMetadata(context, did('full'), { key: 'campaign', value: 'mc26', recursive: false }),
    // A transaction of the DID, which is in an index of the table, and of its entry: two units each.
    budget: { roundTrips: 2, rru: 1, wru: 6 },
  },
  {
    what: 'set an indexed metadata key of 100 datasets',
    run: (context) =>
      setDidsMetadataBulk(
        context,
        sets.map((name) => ({ scope, name, meta: { campaign: 'mc26' } })),
      ),
    budget: { roundTrips: 5, rru: 100, wru: 510 },
  },
  {
    what: 'search 100 files by a free metadata key',
    run: (context) => find(context, { block: '7' }, 100),
    budget: hits,
    floor: { rru: 4 },
  },
  {
    what: 'search 100 files by a range of numbers of a free metadata key',
    run: (context) => find(context, { 'block.gt': '0', 'block.lte': '7.5' }, 100),
    budget: hits,
    floor: { rru: 4 },
  },
  {
    what: 'search 100 files by a prefix of texts of a free metadata key',
    run: (context) => find(context, { tag: 'hit*' }, 100),
    budget: hits,
    floor: { rru: 4 },
  },
  {
    what: 'search 100 files by two free metadata keys, one of which 3,100 have',
    run: (context) => find(context, { shift: 'night', block: '7' }, 100),
    // The first pages of both lists, and the 100 DIDs in the shorter one.
    budget: { roundTrips: 2, rru: 2 * hits.rru + 100, wru: 0 },
  },
  {
    what: 'search by a metadata key that nobody has set',
    run: (context) => find(context, { unheard: '7' }, 0),
    budget: { roundTrips: 2, rru: 5, wru: 0 },
  },
  {
    what: 'register 1000 files with two free metadata keys and attach them',
    run: (context) =>
      addDid(context, did('free'), {
        type: 'DATASET',
        rse: 'BENCH_DISK',
        dids: files('free', 1_000, { block: -8, shift: 'day' }),
      }),
    // One write for each key, beside the four of a file without.
    budget: { roundTrips: 5, wru: 6 * 1_000 + 33 },
  },
  {
    what: 'set a free metadata key of a dataset',
    run: (context) => setMetadata(context, did('full'), { key: 'shift', value: 'late', recursive: false }),
    budget: { roundTrips: 2, rru: 1, wru: 6 },
  },
  {
    what: 'set a free metadata key of 100 datasets',
    run: (context) =>
      setDidsMetadataBulk(
        context,
        sets.map((name) => ({ scope, name, meta: { shift: 'late' } })),
      ),
    budget: { roundTrips: 5, rru: 100, wru: 510 },
  },
  {
    what: 'set an option of the configuration',
    run: (context) => setConfig(context, { bench: { option: 'value' } }),
    budget: { roundTrips: 2, rru: 1, wru: 1 },
  },
  {
    what: 'get an option of the configuration',
    run: (context) => getConfigOption(context, { section: 'bench', option: 'option' }),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
  },
];
