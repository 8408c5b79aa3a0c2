import { clock } from '../clock.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import type { StorageFolders } from '../movers/posix/safe-path.ts';
import { fillDeletableList } from './fill-deletable-list.ts';
import { reapRses, type ReaperRun } from './reap-rses.ts';

/** The result of a run. */
export interface FreeSpaceRun extends ReaperRun {
  /** Replicas of an older version that were entered in the list of what may be deleted. */
  readonly entered: number;
}

/**
 * Completes the list of what may be deleted after an update from a version that did not keep it, and deletes from the RSEs
 * for which the reaper is switched on.
 *
 * @param options.isReaping Whether anything is deleted at all.
 * @param options.folders Of the files of this machine only those below them are deleted; absent: none.
 * @param options.settlingMs As of {@link fillDeletableList}.
 * @param options.budgetMs Time limit; the rest is left to the next run.
 */
export async function freeSpace(
  context: AnonymousContext,
  {
    isReaping,
    folders = [],
    settlingMs,
    budgetMs = 180_000,
  }: {
    readonly isReaping: boolean;
    readonly folders?: StorageFolders;
    readonly settlingMs?: number | undefined;
    readonly budgetMs?: number;
  },
): Promise<FreeSpaceRun> {
  const stopwatch = clock.stopwatch();
  const mayGoOn = () => stopwatch.elapsed() < budgetMs;
  const { entered } = await fillDeletableList(context, {
    mayGoOn,
    ...(settlingMs === undefined ? {} : { settlingMs }),
  });
  if (!isReaping || !mayGoOn()) return { entered, rses: [] };
  const elapsed = stopwatch.elapsed();
  const now = Math.round(context.now + elapsed);
  return { entered, ...(await reapRses({ ...context, now }, { folders, budgetMs: budgetMs - elapsed })) };
}
