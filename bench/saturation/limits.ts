import type { Spot } from './spots.ts';

/*
 * The throughput of DynamoDB on demand, as AWS documents it:
 * - a partition, and an item, give 3,000 read units and 1,000 write units a second;
 * - a new table gives 12,000 read units and 4,000 write units at once; later twice its former peak at once, as long as the load
 *   does not double more often than every 30 minutes;
 * - a partition under sustained load is split, down to single items; a split helps nothing where all writes are at the end of a range;
 * - an index has partitions of its own; a write that it cannot take is throttled in the table.
 */

/** Units a second. */
export interface Units {
  readonly rru: number;
  readonly wru: number;
}

const perPartition: Units = { rru: 3_000, wru: 1_000 };
const newTable: Units = { rru: 12_000, wru: 4_000 };

/** How long a partition is busy before it is split, and from which part of its throughput on. */
const minutesToSplit = 10;
const busy = 0.8;
const maxSplits = 64;

/** The state of one spot as load goes on. */
export class SpotLimit {
  readonly #spot: Spot;
  #parts = 1;
  #busyMinutes = 0;
  #peak: Units = { rru: 0, wru: 0 };
  #former: Units = { rru: 0, wru: 0 };
  #minutes = 0;

  constructor(spot: Spot) {
    this.#spot = spot;
  }

  /** The present capacity a second. */
  get units(): Units {
    if (this.#spot.kind === 'whole') {
      return {
        rru: Math.max(newTable.rru, 2 * this.#former.rru),
        wru: Math.max(newTable.wru, 2 * this.#former.wru),
      };
    }
    const { members, kind } = this.#spot;
    // New items all come to the last part of an ascending range; what is read lies in all of it.
    const writers = kind === 'append' ? 1 : this.#parts;
    return { rru: perPartition.rru * members * this.#parts, wru: perPartition.wru * members * writers };
  }

  /** A minute of load passes. */
  pass(load: Units): void {
    if (this.#spot.kind === 'whole') {
      this.#peak = { rru: Math.max(this.#peak.rru, load.rru), wru: Math.max(this.#peak.wru, load.wru) };
      this.#minutes += 1;
      if (this.#minutes % 30 === 0) this.#former = this.#peak;
      return;
    }
    if (this.#spot.kind === 'item') return;
    const { rru, wru } = this.units;
    const writes = this.#spot.kind === 'append' ? 0 : load.wru / wru;
    this.#busyMinutes = Math.max(load.rru / rru, writes) >= busy ? this.#busyMinutes + 1 : 0;
    if (this.#busyMinutes < minutesToSplit || this.#parts >= maxSplits) return;
    this.#parts *= 2;
    this.#busyMinutes = 0;
  }
}
