import { openReplicaDeleter } from '../domain/deletion/open-deleter.ts';
import { selectReplicas } from '../domain/deletion/select-replicas.ts';
import { computeWantedSpace, type WantedSpace } from '../domain/deletion/wanted-space.ts';
import { findUsedSpace } from '../domain/rses/space-sources.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { addIntegers, type Integer } from '../integer.ts';
import type { StorageFolders } from '../movers/posix/safe-path.ts';
import { getReaperState } from '../store/entities/reaper-state.ts';
import { getFleet } from '../store/entities/rse-fleet.ts';
import { listRseUsages } from '../store/entities/rse-usage.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { isReaped } from './reap-rses.ts';

/** The work of the reaper on an RSE if it ran now. */
export interface ReapingReport {
  readonly rse: string;
  /** Whether the reaper is switched on for it, and it is available for deletion. */
  readonly isReaped: boolean;
  /** Whether Dapple speaks one of its protocols. */
  readonly hasProtocol: boolean;
  /** Its folder is none that this process may use. */
  readonly isElsewhere: boolean;
  readonly wanted: WantedSpace;
  /** The replicas that would go, and their bytes. */
  readonly replicas: number;
  readonly bytes: Integer;
  /** The RSE is left alone until then, in milliseconds since 1970. */
  readonly restUntil?: number;
}

/**
 * Reports what the reaper would delete from RSEs now, whether it is switched on or not. Deletes nothing. Costs a read unit for
 * each replica that would go.
 *
 * @param options.names The names of RSEs; absent: all.
 * @param options.folders Of the files of this machine only those below them would be deleted.
 */
export async function* reportReaping(
  { store, now }: AnonymousContext,
  { names, folders }: { readonly names?: readonly string[] | undefined; readonly folders: StorageFolders },
): AsyncGenerator<ReapingReport> {
  const { live } = await getFleet(store.begin().table.latest());
  for (const rse of live)
    if (names === undefined || names.includes(rse.rse)) yield reportRse(store, rse, { now, folders });
}

async function reportRse(
  store: Store,
  rse: Rse,
  { now, folders }: { readonly now: number; readonly folders: StorageFolders },
): Promise<ReapingReport> {
  const deleter = rse.stagingArea ? undefined : openReplicaDeleter(rse, folders);
  const { table } = store.begin();
  const [state, usages] = await Promise.all([getReaperState(table, rse.id), listRseUsages(table, rse.id)]);
  const isSameReport = state?.reportedAt === findUsedSpace(rse, usages)?.updatedAt;
  const wanted = computeWantedSpace(rse, usages, isSameReport ? (state?.freed ?? 0) : 0);
  let replicas = 0;
  let bytes: Integer = 0;
  for await (const selection of selectReplicas(table, { rseId: rse.id, wanted, now })) {
    replicas += selection.replicas.length;
    bytes = addIntegers(bytes, selection.bytes);
  }
  const { restUntil = 0 } = state ?? {};
  return {
    rse: rse.rse,
    isReaped: isReaped(rse),
    hasProtocol: rse.stagingArea || deleter !== undefined,
    isElsewhere: (await deleter?.mayUse()) === false,
    wanted,
    replicas,
    bytes,
    ...(restUntil > now ? { restUntil } : {}),
  };
}
