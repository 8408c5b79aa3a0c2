import { clock } from '../clock.ts';
import type { ReportedRequest, TransferOutcome } from '../contract/schemas/transfer-lease.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { reportTransfers } from '../domain/requests/report-transfers.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import type { Mover } from '../storage/mover.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { chooseJob } from './choose-job.ts';
import { leaseSeconds } from './lease-copies.ts';

/** The interval at which results are reported, and the one at which leases are prolonged. */
const [reportIntervalMs, renewIntervalMs] = [2_000, 30_000];

/** How often the last results are reported until that succeeds. */
const maxLastReports = 3;

/** The numbers of copies that were made, and of attempts that failed. */
export interface MoveRun {
  readonly done: number;
  readonly failed: number;
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
  #renewedAt = clock.now();
  #reporting: Promise<void> = Promise.resolve();
  #done = 0;
  #failed = 0;

  /** @param limits How the copies end: all by a signal, and each after some milliseconds, if that is given. */
  constructor(
    store: Store,
    rse: Rse,
    leased: readonly LeasedTransfer[],
    { signal, copyMs }: { readonly signal: AbortSignal; readonly copyMs?: number | undefined },
  ) {
    this.#store = store;
    this.#rse = rse;
    this.#signal = signal;
    this.#copyMs = copyMs;
    this.#open = new Map(leased.map((transfer) => [transfer.lease.id, { transfer, stopping: new AbortController() }]));
    this.#timer = setInterval(() => this.#report(), reportIntervalMs).unref();
  }

  /** Makes a copy; its result is reported soon. Never throws. */
  async move(mover: Mover, transfer: LeasedTransfer): Promise<void> {
    const { lease, details } = transfer;
    const entry = this.#open.get(lease.id);
    if (entry === undefined || entry.stopping.signal.aborted || this.#signal.aborted) return;
    const { job, obstacle } = chooseJob(mover, transfer);
    const report = {
      ...details.transfer.did,
      lease: lease.id,
      source_rse: (job?.source ?? transfer.sources[0])?.rse.rse,
    };
    if (job === undefined) return this.#add({ ...report, state: 'MISMATCH_SCHEME', err_msg: obstacle });
    const limit = this.#copyMs === undefined ? undefined : AbortSignal.timeout(this.#copyMs);
    const stops = [entry.stopping.signal, this.#signal, ...(limit === undefined ? [] : [limit])];
    try {
      const { bytes, adler32, md5 } = await mover.copy(job, AbortSignal.any(stops));
      this.#add({ ...report, state: 'DONE', bytes, adler32, md5 });
    } catch (error) {
      if (entry.stopping.signal.aborted || this.#signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      const late = `The copy took longer than a run of this mover may, ${(this.#copyMs ?? 0) / 1_000} s.`;
      this.#add({ ...report, state: 'FAILED', err_msg: limit?.aborted === true ? late : message });
    }
  }

  /** Reports the last results, and gives back what was not begun. */
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
    const renewed = clock.now() < this.#renewedAt + renewIntervalMs ? [] : this.#renewals();
    if (results.length + renewed.length === 0) return;
    try {
      const context = { store: this.#store.begin(), now: clock.now() };
      this.#follow(await reportTransfers(context, this.#rse, [...results, ...renewed], { isCompared: true }));
      if (renewed.length > 0) this.#renewedAt = clock.now();
    } catch (error) {
      // If they never can be, the leases end, and the next mover finds the copies in their places.
      this.#results.push(...results);
      const { rse } = this.#rse;
      log.warn('results of copies could not be reported', { rse, results: results.length, error: error as Error });
    }
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
