import { clock, type Stopwatch } from '../clock.ts';
import type { ReportedRequest, TransferOutcome } from '../contract/schemas/transfer-lease.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { reportTransfers } from '../domain/requests/report-transfers.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import { type CopyJob, CopyObstacle, LeaseOver, type Mover } from '../movers/mover.ts';
import { TransientError } from '../movers/retry-policy.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Lease } from '../store/items/lease.ts';
import type { Store } from '../store/open-store.ts';
import { chooseJob } from './choose-job.ts';
import { holdLeases, leaseSeconds } from './lease-copies.ts';

/** The interval at which results are reported, and the one at which leases are prolonged. */
const [reportIntervalMs, renewIntervalMs] = [2_000, 30_000];

/** A storage for which a copy has waited so long in vain is silent. */
const silenceMs = 30_000;

/** The pause of copies from or to a silent storage, in seconds. */
const silentSeconds = 300;

/** The most attempts to report the results that are left at the end of a run. */
const maxLastReports = 3;

/** The numbers of copies that were made, and of attempts that failed. */
export interface MoveRun {
  readonly done: number;
  readonly failed: number;
}

/** How the copies of a batch end. */
interface BatchLimits {
  readonly signal: AbortSignal;
  readonly copyMs?: number | undefined;
  readonly age: Stopwatch;
}

/** Leased transfers to an RSE while they are copied: results are reported in groups, and leases prolonged. */
export class LeasedBatch {
  readonly #store: Store;
  readonly #rse: Rse;
  readonly #signal: AbortSignal;
  readonly #copyMs: number | undefined;
  /** The transfers that are not over, by lease. */
  readonly #open: Map<string, { readonly transfer: LeasedTransfer; readonly stopping: AbortController }>;
  readonly #results: ReportedRequest[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #held: Lease;
  /** Since the leases were prolonged last. */
  #age: Stopwatch;
  #reporting: Promise<void> = Promise.resolve();
  #done = 0;
  #failed = 0;

