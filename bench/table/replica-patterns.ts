import { replicaQuery } from '../../lib/contract/schemas/replica.ts';
import { finishDeletion } from '../../lib/domain/deletion/finish-deletion.ts';
import { markReplicas } from '../../lib/domain/deletion/mark-replicas.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../lib/operations/dids/attach-dids.ts';
import { addReplicas } from '../../lib/operations/replicas/add-replicas.ts';
import { declareBad } from '../../lib/operations/replicas/declare-replicas.ts';
import { deleteReplicas } from '../../lib/operations/replicas/delete-replicas.ts';
import { listDatasetReplicas } from '../../lib/operations/replicas/list-dataset-replicas.ts';
import { listDeletableReplicas } from '../../lib/operations/replicas/list-deletable.ts';
import { listReplicas } from '../../lib/operations/replicas/list-replicas.ts';
import { readReplicaQuery } from '../../lib/operations/replicas/replica-query.ts';
import { setTombstone } from '../../lib/operations/replicas/set-tombstone.ts';
import { updateReplicas } from '../../lib/operations/replicas/update-replicas.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { getRseId } from '../../lib/store/entities/rse.ts';
import type { Bench } from './bench.ts';

const scope = 'bench';
const bulk = 1_000;
/** As many replicas as the reaper deletes together. */
const some = 90;
const [disk, tape] = ['BENCH_DISK', 'BENCH_TAPE'];
const did = (name: string) => ({ scope, name });
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_value, index) => did(`${prefix}.${String(index).padStart(6, '0')}`));
const files = (prefix: string, count: number) =>
  names(prefix, count).map((file) => Object.assign(file, { bytes: 1_048_576, adler32: '0cc737eb' }));

/**
 * A dataset of 1,000 files, 100 of them with a second replica on another RSE, and one of 100 that lie only there; 90 files with two
 * replicas.
 */
export async function seedReplicas(asRoot: () => Context): Promise<void> {
  await addRse(asRoot(), tape, {});
  await addDid(asRoot(), did('copied'), { type: 'DATASET', rse: disk, dids: files('copied', bulk) });
  await addDid(asRoot(), did('copies'), { type: 'CONTAINER', dids: [did('copied')] });
  await addReplicas(asRoot(), { rse: tape, files: files('copied', 100), ignore_availability: false });
  for (const rse of [disk, tape])
    await addReplicas(asRoot(), { rse, files: files('spare', some), ignore_availability: false });
  await addDid(asRoot(), did('lonely'), { type: 'DATASET' });
  await addReplicas(asRoot(), { rse: tape, files: files('lonely', 100), ignore_availability: false });
  await attachDids(asRoot(), did('lonely'), names('lonely', 100), undefined);
}

async function expectLines(lines: AsyncIterable<unknown>, expected: number): Promise<void> {
  const found = (await Array.fromAsync(lines)).length;
  if (found !== expected) throw new Error(`${found} lines instead of ${expected}`);
}

const list = (context: Context, dids: readonly object[], more: object = {}) =>
  expectLines(listReplicas(context, readReplicaQuery(replicaQuery.parse({ dids, ...more }), {}, false)), bulk);

/** The RSE of the second copies, and a mark of replicas there. */
async function findTape({ store: { table } }: Context): Promise<{ rseId: string; mark: string }> {
  return { rseId: (await getRseId(table, tape)) ?? '', mark: 'bench' };
}

/** A time at which all tombstones have passed, in milliseconds since 1970. */
const markedAt = 4_000_000_000_000;

