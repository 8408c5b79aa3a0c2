import { ReplicaState } from '../contract/schemas/states.ts';
import { deleteFiles } from '../domain/deletion/delete-files.ts';
import { DeletionGuard } from '../domain/deletion/deletion-guard.ts';
import { finishDeletion, noteFailures } from '../domain/deletion/finish-deletion.ts';
import { markReplicas, unmarkReplicas } from '../domain/deletion/mark-replicas.ts';
import { openReplicaDeleter, type ReplicaDeleter } from '../domain/deletion/open-deleter.ts';
import { type Selection, selectReplicas } from '../domain/deletion/select-replicas.ts';
import { computeWantedSpace } from '../domain/deletion/wanted-space.ts';
import { findUsedSpace } from '../domain/rses/space-sources.ts';
import { formatDid } from '../domain/values/format-did.ts';
import { newId } from '../domain/values/ids.ts';
import { addIntegers, type Integer, negate } from '../integer.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import type { StorageFolders } from '../movers/posix/safe-path.ts';
import { getReaperState } from '../store/entities/reaper-state.ts';
import { listRseUsages } from '../store/entities/rse-usage.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { ReaperTurn } from './reaper-turn.ts';

/** The result of a reaper's run on an RSE. */
export interface ReapedRse {
  readonly rse: string;
  /** Replicas that were deleted. */
  readonly deleted: number;
  /** Bytes freed on the storage: none for files that were not there. */
  readonly bytes: Integer;
  /** Replicas whose files could not be deleted. */
  readonly failed: number;
  /**
   * How it ended: nothing is left to do, the time was over, the RSE was switched off or changed, the storage refuses, another
   * process is at it, Dapple speaks no protocol of the RSE, or its folder is none that this process may use.
   */
  readonly ended: 'done' | 'unfinished' | 'stopped' | 'resting' | 'busy' | 'noProtocol' | 'elsewhere';
}

/** The clock of a run, and its end. */
export interface RunTime {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly mayGoOn: () => boolean;
}

/** Consecutive steps without a deleted file, each file refused by itself, after which the rest is left to the next run. */
const maxFruitlessSteps = 3;

/** Time after the mark until which files are deleted: well within the lease of the mark. */
const maxDeletionMs = 300_000;

/** The limits of a run. */
export interface ReapingTerms {
  readonly time: RunTime;
  /** The folders of this machine in which files may be deleted. */
  readonly folders: StorageFolders;
  /** Whether anything may be deleted from the RSE as it is; asked again before each file. */
  readonly mayReap: (rse: Rse) => boolean;
}

/**
 * Deletes replicas from an RSE, step by step: each marks up to 90 replicas, deletes their files from the storage, then the
 * replicas from the catalogue. It can be stopped at any time: what was marked is deleted by a later run, once ten minutes
 * are over. A file that is not there counts as deleted.
 */
