import { mapLimited } from '../../parallel.ts';
import { StorageRefusal } from '../../storage/deletion.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { formatDid } from '../values/format-did.ts';
import type { ReplicaDeleter } from './open-deleter.ts';

/** Files that are deleted from a storage in parallel. */
const maxParallelDeletions = 8;

/** After so many refusals the storage is left alone. */
const maxRefusals = 10;

/** What became of files that were to be deleted from a storage. */
export interface DeletedFiles {
  /** The files that are gone: deleted now, or absent before. */
  readonly gone: readonly FileDid[];
  /** Why others are still there, or may be, by `scope:name`. */
  readonly failures: ReadonlyMap<string, string>;
  /** The storage refuses: too many refusals, or nothing but refusals. */
  readonly isRefused: boolean;
}

/**
 * Deletes the files of replicas from the storage of their RSE.
 *
 * @param options.mayGoOn Asked before each file; false leaves the rest.
 */
export async function deleteFiles(
  files: readonly FileDid[],
  rseId: string,
  { deleter, mayGoOn }: { readonly deleter: ReplicaDeleter; readonly mayGoOn: () => boolean },
): Promise<DeletedFiles> {
  const gone: FileDid[] = [];
  const failures = new Map<string, string>();
  let refusals = 0;
  await mapLimited(files, maxParallelDeletions, async (file) => {
    if (refusals >= maxRefusals || !mayGoOn()) return;
    try {
      await deleter.delete(file, file.replicas.get(rseId)?.path);
      gone.push(file);
    } catch (error) {
      if (error instanceof StorageRefusal) refusals += 1;
      failures.set(formatDid(file), describeError(error));
    }
  });
  return { gone, failures, isRefused: refusals >= maxRefusals || (refusals > 0 && gone.length === 0) };
}

/** In characters. */
const maxReasonLength = 255;

function describeError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxReasonLength);
}
