import { clock, type Stopwatch } from '../clock.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import type { Mover } from '../movers/mover.ts';
import type { TransferTool } from '../movers/transfer-tool.ts';
import { Slots } from '../slots.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { leaseCopies } from './lease-copies.ts';
import { LeasedBatch, type MoveRun } from './leased-batch.ts';
import { ToolRun } from './tool-run.ts';

/** How a run of movers is bounded. */
export interface MoveOptions {
  readonly movers: readonly (Mover | TransferTool)[];
  /** The holder of the leases, as people see it. */
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
  const ends = await Promise.allSettled(
    options.movers.map((mover) =>
      'submit' in mover ? new ToolRun(store, mover, options).run() : new MoverRun(store, mover, options).run(),
    ),
  );
  // A mover that fails ends none of the others.
  const runs = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return { done: sum(runs.map(({ done }) => done)), failed: sum(runs.map(({ failed }) => failed)) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The run of one mover. Further copies are leased as soon as all earlier ones have begun: a slow one delays no others. */
class MoverRun {
  readonly #store: Store;
  readonly #mover: Mover;
  readonly #options: MoveOptions;
  readonly #slots: Slots;
  /** Resolve when the batches that were begun have ended. */
  readonly #ends: Promise<void>[] = [];
  #done = 0;
  #failed = 0;

  constructor(store: Store, mover: Mover, options: MoveOptions) {
    this.#store = store;
    this.#mover = mover;
    this.#options = options;
    this.#slots = new Slots(mover.parallel);
  }

  async run(): Promise<MoveRun> {
    const { name, schemes, parallel } = this.#mover;
    const limit = parallel * leasesPerCopy;
    try {
      while (this.#mayBegin()) {
        const age = clock.stopwatch();
        const leased = await leaseCopies(this.#store, { name, schemes, holder: this.#options.holder, limit });
        if (leased.length === 0) break;
        const byRse = Map.groupBy(leased, ({ details }) => details.destination);
        await Promise.all(Array.from(byRse, ([rse, transfers]) => this.#begin(rse, transfers, age)));
      }
    } finally {
      await Promise.all(this.#ends);
    }
    return { done: this.#done, failed: this.#failed };
  }

  #mayBegin(): boolean {
    return !this.#options.signal.aborted && clock.now() < this.#options.until;
  }

  /** Begins copies to an RSE, as far as time allows. */
  async #begin(rse: Rse, leased: readonly LeasedTransfer[], age: Stopwatch): Promise<void> {
    const { signal, copyMs } = this.#options;
    const batch = new LeasedBatch(this.#store, rse, leased, { signal, copyMs, age });
    const moves: Promise<void>[] = [];
    for (const transfer of leased) {
      const giveBack = await this.#slots.take();
      if (this.#mayBegin()) moves.push(batch.move(this.#mover, transfer).finally(giveBack));
      else giveBack();
    }
    this.#ends.push(this.#end(batch, moves));
  }

  async #end(batch: LeasedBatch, moves: readonly Promise<void>[]): Promise<void> {
    await Promise.all(moves);
    const { done, failed } = await batch.end();
    this.#done += done;
    this.#failed += failed;
  }
}
