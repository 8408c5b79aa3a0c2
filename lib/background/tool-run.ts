import type { ReportedRequest } from '../contract/schemas/transfer-lease.ts';
import { defaultActivity, defaultPriority } from '../domain/requests/describe-request.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { reportTransfers } from '../domain/requests/report-transfers.ts';
import { log } from '../log.ts';
import { mapLimited } from '../parallel.ts';
import { PassingFailure } from '../storage/repeat.ts';
import type { ToolState, TransferTool } from '../storage/transfer-tool.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { chooseJob } from './choose-job.ts';
import { leaseCopies } from './lease-copies.ts';
import type { MoveRun } from './leased-batch.ts';

/** How a run is bounded. */
interface ToolOptions {
  readonly holder: string;
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Transfers that are leased together. */
const leasesAtOnce = 200;

/** Copies that are submitted at the same time. */
const maxParallelSubmissions = 8;

/** A copy is asked about after a quarter of its age, within these bounds. */
const [shortestWaitSeconds, longestWaitSeconds] = [60, 900];

/**
 * A run of a transfer tool: submits copies that are due, and asks about those that were submitted, by whichever process. A
 * submitted transfer is leased until somebody is to ask about it next.
 */
export class ToolRun {
  readonly #store: Store;
  readonly #tool: TransferTool;
  readonly #options: ToolOptions;
  #done = 0;
  #failed = 0;

  constructor(store: Store, tool: TransferTool, options: ToolOptions) {
    [this.#store, this.#tool, this.#options] = [store, tool, options];
  }

  async run(): Promise<MoveRun> {
    const { signal, until, holder } = this.#options;
    const { name, schemes } = this.#tool;
    while (!signal.aborted && Date.now() < until) {
      const leased = await leaseCopies(this.#store, { name, schemes, holder, limit: leasesAtOnce });
      if (leased.length === 0) break;
      const byRse = Map.groupBy(leased, ({ details }) => details.destination);
      await Promise.all(Array.from(byRse, ([rse, transfers]) => this.#follow(rse, transfers)));
    }
    return { done: this.#done, failed: this.#failed };
  }

  async #follow(rse: Rse, leased: readonly LeasedTransfer[]): Promise<void> {
    const byHost = Map.groupBy(leased, ({ details: { transfer } }) =>
      transfer.externalId === undefined ? undefined : transfer.externalHost,
    );
    const reports = await Promise.all(
      Array.from(byHost, ([host, transfers]) =>
        host === undefined
          ? mapLimited(transfers, maxParallelSubmissions, (one) => this.#submit(one))
          : this.#ask(host, rse, transfers),
      ),
    );
    const told = reports.flat().filter((report) => report !== undefined);
    if (told.length === 0) return;
    const outcomes = await reportTransfers({ store: this.#store.begin(), now: Date.now() }, rse, told);
    this.#done += outcomes.filter(({ state }) => state === 'DONE').length;
    this.#failed += outcomes.filter(({ err_msg: error }) => error !== null).length;
  }

  /** Submits a copy. @returns Undefined: not now; the lease ends by itself. */
  async #submit(leased: LeasedTransfer): Promise<ReportedRequest | undefined> {
    const { lease, details } = leased;
    const { transfer, rule } = details;
    const { job, obstacle } = chooseJob(this.#tool, leased);
    const report = { ...transfer.did, lease: lease.id, source_rse: (job?.source ?? leased.sources[0])?.rse.rse };
    if (job === undefined) return { ...report, state: 'MISMATCH_SCHEME', err_msg: obstacle };
    const attempt = {
      attemptId: `${transfer.id}-${transfer.attempts ?? 0}`,
      did: transfer.did,
      activity: rule?.activity ?? defaultActivity,
      priority: rule?.priority ?? defaultPriority,
    };
    try {
      const { host, id } = await this.#tool.submit({ ...job, ...attempt }, this.#options.signal);
      return { ...report, state: 'SUBMITTED', external_id: id, external_host: host, seconds: shortestWaitSeconds };
    } catch (error) {
      if (this.#options.signal.aborted) return undefined;
      if (!(error instanceof PassingFailure)) return { ...report, state: 'FAILED', err_msg: String(error) };
      log.warn('a copy could not be submitted', { rse: details.destination.rse, error });
      return undefined;
    }
  }

  /** Asks a tool about copies that it has. */
  async #ask(host: string, rse: Rse, leased: readonly LeasedTransfer[]): Promise<(ReportedRequest | undefined)[]> {
    const ids = leased.map(({ details }) => details.transfer.externalId ?? '');
    try {
      const states = await this.#tool.poll(host, ids, rse, this.#options.signal);
      return leased.map((one, index) => this.#judge(one, states.get(ids[index] ?? '')));
    } catch (error) {
      log.warn('a transfer tool does not answer', { rse: rse.rse, error: error as Error });
      return leased.map((one) => this.#judge(one, { state: 'running' }));
    }
  }

  #judge({ lease, details: { transfer } }: LeasedTransfer, state: ToolState = { state: 'unknown' }): ReportedRequest {
    const report = { ...transfer.did, lease: lease.id };
    switch (state.state) {
      case 'running':
        return { ...report, state: 'SUBMITTED', seconds: waitOf(Date.now() - (transfer.submittedAt ?? Date.now())) };
      case 'done':
        return { ...report, state: 'DONE' };
      case 'failed':
        return { ...report, state: 'FAILED', err_msg: state.reason };
      case 'unknown':
        return {
          ...report,
          state: 'FAILED',
          err_msg: `The transfer tool does not know the job ${transfer.externalId}.`,
        };
    }
  }
}

/** When to ask about a copy of an age in milliseconds again, in seconds. */
function waitOf(ageMs: number): number {
  return Math.round(Math.min(longestWaitSeconds, Math.max(shortestWaitSeconds, ageMs / 4_000)));
}
