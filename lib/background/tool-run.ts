import { clock } from '../clock.ts';
import type { ReportedRequest, TransferOutcome } from '../contract/schemas/transfer-lease.ts';
import { defaultActivity, defaultPriority } from '../domain/requests/describe-request.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { reportTransfers } from '../domain/requests/report-transfers.ts';
import { log } from '../log.ts';
import { LeaseOver } from '../movers/mover.ts';
import { PassingFailure } from '../movers/repeat.ts';
import type { ToolState, TransferTool } from '../movers/transfer-tool.ts';
import { forEachLimited, mapLimited } from '../parallel.ts';
import type { Rse } from '../store/entities/rse.ts';
import { getTransfers } from '../store/entities/transfer.ts';
import type { Lease } from '../store/items/lease.ts';
import type { Store } from '../store/open-store.ts';
import { cancelJobs } from './cancel-jobs.ts';
import { chooseJob } from './choose-job.ts';
import { holdLeases, leaseCopies } from './lease-copies.ts';
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

/** Requests that a tool gets at the same time. */
const maxParallelRequests = 8;

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
    // A tool that is slow to cancel for one RSE must not hold up the copies to the others.
    await Promise.all([cancelJobs(this.#store, this.#tool, this.#options.signal), this.#copy()]);
    return { done: this.#done, failed: this.#failed };
  }

  async #copy(): Promise<void> {
    const { signal, until, holder } = this.#options;
    const { name, schemes } = this.#tool;
    while (!signal.aborted && clock.now() < until) {
      const held = holdLeases(clock.stopwatch());
      const leased = await leaseCopies(this.#store, { name, schemes, holder, limit: leasesAtOnce });
      if (leased.length === 0) break;
      const byRse = Map.groupBy(leased, ({ details }) => details.destination);
      await Promise.all(
        Array.from(byRse, ([rse, transfers]) =>
          // What could not be reported of one RSE is due again when its leases end; the others go on.
          this.#try('copies could not be followed', rse, () => this.#follow(rse, transfers, held)),
        ),
      );
    }
  }

  async #follow(rse: Rse, leased: readonly LeasedTransfer[], held: Lease): Promise<void> {
    const byHost = Map.groupBy(leased, ({ details: { transfer } }) =>
      transfer.externalId === undefined ? undefined : transfer.externalHost,
    );
    const reports = await Promise.all(
      Array.from(byHost, ([host, transfers]) =>
        host === undefined
          ? mapLimited(transfers, maxParallelRequests, (one) => this.#submit(one, held))
          : this.#ask(host, rse, transfers),
      ),
    );
    const told = reports.flat().filter((report) => report !== undefined);
    if (told.length === 0) return;
    const context = { store: this.#store.begin(), now: clock.now() };
    // The tool has compared the checksums.
    const outcomes = await reportTransfers(context, rse, told, { isCompared: true });
    await this.#cancelOrphans(rse, leased, told, outcomes);
    this.#done += outcomes.filter(({ state }) => state === 'DONE').length;
    this.#failed += outcomes.filter(({ err_msg: error }) => error !== null).length;
  }

  /** Cancels the jobs that were submitted for transfers which have gone meanwhile. */
  async #cancelOrphans(
    rse: Rse,
    leased: readonly LeasedTransfer[],
    told: readonly ReportedRequest[],
    outcomes: readonly TransferOutcome[],
  ): Promise<void> {
    const lost = new Set(outcomes.filter(({ state }) => state !== 'SUBMITTED').map(({ lease }) => lease));
    const submitted = told.filter(({ lease, external_id: id }) => id !== undefined && lost.has(lease));
    if (submitted.length === 0) return;
    // A lease is also lost if the next mover has the transfer: its job is the same one.
    const present = await getTransfers(this.#store.begin().table.latest(), submitted, rse.id);
    const wanted = new Set(present.map(({ id }) => id));
    const gone = new Set(leased.filter(({ details }) => !wanted.has(details.transfer.id)).map(({ lease }) => lease.id));
    const orphans = submitted.filter(({ lease }) => gone.has(lease));
    for (const [host = '', jobs] of Map.groupBy(orphans, ({ external_host: at }) => at)) {
      const ids = jobs.flatMap(({ external_id: id }) => id ?? []);
      await this.#try('jobs could not be cancelled', rse, () =>
        this.#tool.cancel(host, ids, rse, this.#options.signal),
      );
    }
  }

  /** Submits a copy. @returns Undefined: not now; the lease ends by itself. */
  async #submit(leased: LeasedTransfer, held: Lease): Promise<ReportedRequest | undefined> {
    const { lease, details } = leased;
    const { transfer, rule } = details;
    const requireLease = () => {
      if (held.isOver) throw new LeaseOver();
    };
    const { job, obstacle } = chooseJob(this.#tool, leased, requireLease);
    const report = { ...transfer.did, lease: lease.id, source_rse: (job?.source ?? leased.sources[0])?.rse.rse };
    if (job === undefined) return { ...report, state: 'MISMATCH_SCHEME', err_msg: obstacle };
    const attempt = {
      attemptId: `${transfer.id}-${transfer.attempts ?? 0}`,
      did: transfer.did,
      activity: rule?.activity ?? defaultActivity,
      priority: rule?.priority ?? defaultPriority,
    };
    try {
      requireLease();
      const { host, id } = await this.#tool.submit({ ...job, ...attempt }, this.#options.signal);
      return { ...report, state: 'SUBMITTED', external_id: id, external_host: host, seconds: shortestWaitSeconds };
    } catch (error) {
      if (this.#options.signal.aborted || error instanceof LeaseOver) return undefined;
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
      await this.#prioritize(host, rse, leased, states);
      return leased.map((one, index) => this.#judge(one, states.get(ids[index] ?? '')));
    } catch (error) {
      log.warn('a transfer tool does not answer', { rse: rse.rse, error: error as Error });
      return leased.map((one) => this.#judge(one, { state: 'running' }));
    }
  }

  /** Tells the tool the present priorities of rules, where it has others. */
  async #prioritize(
    host: string,
    rse: Rse,
    leased: readonly LeasedTransfer[],
    states: ReadonlyMap<string, ToolState>,
  ): Promise<void> {
    await forEachLimited(leased, maxParallelRequests, async ({ details: { transfer, rule } }) => {
      const { externalId: id = '' } = transfer;
      const state = states.get(id);
      const wanted = rule?.priority ?? defaultPriority;
      if (state?.state !== 'running' || state.priority === undefined || state.priority === wanted) return;
      await this.#try('the priority of a copy could not be changed', rse, () =>
        this.#tool.prioritize({ host, id }, wanted, rse, this.#options.signal),
      );
    });
  }

  async #try(failure: string, { rse }: Rse, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log.warn(failure, { rse, error: error as Error });
    }
  }

  #judge({ lease, details: { transfer } }: LeasedTransfer, state: ToolState = { state: 'unknown' }): ReportedRequest {
    const report = { ...transfer.did, lease: lease.id };
    switch (state.state) {
      case 'running':
        return { ...report, state: 'SUBMITTED', seconds: waitOf(clock.now() - (transfer.submittedAt ?? clock.now())) };
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
