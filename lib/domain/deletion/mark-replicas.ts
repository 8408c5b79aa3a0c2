import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { type FileDid, getFiles, type Replica } from '../../store/entities/did.ts';
import type { Store } from '../../store/open-store.ts';
import { ReplicaChanges } from '../locks/replica-changes.ts';
import { formatDid } from '../values/format-did.ts';
import { findNeeded } from './find-needed.ts';
import { isDeletable } from './is-deletable.ts';

/** The most replicas that are marked together: as many as a transaction holds. */
export const maxMarkedReplicas = 90;

/**
 * Marks replicas as being deleted, if they still may be: from then on no rule chooses them, and nobody else deletes them for
 * ten minutes. Their tombstones stay, and with them their places in the list.
 *
 * @param at The time of the mark, in milliseconds since 1970, by which {@link isMarked} knows it again.
 * @returns The files whose replicas were marked.
 */
export async function markReplicas(
  store: Store,
  { rseId, dids, at }: { readonly rseId: string; readonly dids: readonly DidKey[]; readonly at: number },
): Promise<readonly FileDid[]> {
  return store.decide(
    async (latest) => {
      const files = await getFiles(latest, dids);
      const deletable = files.filter((file) => isDeletable(file, rseId, at));
      const needed = await findNeeded(latest.latest(), deletable, rseId, at);
      const changes = new ReplicaChanges(at);
      for (const file of deletable) {
        const replica = file.replicas.get(rseId);
        if (replica === undefined || needed.has(formatDid(file))) continue;
        const { deletionError: _former, ...rest } = replica;
        changes.set(file, rseId, { ...rest, state: ReplicaState.BEING_DELETED, updatedAt: at });
      }
      const marked = new Set(changes.files());
      // On a retry: the first write may have succeeded although its answer was lost.
      const answer = files.filter((file) => marked.has(formatDid(file)) || isMarked(file.replicas.get(rseId), at));
      return { writes: changes.writes(new Map()), answer };
    },
    { inBackground: true },
  );
}

/** Whether a replica carries the mark of a time, and was not changed since. */
export function isMarked(replica: Replica | undefined, at: number): replica is Replica {
  return replica?.state === ReplicaState.BEING_DELETED && replica.updatedAt === at;
}
