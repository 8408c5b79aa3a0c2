import type { ReplicaChange } from '../../contract/schemas/replica.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { findFiles } from '../../domain/replicas/find-dids.ts';
import { planStates } from '../../domain/replicas/plan-states.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';

/** States that movers may set, and accounts that answer for the file. */
const ordinaryStates: ReadonlySet<ReplicaState> = new Set([
  ReplicaState.AVAILABLE,
  ReplicaState.UNAVAILABLE,
  ReplicaState.COPYING,
]);

/**
 * Changes the states of replicas on an RSE, all or nothing. If a replica is listed twice, the later state wins. Locks
 * and rules change in the same plan (spec/replication.md 1.3, 3.5).
 *
 * Costs a read per file, and with locks one more round trip and a read per rule.
 *
 * @throws AccessDenied (401); RSENotFound, ReplicaNotFound (404); ReplicaIsLocked (423) for BEING_DELETED of a locked
 *   replica.
 */
export async function updateReplicas(
  context: Context,
  { rse: name, files: changes }: { readonly rse: string; readonly files: readonly ReplicaChange[] },
): Promise<void> {
  let attempt = 0;
  await context.store.write(async (latest) => {
    attempt += 1;
    const [rse, files] = await Promise.all([
      requireCachedLiveRse(context.store.table, name),
      findFiles(latest, changes),
    ]);
    await authorize(context, 'update_replicas_states', {
      rseName: rse.rse,
      rses: () => Promise.resolve([rse]),
      isOrdinary: changes.every(({ state }) => ordinaryStates.has(state)),
      files: async () =>
        changes.map((change) => ({ scope: change.scope, account: files.get(formatDid(change))?.account })),
    });
    return planStates(latest, { rse, files, changes, account: context.issuer.account, attempt, now: context.now });
  });
}
