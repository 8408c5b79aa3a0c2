import type { Integer } from '../../integer.ts';
import { StorageRefusal } from '../../movers/deletion.ts';
import { mapLimited } from '../../parallel.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { hasArrived } from '../locks/deletion-mark.ts';
import { formatDid } from '../values/format-did.ts';
import type { DeletionGuard, Verdict } from './deletion-guard.ts';
import type { ReplicaDeleter } from './open-deleter.ts';

/** The most files that are deleted from a storage in parallel. */
const maxParallelDeletions = 8;

/** Refusals after which the storage is probed, each time. */
const refusalsPerProbe = 10;

/** Results of the deletion of files from a storage. */
export interface DeletedFiles {
  /** The files that are gone, deleted now or absent before, and what that has freed, by `scope:name`. */
  readonly gone: ReadonlyMap<string, { readonly file: FileDid; readonly freed: Integer }>;
  /** Why others are still there, or may be, by `scope:name`. */
  readonly failures: ReadonlyMap<string, string>;
  /** The storage as a whole refuses. */
  readonly isRefused: boolean;
}

/** Deletes the files of marked replicas from the storage of their RSE. Files that the guard does not release stay. */
export async function deleteFiles(
  files: readonly FileDid[],
  rseId: string,
  { deleter, guard }: { readonly deleter: ReplicaDeleter; readonly guard: DeletionGuard },
): Promise<DeletedFiles> {
  const gone = new Map<string, { readonly file: FileDid; readonly freed: Integer }>();
  const failures = new Map<string, string>();
  let refusals = 0;
  let isRefused = false;
  const probe = async () => {
    isRefused ||= await refuses(deleter);
  };
  await mapLimited(files, maxParallelDeletions, async (file) => {
    if (isRefused || guard.isOver) return;
    const replica = file.replicas.get(rseId);
    let verdict: Verdict | undefined;
    const judge = async () => {
      verdict = await guard.judge(file);
      return verdict;
    };
    try {
      const { outcome, bytes = file.bytes ?? 0 } = await deleter.delete(
        file,
        replica?.path,
        async () => (await judge()) === 'delete',
      );
      const isGone = outcome === 'deleted' || ['delete', 'leave'].includes(verdict ?? (await judge()));
      const isFreed = outcome === 'deleted' && replica !== undefined && hasArrived(replica);
      if (isGone) gone.set(formatDid(file), { file, freed: isFreed ? bytes : 0 });
    } catch (error) {
      failures.set(formatDid(file), describeError(error));
      if (!(error instanceof StorageRefusal)) return;
      refusals += 1;
      if (refusals % refusalsPerProbe === 0) await probe();
    }
  });
  if (refusals > 0 && gone.size === 0) await probe();
  return { gone, failures, isRefused };
}

/** Whether a storage cannot be used as a whole, rather than some files of it. */
async function refuses(deleter: ReplicaDeleter): Promise<boolean> {
  try {
    await deleter.probe();
    return false;
  } catch {
    return true;
  }
}

/** In characters. */
const maxReasonLength = 255;

function describeError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxReasonLength);
}
