import { clock } from '../clock.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { log } from '../log.ts';
import type { StorageFolders } from '../movers/posix/safe-path.ts';
import { mapLimited } from '../parallel.ts';
import { getFleet } from '../store/entities/rse-fleet.ts';
import type { Rse } from '../store/entities/rse.ts';
import { type ReapedRse, reapRse } from './reap-rse.ts';

/** The attribute that switches the reaper on for an RSE. */
const reaperAttribute = 'reaper';

/** The most RSEs from which replicas are deleted in parallel. */
const maxParallelRses = 4;

/** The result of a run. */
export interface ReaperRun {
  /** RSEs for which the reaper is switched on, in name order. */
  readonly rses: readonly ReapedRse[];
}

/** Whether the reaper deletes from an RSE. */
export function isReaped({ attributes, availabilityDelete }: Rse): boolean {
  return attributes[reaperAttribute] === true && availabilityDelete;
}

/** Deletes the deletable replicas of all RSEs ({@link reapRses}), if the reaper of the deployment is switched on. */
export async function freeSpace(context: AnonymousContext, isReaping: boolean): Promise<ReaperRun> {
  return isReaping ? reapRses(context) : { rses: [] };
}

/**
 * Deletes deletable replicas from the RSEs for which the reaper is switched on, as far as their space is needed
 * (docs/how-to/free-space.md). Idempotent; it may be interrupted, and runs may overlap. An RSE that fails does not stop the
 * others.
 *
 * Costs some ten reads for each RSE that is switched on, if nothing is to be deleted.
 *
 * @param options.names The names of RSEs; absent: all.
 * @param options.folders Of the files of this machine only those below them are deleted; absent: none.
 * @param options.budgetMs Time limit; the rest is left to the next run.
 * @throws AggregateError at the end if RSEs have failed.
 */
export async function reapRses(
  { store, now }: AnonymousContext,
  {
    names,
    folders = [],
    budgetMs = 180_000,
  }: {
    readonly names?: readonly string[] | undefined;
    readonly folders?: StorageFolders;
    readonly budgetMs?: number;
  } = {},
): Promise<ReaperRun> {
  // A run ends in time even if the machine sleeps meanwhile.
  const stopwatch = clock.stopwatch();
  const getTime = () => Math.round(now + stopwatch.elapsed());
  const time = { now: getTime, mayGoOn: () => getTime() < now + budgetMs };
  const { live } = await getFleet(store.begin().table.latest());
  const failures: unknown[] = [];
  const wanted = live.filter((rse) => isReaped(rse) && (names === undefined || names.includes(rse.rse)));
  const rses = await mapLimited(wanted, maxParallelRses, async (rse) => {
    try {
      return await reapRse(store, rse, { time, folders, mayReap: isReaped });
    } catch (error) {
      log.error('an RSE could not be reaped', { rse: rse.rse, error: error as Error });
      failures.push(error);
      return undefined;
    }
  });
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} RSEs could not be reaped`);
  return { rses: rses.filter((one) => one !== undefined) };
}
