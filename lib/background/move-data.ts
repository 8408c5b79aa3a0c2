import { type LeasedTransfer, leaseTransfers } from '../domain/requests/lease-transfers.ts';
import { forEachLimited } from '../parallel.ts';
import type { Mover } from '../storage/mover.ts';
import { getFleet } from '../store/entities/rse-fleet.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { LeasedBatch, leaseSeconds, type MoveRun } from './leased-batch.ts';

/** How a run of movers is bounded. */
export interface MoveOptions {
  readonly movers: readonly Mover[];
  /** Who holds the leases, for people who look for it later. */
  readonly holder: string;
  /** The run begins no further copies after this time, in milliseconds since 1970. */
  readonly until: number;
  /** Ends the run: its copies are given back. */
  readonly signal: AbortSignal;
  /** A copy that takes longer, in milliseconds, has failed; absent: it may take any time. */
  readonly copyMs?: number;
}

/** Transfers that a mover leases at a time, for each copy that it makes at a time. */
const leasesPerCopy = 8;

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
    const batch = new LeasedBatch(this.#store, rse, leased, this.#options);
    await forEachLimited(leased, this.#mover.parallel, async (transfer) => {
      if (Date.now() < this.#options.until) await batch.move(this.#mover, transfer);
    });
    const { done, failed } = await batch.end();
    this.#done += done;
    this.#failed += failed;
  }
}
