import { ReplicaState } from '../../contract/schemas/states.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import { asFile, type FileDid } from '../../store/entities/did.ts';
import { changesOf } from '../../store/stream/change.ts';
import { LockUpdates } from '../locks/lock-updates.ts';
import { planFollowed } from '../rules/life-cycle/follow-at-once.ts';
import type { AnonymousContext } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import type { Reaction } from '../values/reaction.ts';
import { countReplicaLocks, isReadable } from '../values/replica-state.ts';
import { findFiles } from './find-dids.ts';

/** The most files that one plan changes. */
const filesPerPlan = 100;

/**
 * Lets bad replicas go that nothing needs any more (spec/replication.md 1.8): the file had no other copy when it was declared
 * bad, or rules held it, and now it has another copy and no rule holds it. Costs nothing for other files.
 */
export const freeBadReplicas: Reaction = {
  name: 'free bad replicas',
  kinds: ['did'],
  async run(context, changes) {
    const files = changesOf('did', changes).flatMap(({ after }) => asFile(after) ?? []);
    const affected = new Map(
      files.filter((file) => findUnneeded(file).length > 0).map((file) => [formatDid(file), file]),
    );
    for await (const some of splitIntoChunks(affected.values(), filesPerPlan)) await free(context, some);
  },
};

/** The ids of RSEs with a bad replica that no rule holds, while another replica can be copied, now or once its site is back. */
function findUnneeded({ replicas }: FileDid): string[] {
  return [...replicas].flatMap(([rseId, replica]) => {
    const { state, tombstone } = replica;
    if (state !== ReplicaState.BAD || tombstone === 0 || countReplicaLocks(replica) > 0) return [];
    const others = [...replicas].flatMap(([id, other]) => (id === rseId ? [] : [other]));
    return isReadable(others) ? [rseId] : [];
  });
}

async function free({ store, now }: AnonymousContext, affected: readonly FileDid[]): Promise<void> {
  let attempt = 0;
  await store.write(
    async (latest) => {
      attempt += 1;
      const files = [...(await findFiles(latest.latest(), affected)).values()];
      const updates = await LockUpdates.open(latest, [], now);
      for (const file of files) {
        for (const rseId of findUnneeded(file)) {
          const replica = file.replicas.get(rseId);
          if (replica !== undefined) updates.set(file, rseId, { ...replica, tombstone: 0 });
        }
      }
      return planFollowed(latest.latest(), updates, attempt, now);
    },
    { inBackground: true },
  );
}
