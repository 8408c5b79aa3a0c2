import { clock, type Stopwatch } from '../clock.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import type { CopyJob, Mover } from '../movers/mover.ts';
import type { TransferTool } from '../movers/transfer-tool.ts';
import type { Rse } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { CopyPlaces } from './copy-places.ts';
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
  /** Resolves when copies have been asked for: while some are under way, these are made as well; absent: nobody tells. */
  readonly announced?: () => Promise<void>;
}

/** Transfers that a mover leases at a time, for each copy that it makes at a time. */
const leasesPerCopy = 8;

/** Copies to an RSE that wait are as many as this number of leases at most, and one more. */
const maxWaitingBatches = 4;

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

/**
 * The run of one mover. It looks for further copies while others are under way: of each RSE when all that were leased have begun,
 * and of all when some are announced or have ended. So a slow one delays no others.
 */
class MoverRun {
  readonly #store: Store;
  readonly #mover: Mover;
  readonly #options: MoveOptions;
  readonly #places: CopyPlaces;
  /** The copies that were leased and have not begun, by the id of their destination. */
  readonly #waiting = new Map<string, number>();
  /** Of these, those of which more may be leased once. */
  readonly #reopened = new Set<string>();
  /** The batches that have not ended. */
  readonly #batches = new Set<Promise<void>>();
  /** Resolves when there may be more to lease. */
  #changed = Promise.withResolvers<void>();
  #done = 0;
  #failed = 0;

  constructor(store: Store, mover: Mover, options: MoveOptions) {
    this.#store = store;
    this.#mover = mover;
    this.#options = options;
    this.#places = new CopyPlaces(mover.parallel);
  }

  async run(): Promise<MoveRun> {
    const { name, schemes, parallel } = this.#mover;
    const { holder, announced } = this.#options;
    const limit = parallel * leasesPerCopy;
    try {
      while (this.#mayBegin()) {
        const news = announced?.();
        const age = clock.stopwatch();
        const fits = ({ id }: Rse) => this.#isOpen(id);
        const leased = await leaseCopies(this.#store, { name, fits, schemes, holder, limit });
        const byRse = Map.groupBy(leased, ({ details }) => details.destination);
        for (const [rse, transfers] of byRse) this.#begin(rse, transfers, age);
        if (leased.length > 0) continue;
        if (this.#batches.size === 0) break;
        await Promise.race([this.#changed.promise, ...(news === undefined ? [] : [news.then(() => this.#reopen())])]);
        this.#changed = Promise.withResolvers();
      }
    } finally {
      while (this.#batches.size > 0) await Promise.all(this.#batches);
    }
    return { done: this.#done, failed: this.#failed };
  }

  #mayBegin(): boolean {
    return !this.#options.signal.aborted && clock.now() < this.#options.until;
  }

  /** Whether more copies to an RSE may be leased: none waits, or some may wait in vain while others can be made. */
  #isOpen(id: string): boolean {
    return !this.#waiting.has(id) || this.#reopened.has(id);
  }

  /** Leases announced copies although earlier ones to the same RSE wait, unless these are too many. */
  #reopen(): void {
    const limit = maxWaitingBatches * leasesPerCopy * this.#mover.parallel;
    for (const [id, count] of this.#waiting) if (count < limit) this.#reopened.add(id);
  }

  #begin(rse: Rse, leased: readonly LeasedTransfer[], age: Stopwatch): void {
    this.#waiting.set(rse.id, (this.#waiting.get(rse.id) ?? 0) + leased.length);
    this.#reopened.delete(rse.id);
    const batch = this.#copyAll(rse, leased, age).finally(() => {
      this.#batches.delete(batch);
      this.#changed.resolve();
    });
    this.#batches.add(batch);
    // The caller that awaits the batches gets the failure.
    batch.catch(() => undefined);
  }

  /** Makes copies to an RSE, as far as time allows. */
  async #copyAll(rse: Rse, leased: readonly LeasedTransfer[], age: Stopwatch): Promise<void> {
    const { signal, copyMs } = this.#options;
    const batch = new LeasedBatch(this.#store, rse, leased, { signal, copyMs, age });
    const copies: Promise<void>[] = [];
    for (const transfer of leased) {
      // A copy that cannot be made takes no place, so that its rule says so soon.
      const job = await batch.choose(this.#mover, transfer);
      if (job === undefined) this.#noteBegun(rse);
      else copies.push(this.#copy(batch, transfer, job));
    }
    await Promise.all(copies);
    const { done, failed } = await batch.end();
    this.#done += done;
    this.#failed += failed;
  }

  async #copy(batch: LeasedBatch, transfer: LeasedTransfer, job: CopyJob): Promise<void> {
    const { source, destination } = job;
    const giveBack = await this.#places.take(`${source.rse.id} ${destination.rse.id}`);
    this.#noteBegun(transfer.details.destination);
    if (giveBack === undefined) batch.setAside(transfer, job);
    else giveBack(this.#mayBegin() && (await batch.copy(this.#mover, transfer, job)));
  }

  /** Once all copies of an RSE have begun, more are leased. */
  #noteBegun({ id }: Rse): void {
    const left = (this.#waiting.get(id) ?? 0) - 1;
    if (left > 0) return void this.#waiting.set(id, left);
    this.#waiting.delete(id);
    this.#changed.resolve();
  }
}
