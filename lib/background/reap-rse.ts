import { deleteFiles } from '../domain/deletion/delete-files.ts';
import { finishDeletion, noteFailures } from '../domain/deletion/finish-deletion.ts';
import { markReplicas } from '../domain/deletion/mark-replicas.ts';
import { openReplicaDeleter, type ReplicaDeleter } from '../domain/deletion/open-deleter.ts';
import { type Selection, selectReplicas } from '../domain/deletion/select-replicas.ts';
import { computeWantedSpace, findUsedSpace } from '../domain/deletion/wanted-space.ts';
import { formatDid } from '../domain/values/format-did.ts';
import { addIntegers, type Integer, negate } from '../integer.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import type { StorageFolders } from '../storage/posix/safe-path.ts';
import type { FileDid } from '../store/entities/did.ts';
import { getReaperState } from '../store/entities/reaper-state.ts';
import { listRseUsages } from '../store/entities/rse-usage.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { ReaperTurn } from './reaper-turn.ts';

/** What a reaper did on an RSE. */
export interface ReapedRse {
  readonly rse: string;
  /** Replicas that were deleted, and their bytes. */
  readonly deleted: number;
  readonly bytes: Integer;
  /** Replicas whose files could not be deleted. */
  readonly failed: number;
  /**
   * How it ended: nothing is left to do, the time was over, the storage refuses, another process is at it, Dapple speaks no
   * protocol of the RSE, or its folder is none that this process may use.
   */
  readonly ended: 'done' | 'unfinished' | 'resting' | 'busy' | 'noProtocol' | 'elsewhere';
}

/** The clock of a run, and its end. */
export interface RunTime {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly mayGoOn: () => boolean;
}

/** A list of which so many entries were read in vain is not read again for a while. */
const maxEntriesInVain = 1_000;

/** Time after the mark until which files are deleted: well within the lease of the mark. */
const maxDeletionMs = 300_000;

/**
 * Deletes replicas from an RSE, step by step: each marks up to 90 replicas, deletes their files from the storage, then the
 * replicas from the catalogue. It can be stopped at any time: what was marked is deleted by a later run, once ten minutes
 * are over. A file that is not there counts as deleted.
 *
 * @param options.folders Of the files of this machine only those below them are deleted.
 */
export async function reapRse(
  store: Store,
  rse: Rse,
  { time, folders }: { readonly time: RunTime; readonly folders: StorageFolders },
): Promise<ReapedRse> {
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
  const turn = new ReaperTurn(store, rse.id, { state, freed, reportedAt, now: time.now });
  let read = 0;
  const onRead = (entries: number) => {
    read += entries;
  };
  for await (const selection of selectReplicas(table.latest(), { rseId: rse.id, wanted, now: time.now(), onRead })) {
    if (!(await turn.begin(selection.bytes))) return { ...sum, ended: 'busy' };
    const { gone, failed, isRefused } = await deleteSelected(store, rse, { selection, deleter, time });
    const bytes = sumBytes(gone);
    turn.correct(addIntegers(bytes, negate(selection.bytes)));
    sum.deleted += gone.length;
    sum.bytes = addIntegers(sum.bytes, bytes);
    sum.failed += failed;
    if (isRefused) {
      await turn.rest();
      log.warn('a storage refuses deletions', { rse: rse.rse, ...countMetric('DeletionsRefused') });
      return { ...sum, ended: 'resting' };
    }
    if (!time.mayGoOn()) {
      await turn.end();
      return { ...sum, ended: 'unfinished' };
    }
  }
  await turn.end(read - sum.deleted > maxEntriesInVain);
  return { ...sum, ended: 'done' };
}

/** Files in a staging area belong to the storage, as in Rucio. */
const catalogueOnly: ReplicaDeleter = { delete: async () => 'deleted', mayUse: async () => true };

interface Step {
  readonly selection: Selection;
  readonly deleter: ReplicaDeleter;
  readonly time: RunTime;
}

async function deleteSelected(store: Store, { id: rseId }: Rse, { selection, deleter, time }: Step) {
  const at = time.now();
  const dids = selection.replicas.map(({ file: { scope, name } }) => ({ scope, name }));
  const marked = await markReplicas(store, { rseId, dids, at });
  const mayGoOn = () => time.mayGoOn() && time.now() < at + maxDeletionMs;
  const { gone, failures, isRefused } = await deleteFiles(marked, rseId, { deleter, mayGoOn });
  const finished = await finishDeletion(store, { rseId, dids: gone, at }, time.now());
  if (failures.size > 0) {
    const failed = marked.filter((file) => failures.has(formatDid(file)));
    await noteFailures(store, { rseId, dids: failed, at }, failures);
  }
  return { gone: finished, failed: failures.size, isRefused };
}

function sumBytes(files: readonly FileDid[]): Integer {
  return files.reduce<Integer>((sum, { bytes = 0 }) => addIntegers(sum, bytes), 0);
}
