import { clock } from '../clock.ts';
import type { ReportedRequest, TransferOutcome } from '../contract/schemas/transfer-lease.ts';
import { defaultActivity, defaultPriority } from '../domain/requests/describe-request.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { reportTransfers } from '../domain/requests/report-transfers.ts';
import { log } from '../log.ts';
import { LeaseOver } from '../movers/mover.ts';
import { type ToolState, ToolRefusal, type TransferTool } from '../movers/transfer-tool.ts';
import { forEachLimited, mapLimited } from '../parallel.ts';
import type { Rse } from '../store/entities/rse.ts';
import { getTransfers } from '../store/entities/transfer.ts';
import type { Lease } from '../store/items/lease.ts';
import type { Store } from '../store/open-store.ts';
import { cancelJobs } from './cancel-jobs.ts';
import { chooseJob } from './choose-job.ts';
import { judgeCopy, shortestWaitSeconds } from './judge-copy.ts';
import { holdLeases, leaseCopies, leaseSeconds, listDestinations } from './lease-copies.ts';
import type { MoveRun } from './leased-batch.ts';
import { SilentTools } from './silent-tools.ts';

/** How a run is bounded. */
interface ToolOptions {
  readonly holder: string;
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Transfers that are leased together, to the RSEs of one address. */
interface Lane {
  readonly host: string | undefined;
  readonly held: Lease;
}

/** Transfers leased together. */
const leasesAtOnce = 200;

/** The most requests that a tool gets at the same time. */
const maxParallelRequests = 8;

/** States of a transfer whose copy has failed. */
const failures: ReadonlySet<TransferOutcome['state']> = new Set(['QUEUED', 'FAILED']);

/** Nothing is begun in this last part of a lease, so that its report comes in time. */
const reportMarginMs = 60_000;

/**
 * A run of a transfer tool: submits copies that are due, and asks about those that were submitted, by whichever process. A
 * submitted transfer is leased until somebody is to ask about it next.
 *
 * The addresses of the tool are served independently of each other. One that does not answer is given up for the run.
 */
export class ToolRun {
  readonly #store: Store;
  readonly #tool: TransferTool;
  readonly #options: ToolOptions;
  readonly #silent = new SilentTools();
  /** Questions to tools at other addresses than those to which copies are submitted now. */
  readonly #others: Promise<void>[] = [];
  #done = 0;
  #failed = 0;

