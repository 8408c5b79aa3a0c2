import { log } from '../log.ts';
import { TransientError } from '../movers/retry-policy.ts';
import { ToolRefusal, ToolSilence, type TransferTool } from '../movers/transfer-tool.ts';
import { forEachLimited, mapLimited } from '../parallel.ts';
import { type CancelledJob, deleteCancelledJob, listCancelledJobs } from '../store/entities/cancelled-job.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { listDestinations } from './lease-copies.ts';
import type { SilentTools } from './silent-tools.ts';

/** RSEs that are looked at in parallel, their jobs in a run, and the notes of them that are deleted in parallel. */
const [maxParallelRses, maxJobs, maxParallelDeletions] = [8, 1_000, 16];

/** How jobs are cancelled. */
export interface CancelOptions {
  readonly silent: SilentTools;
  readonly signal: AbortSignal;
}

/** The jobs to cancel for one RSE at one address. */
interface CancelWish {
  readonly rse: Rse;
  readonly host: string;
  readonly jobs: readonly CancelledJob[];
}

/**
 * Cancels the jobs of a tool whose transfers are gone (keep-past-transfers.ts). A job that the tool does not cancel for
 * now is tried again by the next run; one that it refuses to cancel is left to it. Each address is asked on its own.
 *
 * Costs a query for each RSE of the tool, and a write unit for each job.
 */
export async function cancelJobs(from: Store, tool: TransferTool, options: CancelOptions): Promise<void> {
  const store = from.begin();
  const destinations = await listDestinations(store, tool.name);
  const wishes = (await mapLimited(destinations, maxParallelRses, (rse) => listWishes(store, rse))).flat();
  await Promise.all(
    Array.from(Map.groupBy(wishes, ({ host }) => host).values(), async (some) => {
      for (const wish of some) {
        if (options.signal.aborted) return;
        const isOver = await cancelAt(tool, wish, options);
        if (isOver) await forEachLimited(wish.jobs, maxParallelDeletions, (job) => forget(store, job));
      }
    }),
  );
}

async function listWishes(store: Store, rse: Rse): Promise<CancelWish[]> {
  const jobs: CancelledJob[] = [];
  for await (const job of listCancelledJobs(store.table, rse.id)) if (jobs.push(job) === maxJobs) break;
  return Array.from(
    Map.groupBy(jobs, (job) => job.host),
    ([host, some]) => ({ rse, host, jobs: some }),
  );
}

/** @returns Whether the tool is not to be asked again. */
async function cancelAt(
  tool: TransferTool,
  { rse, host, jobs }: CancelWish,
  { silent, signal }: CancelOptions,
): Promise<boolean> {
  try {
    const ids = jobs.map(({ id }) => id);
    await silent.ask(host, () => tool.cancel(host, ids, rse, signal));
    return true;
  } catch (error) {
    log.warn('jobs could not be cancelled', { rse: rse.rse, host, jobs: jobs.length, error: error as Error });
    const passes = [TransientError, ToolSilence, ToolRefusal].some((kind) => error instanceof kind);
    return !passes && !signal.aborted;
  }
}

async function forget(store: Store, job: CancelledJob): Promise<void> {
  try {
    await store.write(async () => [deleteCancelledJob(job, () => new Forgotten())]);
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error;
  }
}

/** Another run has deleted the note. */
class Forgotten extends Error {
  override readonly name = 'Forgotten';
}