/** Operations on replicas, from registration to the deletion of the last one of a file. */
export const replicaBenches: readonly Bench[] = [
  {
    what: `list the replicas of ${bulk} files`,
    run: (context) => list(context, names('copied', bulk)),
    // The files, all batches at once, and the version of the fleet.
    budget: { roundTrips: 1, rru: bulk + 1, wru: 0 },
    floor: { rru: bulk },
  },
  {
    what: `list the replicas of a dataset, ${bulk} files`,
    run: (context) => list(context, [did('copied')]),
    // The content besides.
    budget: { roundTrips: 4, rru: bulk + 64 + 2, wru: 0 },
    floor: { rru: bulk + 40 },
  },
  {
    what: `list the replicas of a container with parents, ${bulk} files`,
    run: (context) => list(context, [did('copies')], { resolve_parents: true }),
    // A query of half a unit for each file and collection besides, 50 at once.
    budget: { rru: bulk + bulk / 2 + 80, wru: 0 },
  },
  {
    what: `count the replicas of a dataset by RSE, deep, ${bulk} files`,
    run: (context) => expectLines(listDatasetReplicas(context, did('copied'), true), 2),
    budget: { roundTrips: 4, rru: bulk + 64 + 2, wru: 0 },
    floor: { rru: bulk + 40 },
  },
  {
    what: `register ${bulk} new files on an RSE`,
    run: (context) => addReplicas(context, { rse: disk, files: files('arrived', bulk), ignore_availability: false }),
    // A read of each file, the scope, the fleet; the batch, the lists of new files, the usage; that the RSE is not closed.
    budget: { roundTrips: 4, rru: bulk + 2, wru: 2 * bulk + 31 },
    floor: { wru: 2 * bulk },
  },
  {
    what: 'register a new file on an RSE',
    run: (context) => addReplicas(context, { rse: disk, files: files('alone', 1), ignore_availability: false }),
    // A transaction: the file, the content of the RSE, the list of new files, the usage; that the RSE is not closed.
    budget: { roundTrips: 2, rru: 2, wru: 10 },
  },
  {
    what: `register ${bulk} files that are there`,
    run: (context) => addReplicas(context, { rse: disk, files: files('arrived', bulk), ignore_availability: false }),
    budget: { roundTrips: 1, rru: bulk + 1, wru: 0 },
    floor: { rru: bulk },
  },
  {
    what: 'change the state of a replica',
    run: (context) => updateReplicas(context, { rse: disk, files: [{ ...did('arrived.000000'), state: 'C' }] }),
    budget: { roundTrips: 2, rru: 2, wru: 1 },
    floor: { wru: 1 },
  },
  {
    what: `change the states of ${bulk} replicas`,
    run: (context) =>
      updateReplicas(context, {
        rse: disk,
        files: names('arrived', bulk).map((file) => Object.assign(file, { state: 'A' as const })),
      }),
    // Twice: staged, and folded once it is decided.
    budget: { roundTrips: 7, rru: bulk + 1, wru: 2 * bulk + 50 },
  },
  {
    what: 'set the tombstones of 100 replicas',
    run: (context) =>
      setTombstone(
        context,
        names('arrived', 100).map((file) => Object.assign(file, { rse: disk })),
      ),
  },
  {
    what: `set the tombstones of ${some} replicas of files that have others`,
    run: (context) =>
      setTombstone(
        context,
        names('spare', some).map((file) => Object.assign(file, { rse: tape })),
      ),
    // Each is staged and folded, and entered in the list.
    budget: { roundTrips: 6, rru: some + 1, wru: 3 * some + 8 },
  },
  {
    what: `list the ${some} replicas that may be deleted from an RSE`,
    run: (context) => expectLines(listDeletableReplicas(context, tape), some),
    // The version of the fleet, a query for each of four shards, the files.
    budget: { roundTrips: 3, rru: some + 4 + 1, wru: 0 },
    floor: { rru: some },
  },
  {
    what: `mark ${some} replicas that are to be deleted`,
    run: async (context) => {
      const dids = names('spare', some);
      const marked = await markReplicas(context.store, { ...(await findTape(context)), dids }, markedAt);
      if (marked.length !== some) throw new Error(`${marked.length} replicas were marked`);
    },
    // A transaction of the files.
    budget: { roundTrips: 3, rru: some + 2, wru: 2 * some },
  },
  {
    what: `delete ${some} marked replicas of files that have others`,
    run: async (context) => {
      const dids = names('spare', some);
      const gone = await finishDeletion(context.store, { ...(await findTape(context)), dids }, context.now);
      if (gone.length !== some) throw new Error(`${gone.length} replicas were deleted`);
    },
    // The file, the content of the RSE, the entry in the list: each is staged and folded.
    budget: { roundTrips: 7, rru: some + 2, wru: 6 * some + 10 },
  },
  {
    what: 'declare 100 replicas bad',
    run: (context) =>
      declareBad(context, {
        replicas: names('arrived', 100).map((file) => Object.assign(file, { rse: disk })),
        pfns: [],
        reason: 'bench',
        force: false,
      }),
  },
  {
    what: 'delete 100 replicas of files that have others',
    run: (context) => deleteReplicas(context, { rse: tape, files: names('copied', 100), ignore_availability: false }),
  },
  {
    what: 'delete the last replicas of the 100 files of a dataset',
    run: (context) => deleteReplicas(context, { rse: tape, files: names('lonely', 100), ignore_availability: false }),
  },
];
