import { type FileDid, getFiles } from '../../store/entities/did.ts';
import type { Store } from '../../store/open-store.ts';
import { ReplicaChanges } from '../locks/replica-changes.ts';
import { formatDid } from '../values/format-did.ts';
import { isolate, leaveOut } from '../values/isolate.ts';
import { countReplicaLocks } from '../values/replica-state.ts';
import { isMarked, type Marking } from './mark-replicas.ts';
import { planDeletion } from './plan-deletion.ts';

/**
 * Deletes marked replicas from the catalogue after their files were deleted. One that another writer changed meanwhile is
 * left to that writer.
 *
 * One that fails does not hold back the others. A file that cannot be deleted stays marked, and the next run tries again once its
 * lease is over.
 *
 * @param now In milliseconds since 1970.
 * @returns The files whose replicas are gone.
 */
export async function finishDeletion(store: Store, marked: Marking, now: number): Promise<readonly FileDid[]> {
  const found = await isolate(marked.dids, {
    name: 'replicas whose files were deleted',
    run: (dids) => deleteMarked(store, { ...marked, dids }, now),
    setAside: async () => [],
    didOf: (did) => did,
  });
  return found.flat();
}

/** Why files of marked replicas could not be deleted. */
export interface Failures {
  /** By `scope:name`. */
  readonly reasons: ReadonlyMap<string, string>;
  /** It is because of these files: the storage can be used. They are left alone, for longer each time. */
  readonly areTheirOwn: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Notes why the files of marked replicas could not be deleted; events tell it. Where there is no room for the reason, only the
 * log tells it.
 */
export async function noteFailures(store: Store, marked: Marking, failures: Failures): Promise<void> {
  await isolate(marked.dids, {
    name: 'reasons of failed deletions',
    run: (dids) => noteReasons(store, { ...marked, dids }, failures),
    setAside: (_failed, error) => leaveOut(error, undefined),
    didOf: (did) => did,
  });
}

async function noteReasons(
  store: Store,
  { rseId, dids, mark }: Marking,
  { reasons, areTheirOwn, now }: Failures,
): Promise<void> {
  await store.write(
    async (latest) => {
      const changes = new ReplicaChanges(now);
      for (const file of await getFiles(latest, dids)) {
        const replica = file.replicas.get(rseId);
        const deletionError = reasons.get(formatDid(file));
        if (deletionError === undefined || !isMarked(replica, mark) || replica.mark === undefined) continue;
        const refusals = (replica.mark.refusals ?? 0) + (areTheirOwn ? 1 : 0);
        changes.set(file, rseId, { ...replica, deletionError, mark: { ...replica.mark, refusals } });
      }
      return changes.writes(new Map());
    },
    { inBackground: true },
  );
}

async function deleteMarked(store: Store, { rseId, dids, mark }: Marking, now: number): Promise<readonly FileDid[]> {
  return store.decide(async (latest) => {
    const files = await getFiles(latest, dids);
    const deleted = files.filter(({ replicas }) => {
      const replica = replicas.get(rseId);
      // No rule locks a marked replica. If one did, its file would be lost, so this is checked.
      return isMarked(replica, mark) && countReplicaLocks(replica) === 0;
    });
    const writes = deleted.length === 0 ? [] : await planDeletion(latest, { rseId, files: deleted, now });
    return { writes, answer: deleted };
  });
}
