import type { OpendataState } from '../../lib/contract/schemas/states.ts';
import { rowsOf } from '../../lib/domain/paging/page.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { setLimitOnRse } from '../../lib/operations/accounts/set-account-limits.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { setStatus } from '../../lib/operations/dids/set-status.ts';
import { addDiracFiles } from '../../lib/operations/dirac/add-files.ts';
import { addOpendata, removeOpendata, updateOpendata } from '../../lib/operations/opendata/change-opendata.ts';
import { getOpendataDid } from '../../lib/operations/opendata/get-opendata.ts';
import { listOpendataDids } from '../../lib/operations/opendata/list-opendata.ts';
import { listDiskPfns } from '../../lib/operations/replicas/list-disk-pfns.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { setRseAttribute } from '../../lib/operations/rses/set-attribute.ts';
import type { Bench } from './bench.ts';

const scope = 'published';
const did = (name: string) => ({ scope, name });
const unchanged = { state: undefined, meta: undefined, doi: undefined, record_id: undefined };
const parts = { files: false, meta: false, doi: true, record_id: true, download_urls: false };
const few = 10;
const bulk = 1_000;

const lfns = (folder: string, count: number, name = 'f') =>
  Array.from({ length: count }, (_value, index) => ({
    lfn: `/${scope}/${scope}/${folder}/data/${name}.${index}`,
    rse: 'BENCH_DIRAC',
    bytes: 1_048_576,
    adler32: '0cc737eb',
  }));
const add = (folder: string, count: number, name?: string) => (context: Context) =>
  addDiracFiles(context, { lfns: lfns(folder, count, name), ignore_availability: false });

async function list(context: Context, state: OpendataState | undefined): Promise<unknown> {
  const { rows } = await listOpendataDids(context, { offset: 0, state }, { limit: few });
  return Array.fromAsync(rowsOf(rows, few));
}

/** Entries of open data, and an RSE for the files of DIRAC with a first file. */
export async function seedPublications(asRoot: () => Context): Promise<void> {
  await addScope(asRoot(), { scope, account: 'root' });
  for (let index = 0; index < few + 1; index += 1) {
    await addDid(asRoot(), did(`ds.${index}`), { type: 'DATASET' });
    if (index < few) await addOpendata(asRoot(), did(`ds.${index}`));
  }
  await setStatus(asRoot(), did('ds.0'), { open: false });
  await addRse(asRoot(), 'BENCH_DIRAC', {});
  await setRseAttribute(asRoot(), { rse: 'BENCH_DIRAC', key: 'ANY', value: 'true' });
  await setLimitOnRse(asRoot(), { account: 'root', rse: 'BENCH_DIRAC', bytes: 1e15 });
  await add('first', 1)(asRoot());
}

/** Operations on open data, and DIRAC's. */
export const publicationBenches: readonly Bench[] = [
  {
    what: 'list 10 open data, of any state',
    run: (context) => list(context, undefined),
    budget: { roundTrips: 3, rru: 14, wru: 0 },
  },
  {
    what: 'list open data of a state, none',
    run: (context) => list(context, 'SUSPENDED'),
    budget: { roundTrips: 2, rru: 5, wru: 0 },
  },
  {
    what: 'get an entry of open data',
    run: (context) => getOpendataDid(context, did('ds.1'), parts, { listPfns: listDiskPfns, maxAttachments: bulk }),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
  },
  {
    what: 'add an entry of open data',
    run: (context) => addOpendata(context, did(`ds.${few}`)),
    budget: { roundTrips: 2, rru: 2, wru: 10 },
  },
  {
    what: 'set DOI, record and metadata of an entry',
    run: (context) =>
      updateOpendata(context, did('ds.2'), { ...unchanged, doi: '10.1234/x', record_id: 7, meta: '{"a":1}' }),
    budget: { roundTrips: 2, rru: 2, wru: 8 },
  },
  {
    what: 'publish an entry',
    run: (context) => updateOpendata(context, did('ds.0'), { ...unchanged, state: 'PUBLIC' }),
    budget: { roundTrips: 3, rru: 3, wru: 12 },
  },
  {
    what: 'remove an entry of open data',
    run: (context) => removeOpendata(context, did('ds.3')),
    budget: { roundTrips: 2, rru: 1, wru: 6 },
  },
  {
    what: 'add a file of DIRAC to its dataset',
    run: add('first', 1, 'again'),
    budget: { roundTrips: 8, rru: 16, wru: 26 },
  },
  {
    what: 'add a file of DIRAC to a new dataset in a new container',
    run: add('third', 1),
    // Usage is read after the limits, once for the rule of the dataset and once for those of the files.
    budget: { roundTrips: 17, rru: 24, wru: 38 },
  },
  {
    what: 'add 1,000 files of DIRAC to a new dataset',
    run: add('second', bulk),
    budget: { roundTrips: 17, rru: bulk + 20, wru: 7 * bulk + 101 },
  },
];