  /**
   * @param limits How the copies end: all by a signal, and each after some milliseconds, if that is given. `age`: started before
   *   they were leased.
   */
  constructor(store: Store, rse: Rse, leased: readonly LeasedTransfer[], { signal, copyMs, age }: BatchLimits) {
    this.#store = store;
    this.#rse = rse;
    this.#signal = signal;
    this.#copyMs = copyMs;
    [this.#age, this.#held] = [age, holdLeases(age)];
    this.#open = new Map(leased.map((transfer) => [transfer.lease.id, { transfer, stopping: new AbortController() }]));
    this.#timer = setInterval(() => this.#report(), reportIntervalMs).unref();
  }

  /** The copy that a transfer asks for; undefined: there is none, which is reported soon if the mover cannot make it. Never throws. */
  async choose(mover: Mover, transfer: LeasedTransfer): Promise<CopyJob | undefined> {
    if (this.#findOpen(transfer) === undefined) return undefined;
    const report = reportOf(transfer, transfer.sources[0]?.rse.rse);
    try {
      const { job, obstacle } = await chooseJob(mover, transfer, () => this.#requireLease());
      if (job === undefined) this.#add({ ...report, state: 'MISMATCH_SCHEME', err_msg: obstacle });
      return job;
    } catch (error) {
      this.#add({ ...report, state: 'FAILED', err_msg: messageOf(error) });
      return undefined;
    }
  }

  /** Makes a copy; its result is reported soon. Never throws. @returns Whether it has failed since a storage was silent. */
  async copy(mover: Mover, transfer: LeasedTransfer, job: CopyJob): Promise<boolean> {
    const stopping = this.#findOpen(transfer);
    if (stopping === undefined) return false;
    const limit = this.#copyMs === undefined ? undefined : AbortSignal.timeout(this.#copyMs);
    const stops = [stopping, this.#signal, ...(limit === undefined ? [] : [limit])];
    const report = reportOf(transfer, job.source.rse.rse);
    const age = clock.stopwatch();
    try {
      const { bytes, adler32, md5 } = await mover.copy(job, AbortSignal.any(stops));
      this.#add({ ...report, state: 'DONE', bytes, adler32, md5 });
      return false;
    } catch (error) {
      // If the lease is over, its next holder reports.
      if (stopping.aborted || this.#signal.aborted || error instanceof LeaseOver) return false;
      if (error instanceof CopyObstacle) {
        this.#add({ ...report, state: 'MISMATCH_SCHEME', err_msg: error.message });
        return false;
      }
      const late = `The copy took longer than a run of this mover may, ${(this.#copyMs ?? 0) / 1_000} s.`;
      this.#add({ ...report, state: 'FAILED', err_msg: limit?.aborted === true ? late : messageOf(error) });
      return age.elapsed() >= silenceMs && isTransient(error);
    }
  }

  /** Puts a copy off, since a storage is silent: it counts as no attempt. */
  setAside(transfer: LeasedTransfer, { source, destination }: CopyJob): void {
    if (this.#findOpen(transfer) === undefined) return;
    const reason = `The last copy from ${source.rse.rse} to ${destination.rse.rse} failed, since a storage did not answer.`;
    this.#add({ ...reportOf(transfer, source.rse.rse), state: 'QUEUED', seconds: silentSeconds, err_msg: reason });
  }

  /** The signal that stops the copy of a transfer; undefined: it is not to be copied any more. */
  #findOpen({ lease }: LeasedTransfer): AbortSignal | undefined {
    const signal = this.#open.get(lease.id)?.stopping.signal;
    return signal?.aborted === true || this.#signal.aborted || this.#held.isOver ? undefined : signal;
  }

  /** Reports the last results, and ends the leases of copies that were not begun. */
  async end(): Promise<MoveRun> {
    clearInterval(this.#timer);
    for (const [lease, { transfer, stopping }] of this.#open) {
      if (!stopping.signal.aborted) this.#results.push({ ...transfer.details.transfer.did, lease, state: 'QUEUED' });
    }
    this.#open.clear();
    for (let attempt = 0; attempt < maxLastReports; attempt += 1) {
      this.#report();
      await this.#reporting;
      if (this.#results.length === 0) break;
    }
    return { done: this.#done, failed: this.#failed };
  }

  #requireLease(): void {
    if (this.#held.isOver) throw new LeaseOver();
  }

  #add(result: ReportedRequest): void {
    this.#open.delete(result.lease);
    this.#results.push(result);
  }

  /** Reports what has ended since the last time, and prolongs the leases of the rest when it is time for that. */
  #report(): void {
    this.#reporting = this.#reportAfter(this.#reporting);
  }

  async #reportAfter(previous: Promise<void>): Promise<void> {
    await previous;
    const results = this.#results.splice(0);
    // The leases may be lost after a pause, so nothing more is read.
    if (this.#held.isOver) for (const { stopping } of this.#open.values()) stopping.abort(new LeaseOver());
    const renewed = this.#age.elapsed() < renewIntervalMs || this.#held.isOver ? [] : this.#renewals();
    if (results.length + renewed.length === 0) return;
    const age = clock.stopwatch();
    try {
      const context = { store: this.#store.begin(), now: clock.now() };
      this.#follow(await reportTransfers(context, this.#rse, [...results, ...renewed], { isCompared: true }));
      if (renewed.length > 0) this.#prolong(age);
    } catch (error) {
      // If they never can be, the leases end, and the next mover finds the copies in their places.
      this.#results.push(...results);
      const { rse } = this.#rse;
      log.warn('results of copies could not be reported', { rse, results: results.length, error: error as Error });
    }
  }

  #prolong(age: Stopwatch): void {
    this.#age = age;
    this.#held.renew(age);
  }

  #renewals(): ReportedRequest[] {
    return Array.from(this.#open, ([lease, { transfer }]) => ({
      ...transfer.details.transfer.did,
      lease,
      state: 'SUBMITTING',
      seconds: leaseSeconds,
    }));
  }

  /** Counts what ended, and stops copies whose lease is lost. */
  #follow(outcomes: readonly TransferOutcome[]): void {
    const lost = outcomes.filter(({ state }) => state === 'FAILED').length;
    if (lost > 0) log.warn('copies have failed for good', { rse: this.#rse.rse, lost, ...countMetric('CopiesFailed') });
    for (const { state, lease, err_msg: error } of outcomes) {
      if (state === 'DONE') this.#done += 1;
      else if (error !== null && !this.#open.has(lease)) this.#failed += 1;
      if (state !== 'SUBMITTING' && state !== 'SUBMITTED') this.#open.get(lease)?.stopping.abort();
    }
  }
}

const reportOf = ({ details, lease }: LeasedTransfer, source: string | undefined) => ({
  ...details.transfer.did,
  lease: lease.id,
  source_rse: source,
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const isTransient = (error: unknown) =>
  error instanceof TransientError || (error instanceof Error && error.cause instanceof TransientError);