export async function reapRse(store: Store, rse: Rse, terms: ReapingTerms): Promise<ReapedRse> {
  const { time, folders } = terms;
  const sum = { rse: rse.rse, deleted: 0, bytes: 0 as Integer, failed: 0 };
  const deleter = rse.stagingArea ? catalogueOnly : openReplicaDeleter(rse, folders);
  if (deleter === undefined) return { ...sum, ended: 'noProtocol' };
  if (!(await deleter.mayUse())) {
    log.warn('the files of an RSE are in no folder that this process may use', { rse: rse.rse });
    return { ...sum, ended: 'elsewhere' };
  }
  const { table } = store.begin();
  const state = await getReaperState(table, rse.id);
  if ((state?.restUntil ?? 0) > time.now()) return { ...sum, ended: 'resting' };
  if ((state?.leasedUntil ?? 0) > time.now()) return { ...sum, ended: 'busy' };
  const usages = await listRseUsages(table, rse.id);
  const reportedAt = findUsedSpace(rse, usages)?.updatedAt;
  const freed = state?.reportedAt === reportedAt ? (state?.freed ?? 0) : 0;
  const wanted = computeWantedSpace(rse, usages, freed);
  if (wanted.kind === 'obsolete' && wanted.isOverstated === true)
    log.warn('the sizes in the catalogue are more than the storage has: no space is freed for it', { rse: rse.rse });
  const turn = new ReaperTurn(store, rse.id, { state, freed, reportedAt, now: time.now });
  let [read, fruitless] = [0, 0];
  const onRead = (entries: number) => {
    read += entries;
  };
  for await (const selection of selectReplicas(table.latest(), { rseId: rse.id, wanted, now: time.now(), onRead })) {
    if (!(await turn.begin(selection.bytes))) return { ...sum, ended: 'busy' };
    const step = await deleteSelected(store, rse, { ...terms, selection, deleter });
    turn.correct(addIntegers(step.freed, negate(selection.bytes)));
    sum.deleted += step.deleted;
    sum.bytes = addIntegers(sum.bytes, step.freed);
    sum.failed += step.failed;
    fruitless = step.failed > 0 && step.deleted === 0 ? fruitless + 1 : 0;
    if (step.isRefused || fruitless === maxFruitlessSteps)
      log.warn('a storage refuses deletions', { rse: rse.rse, ...countMetric('DeletionsRefused') });
    if (step.isRefused) {
      await turn.rest();
      return { ...sum, ended: 'resting' };
    }
    if (step.isStopped || !time.mayGoOn() || fruitless === maxFruitlessSteps) {
      await turn.end();
      if (step.error !== undefined) throw step.error;
      return { ...sum, ended: step.isStopped ? 'stopped' : 'unfinished' };
    }
  }
  await turn.end(read - sum.deleted);
  return { ...sum, ended: 'done' };
}

/** Files in a staging area belong to the storage, as in Rucio. */
const catalogueOnly: ReplicaDeleter = {
  delete: async (_did, _path, confirm) => ({ outcome: (await confirm()) ? 'absent' : 'kept' }),
  probe: async () => {},
  mayUse: async () => true,
};

interface Step extends ReapingTerms {
  readonly selection: Selection;
  readonly deleter: ReplicaDeleter;
}

async function deleteSelected(store: Store, rse: Rse, { selection, deleter, time, mayReap }: Step) {
  const [at, mark, rseId] = [time.now(), newId(), rse.id];
  const wanted = selection.replicas.map(({ file: { scope, name } }) => ({ scope, name }));
  const marked = await markReplicas(store, { rseId, dids: wanted, mark }, at);
  const mayGoOn = () => time.mayGoOn() && time.now() < at + maxDeletionMs;
  const guard = new DeletionGuard(store, { rse, mark, mayReap, mayGoOn });
  const { gone, failures, isRefused } = await deleteFiles(marked, rseId, { deleter, guard });
  const files = [...gone.values()].map(({ file }) => file);
  const finished = await finishDeletion(store, { rseId, dids: files, mark }, time.now());
  const failed = marked.filter((file) => failures.has(formatDid(file)));
  if (failed.length > 0) {
    const reasons = { reasons: failures, areTheirOwn: !isRefused, now: time.now() };
    await noteFailures(store, { rseId, dids: failed, mark }, reasons);
  }
  // A file may be damaged if an earlier run has begun its deletion.
  const begun = new Set(
    selection.replicas.filter(({ replica }) => isBegun(replica.state)).map(({ file }) => formatDid(file)),
  );
  const untouched = marked.map(formatDid).filter((did) => !gone.has(did) && !failures.has(did) && !begun.has(did));
  if (untouched.length > 0) {
    const dids = marked.filter((file) => untouched.includes(formatDid(file)));
    await unmarkReplicas(store, { rseId, dids, mark }, time.now());
  }
  const freed = finished.map((file) => gone.get(formatDid(file))?.freed ?? 0);
  return {
    deleted: finished.length,
    freed: freed.reduce<Integer>((sum, bytes) => addIntegers(sum, bytes), 0),
    failed: failures.size,
    isRefused,
    isStopped: guard.isStopped,
    error: guard.error,
  };
}

const isBegun = (state: ReplicaState) => state === ReplicaState.BEING_DELETED;