  constructor(store: Store, tool: TransferTool, options: ToolOptions) {
    [this.#store, this.#tool, this.#options] = [store, tool, options];
  }

  async run(): Promise<MoveRun> {
    const destinations = await listDestinations(this.#store.begin(), this.#tool.name);
    const hosts = new Set(destinations.map((rse) => this.#tool.findHost(rse)));
    // A tool that is slow to cancel for one RSE must not hold up the copies to the others.
    const ends = await Promise.allSettled([
      cancelJobs(this.#store, this.#tool, { silent: this.#silent, signal: this.#options.signal }),
      ...Array.from(hosts, (host) => this.#copyBy(host)),
    ]);
    await Promise.all(this.#others);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return { done: this.#done, failed: this.#failed };
  }

  /** Goes on with copies to the RSEs of one address, until none is due. */
  async #copyBy(host: string | undefined): Promise<void> {
    const { signal, until, holder } = this.#options;
    const { name, schemes } = this.#tool;
    const fits = (rse: Rse) => this.#tool.findHost(rse) === host;
    while (!signal.aborted && clock.now() < until && !this.#silent.has(host)) {
      const held = holdLeases(clock.stopwatch());
      const leased = await leaseCopies(this.#store, { name, fits, schemes, holder, limit: leasesAtOnce });
      if (leased.length === 0) break;
      const byRse = Map.groupBy(leased, ({ details }) => details.destination);
      const carriedOut = await Promise.all(Array.from(byRse, ([rse, some]) => this.#follow(rse, some, { host, held })));
      // A tool that answers, but takes nothing, gets no more until the next run.
      if (carriedOut.every((count) => count === 0)) break;
    }
  }

  /**
   * Follows transfers to an RSE; those at other addresses than its own are not waited for.
   *
   * @returns How many were more than given back.
   */
  async #follow(rse: Rse, leased: readonly LeasedTransfer[], lane: Lane): Promise<number> {
    let carriedOut = 0;
    const byHost = Map.groupBy(leased, ({ details: { transfer } }) =>
      transfer.externalId === undefined ? undefined : transfer.externalHost,
    );
    for (const [host, transfers] of byHost) {
      // If the report of one RSE fails, its transfers are due again when their leases end; the other RSEs go on.
      const following = this.#try('copies could not be followed', rse, async () => {
        const reports =
          host === undefined
            ? await mapLimited(transfers, maxParallelRequests, (one) => this.#submit(one, lane))
            : await this.#ask(host, rse, transfers);
        await this.#report(rse, transfers, reports);
        carriedOut += reports.filter((report) => report !== undefined && report.state !== 'QUEUED').length;
      });
      if (host === undefined || host === lane.host) await following;
      else carriedOut += this.#others.push(following);
    }
    return carriedOut;
  }

  async #report(rse: Rse, leased: readonly LeasedTransfer[], reports: readonly (ReportedRequest | undefined)[]) {
    const told = reports.filter((report) => report !== undefined);
    if (told.length === 0) return;
    const context = { store: this.#store.begin(), now: clock.now() };
    // The tool has compared the checksums.
    const outcomes = await reportTransfers(context, rse, told, { isCompared: true });
    await this.#cancelOrphans(rse, leased, told, outcomes);
    const ended = new Set(told.filter(({ state }) => state === 'DONE' || state === 'FAILED').map(({ lease }) => lease));
    this.#done += outcomes.filter(({ state }) => state === 'DONE').length;
    this.#failed += outcomes.filter(({ lease, state }) => ended.has(lease) && failures.has(state)).length;
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
        this.#silent.ask(host, () => this.#tool.cancel(host, ids, rse, this.#options.signal)),
      );
    }
  }

  /** Submits a copy. Nothing that keeps it from being submitted is a failure of the file. @returns Undefined: the run or the lease is over. */
  async #submit(leased: LeasedTransfer, { host = '', held }: Lane): Promise<ReportedRequest | undefined> {
    const { lease, details } = leased;
    const { transfer, rule } = details;
    const report = { ...transfer.did, lease: lease.id };
    if (clock.now() > lease.until - reportMarginMs) return { ...report, state: 'QUEUED', seconds: shortestWaitSeconds };
    const requireLease = () => {
      if (held.isOver) throw new LeaseOver();
    };
    try {
      const { job, obstacle } = await chooseJob(this.#tool, leased, requireLease);
      const source = { source_rse: (job?.source ?? leased.sources[0])?.rse.rse };
      if (job === undefined) return { ...report, ...source, state: 'MISMATCH_SCHEME', err_msg: obstacle };
      const attempt = {
        attemptId: `${transfer.id}-${transfer.attempts ?? 0}`,
        did: transfer.did,
        activity: rule?.activity ?? defaultActivity,
        priority: rule?.priority ?? defaultPriority,
      };
      const { signal } = this.#options;
      const { host: at, id } = await this.#silent.ask(host, () => this.#tool.submit({ ...job, ...attempt }, signal));
      const submission = { external_id: id, external_host: at, seconds: shortestWaitSeconds };
      return { ...report, ...source, state: 'SUBMITTED', ...submission };
    } catch (error) {
      if (this.#options.signal.aborted || error instanceof LeaseOver) return undefined;
      const { message } = error as Error;
      if (error instanceof ToolRefusal) return { ...report, state: 'MISMATCH_SCHEME', err_msg: message };
      log.warn('a copy could not be submitted', { rse: details.destination.rse, error: error as Error });
      return { ...report, state: 'QUEUED', seconds: leaseSeconds, err_msg: message };
    }
  }

  /** Asks a tool about copies that it has. */
  async #ask(host: string, rse: Rse, leased: readonly LeasedTransfer[]): Promise<(ReportedRequest | undefined)[]> {
    const ids = leased.map(({ details }) => details.transfer.externalId ?? '');
    try {
      const states = await this.#silent.ask(host, () => this.#tool.poll(host, ids, rse, this.#options.signal));
      await this.#prioritize(host, rse, leased, states);
      return leased.map((one, index) => judgeCopy(one, states.get(ids[index] ?? '') ?? { state: 'running' }));
    } catch (error) {
      log.warn('copies could not be asked about', { rse: rse.rse, host, error: error as Error });
      const { message } = error as Error;
      return leased.map((one) => ({ ...judgeCopy(one, { state: 'running' }), err_msg: message }));
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
        this.#silent.ask(host, () => this.#tool.prioritize({ host, id }, wanted, rse, this.#options.signal)),
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
}
