import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { isUnavailable } from '../../errors.ts';
import { log } from '../../log.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import type { Store } from '../../store/open-store.ts';
import { LockUpdates } from '../locks/lock-updates.ts';
import { ReplicaChanges } from '../locks/replica-changes.ts';
import { markGone } from '../replicas/mark-gone.ts';
import { planFollowed } from '../rules/life-cycle/follow-at-once.ts';
import { formatDid } from '../values/format-did.ts';
import { countReplicaLocks } from '../values/replica-state.ts';
import { isMarked } from './mark-replicas.ts';
import { planDeletion } from './plan-deletion.ts';

/** Replicas of an RSE that were marked at a time. */
export interface MarkedReplicas {
  readonly rseId: string;
  readonly dids: readonly DidKey[];
  readonly at: number;
}

/**
 * Deletes marked replicas from the catalogue after their files were deleted. One that a rule has locked meanwhile is copied
 * again instead, if there is a source. One that was changed otherwise belongs to whoever changed it.
 *
 * A plan that fails is split, so that one replica does not hold back the others. What cannot be deleted stays marked, and the
 * next run deletes it anew once its lease is over.
 *
 * @param now In milliseconds since 1970.
 * @returns The files whose replicas are gone.
 */
export async function finishDeletion(store: Store, marked: MarkedReplicas, now: number): Promise<readonly FileDid[]> {
  try {
    const { deleted, hasLocked } = await deleteUnlocked(store, marked, now);
    if (hasLocked) await replaceLocked(store, marked, now);
    return deleted;
  } catch (error) {
    const { dids } = marked;
    if (dids.length <= 1 || isUnavailable(error)) {
      log.error('replicas whose files were deleted are still in the catalogue', {
        dids: dids.slice(0, 10).map(formatDid),
        count: dids.length,
        error: error as Error,
      });
      return [];
    }
    const middle = Math.ceil(dids.length / 2);
    const halves = [dids.slice(0, middle), dids.slice(middle)];
    const found: FileDid[] = [];
    for (const half of halves) found.push(...(await finishDeletion(store, { ...marked, dids: half }, now)));
    return found;
  }
}

/** Notes why the files of marked replicas could not be deleted, by `scope:name`; events tell it. */
export async function noteFailures(
  store: Store,
  marked: MarkedReplicas,
  reasons: ReadonlyMap<string, string>,
): Promise<void> {
  const { rseId, dids, at } = marked;
  await store.write(
    async (latest) => {
      const changes = new ReplicaChanges(at);
      for (const file of await getFiles(latest, dids)) {
        const replica = file.replicas.get(rseId);
        const deletionError = reasons.get(formatDid(file));
        if (deletionError === undefined || !isMarked(replica, at)) continue;
        changes.set(file, rseId, { ...replica, deletionError });
      }
      return changes.writes(new Map());
    },
    { inBackground: true },
  );
}

async function deleteUnlocked(store: Store, { rseId, dids, at }: MarkedReplicas, now: number) {
  return store.decide(async (latest) => {
    const marked = (await getFiles(latest, dids)).flatMap((file) => {
      const replica = file.replicas.get(rseId);
      return isMarked(replica, at) ? [{ file, isLocked: countReplicaLocks(replica) > 0 }] : [];
    });
    const deleted = marked.flatMap(({ file, isLocked }) => (isLocked ? [] : [file]));
    const writes = deleted.length === 0 ? [] : await planDeletion(latest, { rseId, files: deleted, now });
    return { writes, answer: { deleted, hasLocked: marked.length > deleted.length } };
  });
}

/** Replicas that a rule has locked since they were marked: their files are gone. */
async function replaceLocked(store: Store, { rseId, dids, at }: MarkedReplicas, now: number): Promise<void> {
  let attempt = 0;
  await store.write(async (latest) => {
    attempt += 1;
    const locked = (await getFiles(latest, dids)).flatMap((file) => {
      const replica = file.replicas.get(rseId);
      return isMarked(replica, at) && countReplicaLocks(replica) > 0 ? [{ file, replica }] : [];
    });
    if (locked.length === 0) return [];
    const updates = await LockUpdates.open(
      latest,
      locked.map(({ replica }) => replica),
      now,
    );
    for (const { file, replica } of locked) {
      updates.set(file, rseId, { ...replica, state: ReplicaState.UNAVAILABLE });
      markGone(updates, file, rseId, now);
    }
    return planFollowed(latest.latest(), updates, attempt, now);
  });
}
