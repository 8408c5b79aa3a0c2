import { log } from '../log.ts';
import { PassingFailure } from '../movers/repeat.ts';
import type { TransferTool } from '../movers/transfer-tool.ts';
import { forEachLimited } from '../parallel.ts';
import { type CancelledJob, deleteCancelledJob, listCancelledJobs } from '../store/entities/cancelled-job.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { listDestinations } from './lease-copies.ts';

/** RSEs whose jobs are cancelled at a time, their jobs in a run, and the notes of them that are deleted in parallel. */
const [maxParallelRses, maxJobs, maxParallelDeletions] = [8, 1_000, 16];

/**
 * Cancels the jobs of a tool whose transfers are gone (keep-past-transfers.ts). A job that the tool does not cancel for
 * now is tried again by the next run; one that it refuses to cancel is left to it.
 *
 * Costs a query for each RSE of the tool, and a write unit for each job.
 */
export async function cancelJobs(from: Store, tool: TransferTool, signal: AbortSignal): Promise<void> {
  const store = from.begin();
  const destinations = await listDestinations(store, tool.name);
  await forEachLimited(destinations, maxParallelRses, async (rse) => {
    const jobs: CancelledJob[] = [];
    for await (const job of listCancelledJobs(store.table, rse.id)) if (jobs.push(job) === maxJobs) break;
    for (const [host, some] of Map.groupBy(jobs, (job) => job.host)) {
      if (signal.aborted) return;
      const isOver = await cancelAt(tool, host, { rse, jobs: some, signal });
      if (isOver) await forEachLimited(some, maxParallelDeletions, (job) => forget(store, job));
    }
  });
}

/** The jobs to cancel at one host. */
interface CancelWish {
  readonly rse: Rse;
  readonly jobs: readonly CancelledJob[];
  readonly signal: AbortSignal;
}

/** @returns Whether the tool is not to be asked again. */
async function cancelAt(tool: TransferTool, host: string, { rse, jobs, signal }: CancelWish): Promise<boolean> {
  try {
    const ids = jobs.map(({ id }) => id);
    await tool.cancel(host, ids, rse, signal);
    return true;
  } catch (error) {
    log.warn('jobs could not be cancelled', { rse: rse.rse, host, jobs: jobs.length, error: error as Error });
    return !(error instanceof PassingFailure) && !signal.aborted;
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
