import type { ReportedRequest, TransferOutcome } from '../contract/schemas/transfer-lease.ts';
import { type LeasedTransfer, leaseTransfers } from '../domain/requests/lease-transfers.ts';
import { reportTransfers } from '../domain/requests/report-transfers.ts';
import { log } from '../log.ts';
import { forEachLimited } from '../parallel.ts';
import type { CopyJob, Mover } from '../storage/mover.ts';
import { getFleet } from '../store/entities/rse-fleet.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';

/** How a run of movers is bounded. */
export interface MoveOptions {
  readonly movers: readonly Mover[];
  /** Who holds the leases, for people who look for it later. */
  readonly holder: string;
  /** The run begins no further copies after this time, in milliseconds since 1970. */
  readonly until: number;
  /** Ends the run: its copies are given back. */
  readonly signal: AbortSignal;
}

/** The result of a run. */
export interface MoveRun {
  readonly done: number;
  readonly failed: number;
}

/** Transfers that a mover leases at a time, for each copy that it makes at a time. */
const leasesPerCopy = 8;

/** The duration of a lease, and the interval at which it is prolonged and results are reported. */
const [leaseSeconds, reportIntervalMs] = [120, 2_000];
const renewIntervalMs = 30_000;

/** How often the last results are reported until that succeeds. */
const maxLastReports = 3;

/**
 * Makes the copies that are due to the RSEs with the attribute `mover`, until none is left or the time is over. Runs may
 * overlap: a lease gives each copy to one of them.
 *
 * Costs a query for each shard of each such RSE if nothing is due.
 */
export async function moveData(store: Store, options: MoveOptions): Promise<MoveRun> {
  const runs = await Promise.all(options.movers.map((mover) => new MoverRun(store, mover, options).run()));
  return { done: sum(runs.map(({ done }) => done)), failed: sum(runs.map(({ failed }) => failed)) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The run of one mover. */
class MoverRun {
  readonly #store: Store;
  readonly #mover: Mover;
  readonly #options: MoveOptions;
  #done = 0;
  #failed = 0;

  constructor(store: Store, mover: Mover, options: MoveOptions) {
    this.#store = store;
    this.#mover = mover;
    this.#options = options;
  }

  async run(): Promise<MoveRun> {
    const { signal, until } = this.#options;
    while (!signal.aborted && Date.now() < until) {
      const leased = await this.#lease();
      if (leased.length === 0) break;
      const byRse = Map.groupBy(leased, ({ details }) => details.destination);
      await Promise.all(Array.from(byRse, ([rse, transfers]) => this.#moveTo(rse, transfers)));
    }
    return { done: this.#done, failed: this.#failed };
  }

  async #lease(): Promise<LeasedTransfer[]> {
    const store = this.#store.begin();
    const { name, schemes, parallel } = this.#mover;
    const { live } = await getFleet(store.table);
    const destinations = live.filter(({ attributes, deterministic }) => attributes['mover'] === name && deterministic);
    return leaseTransfers(
      { store, now: Date.now() },
      { holder: this.#options.holder, destinations, schemes, limit: parallel * leasesPerCopy, seconds: leaseSeconds },
    );
  }

  async #moveTo(rse: Rse, leased: readonly LeasedTransfer[]): Promise<void> {
    const batch = new LeasedBatch(this.#store, rse, leased, this.#options.signal);
    await forEachLimited(leased, this.#mover.parallel, async (transfer) => {
      if (Date.now() < this.#options.until) await batch.move(this.#mover, transfer);
    });
    const { done, failed } = await batch.end();
    this.#done += done;
    this.#failed += failed;
  }
}

/** Leased transfers to an RSE while they are copied: results are reported in groups, and leases prolonged. */
class LeasedBatch {
  readonly #store: Store;
  readonly #rse: Rse;
  readonly #signal: AbortSignal;
  /** The transfers that are not over, by lease. */
  readonly #open: Map<string, { readonly transfer: LeasedTransfer; readonly stopping: AbortController }>;
  readonly #results: ReportedRequest[] = [];
  readonly #timer: NodeJS.Timeout;
  #renewedAt = Date.now();
  #reporting: Promise<void> = Promise.resolve();
  #done = 0;
  #failed = 0;

  constructor(store: Store, rse: Rse, leased: readonly LeasedTransfer[], signal: AbortSignal) {
    this.#store = store;
    this.#rse = rse;
    this.#signal = signal;
    this.#open = new Map(leased.map((transfer) => [transfer.lease.id, { transfer, stopping: new AbortController() }]));
    this.#timer = setInterval(() => this.#report(), reportIntervalMs).unref();
  }

  /** Makes a copy; its result is reported soon. */
  async move(mover: Mover, transfer: LeasedTransfer): Promise<void> {
    const { lease, details } = transfer;
    const entry = this.#open.get(lease.id);
    const job = makeJob(transfer);
    if (entry === undefined || entry.stopping.signal.aborted || this.#signal.aborted) return;
    const report = { ...details.transfer.did, lease: lease.id, source_rse: job?.source.rse.rse };
    try {
      if (job === undefined) throw new Error('No protocol serves the copy.');
      const { bytes, adler32, md5 } = await mover.copy(job, AbortSignal.any([entry.stopping.signal, this.#signal]));
      this.#add({ ...report, state: 'DONE', bytes, adler32, md5 });
    } catch (error) {
      if (entry.stopping.signal.aborted || this.#signal.aborted) return;
      this.#add({ ...report, state: 'FAILED', err_msg: error instanceof Error ? error.message : String(error) });
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
    this.#reporting = this.#reporting.then(async () => {
      const results = this.#results.splice(0);
      const renewed = Date.now() < this.#renewedAt + renewIntervalMs ? [] : this.#renewals();
      if (results.length + renewed.length === 0) return;
      try {
        const context = { store: this.#store.begin(), now: Date.now() };
        this.#follow(await reportTransfers(context, this.#rse, [...results, ...renewed]));
        if (renewed.length > 0) this.#renewedAt = Date.now();
      } catch (error) {
        // If they never can be, the leases end, and the next mover finds the copies in their places.
        this.#results.push(...results);
        log.warn('results of copies could not be reported', {
          rse: this.#rse.rse,
          results: results.length,
          error: error as Error,
        });
      }
    });
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
    for (const { state, lease, err_msg: error } of outcomes) {
      if (state === 'DONE') this.#done += 1;
      else if (error !== null && !this.#open.has(lease)) this.#failed += 1;
      if (state !== 'SUBMITTING' && state !== 'SUBMITTED') this.#open.get(lease)?.stopping.abort();
    }
  }
}

/** The copy from the best source; undefined if one end has no protocol for it. */
function makeJob({ details, lease, destination, sources, replaces }: LeasedTransfer): CopyJob | undefined {
  const { pfn, protocol, rse } = sources[0] ?? {};
  if (pfn === undefined || protocol === undefined || rse === undefined || destination === undefined) return undefined;
  const { bytes, adler32, md5 } = details.file ?? {};
  return {
    id: lease.id,
    source: { rse, protocol, pfn },
    destination: { rse: details.destination, ...destination },
    bytes,
    adler32,
    md5,
    replaces,
  };
}
