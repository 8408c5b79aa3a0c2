import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { type FileDid, getFiles, type Replica } from '../../store/entities/did.ts';
import type { Store } from '../../store/open-store.ts';
import { noteFreedBy, owner } from '../locks/freed-by.ts';
import { ReplicaChanges } from '../locks/replica-changes.ts';
import { formatDid } from '../values/format-did.ts';
import { isolate, leaveOut } from '../values/isolate.ts';
import { findNeeded } from './find-needed.ts';
import { isDeletable } from './is-deletable.ts';

/** The most replicas that are marked together: as many as a transaction holds. */
export const maxMarkedReplicas = 90;

/** Replicas of an RSE, and the mark that a reaper gives them, or has given them. */
export interface Marking {
  readonly rseId: string;
  readonly dids: readonly DidKey[];
  /** The id of the mark: another one each time. */
  readonly mark: string;
}

/**
 * Marks replicas as being deleted, if they still may be: from then on no rule chooses them, and nobody else deletes them for
 * ten minutes. Their tombstones stay, and with them their places in the list. One that cannot be marked holds back no other; a
 * later run tries it again.
 *
 * @param at The time of the mark, in milliseconds since 1970.
 * @returns The files whose replicas were marked.
 */
export async function markReplicas(store: Store, marking: Marking, at: number): Promise<readonly FileDid[]> {
  const marked = await isolate(marking.dids, {
    name: 'replicas to be marked as being deleted',
    run: (dids) => markTogether(store, { ...marking, dids }, at),
    setAside: (_failed, error) => leaveOut<readonly FileDid[]>(error, []),
    didOf: (did) => did,
  });
  return marked.flat();
}

async function markTogether(store: Store, { rseId, dids, mark }: Marking, at: number): Promise<readonly FileDid[]> {
  return store.decide(
    async (latest) => {
      const files = await getFiles(latest, dids);
      const deletable = files.filter((file) => isDeletable(file, rseId, at));
      const { needed, letGo } = await findNeeded(latest.latest(), deletable, rseId, at);
      const changes = new ReplicaChanges(at);
      for (const file of deletable) {
        const replica = file.replicas.get(rseId);
        if (replica === undefined || needed.has(formatDid(file))) continue;
        const { deletionError: _former, mark: former, ...rest } = replica;
        const next = { ...former, id: mark, from: former?.from ?? replica.state };
        const freedBy = letGo.has(formatDid(file)) ? { freedBy: noteFreedBy(file, replica, owner) } : {};
        changes.set(file, rseId, { ...rest, ...freedBy, state: ReplicaState.BEING_DELETED, mark: next, updatedAt: at });
      }
      const marked = new Set(changes.files());
      // On a retry: the first write may have succeeded although its answer was lost.
      const answer = files.filter((file) => marked.has(formatDid(file)) || isMarked(file.replicas.get(rseId), mark));
      return { writes: changes.writes(new Map()), answer };
    },
    { inBackground: true },
  );
}

/** Takes the marks off replicas whose deletion was not begun: they are again what they were. */
export async function unmarkReplicas(store: Store, marking: Marking, now: number): Promise<void> {
  await isolate(marking.dids, {
    name: 'replicas that are not to be deleted any more',
    run: (dids) => unmarkTogether(store, { ...marking, dids }, now),
    setAside: (_failed, error) => leaveOut(error, undefined),
    didOf: (did) => did,
  });
}

async function unmarkTogether(store: Store, { rseId, dids, mark }: Marking, now: number): Promise<void> {
  await store.write(
    async (latest) => {
      const changes = new ReplicaChanges(now);
      for (const file of await getFiles(latest, dids)) {
        const replica = file.replicas.get(rseId);
        if (!isMarked(replica, mark)) continue;
        const { mark: { from } = { from: replica.state }, ...rest } = replica;
        changes.set(file, rseId, { ...rest, state: from, updatedAt: now });
      }
      return changes.writes(new Map());
    },
    { inBackground: true },
  );
}

/** Whether a replica still carries a mark: nobody has claimed, changed or marked it since. */
export function isMarked(replica: Replica | undefined, mark: string): replica is Replica {
  return replica?.state === ReplicaState.BEING_DELETED && replica.mark?.id === mark;
}
