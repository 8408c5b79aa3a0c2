import { clock as processClock, type HybridClock, type Stopwatch } from '../clock.ts';

/** How long a look at the table proves that a lease is held: what may happen elsewhere meanwhile takes longer. */
const maxProofMs = 5_000;

/** A lease that was taken in the table. */
export interface LeaseTerms {
  /** How long others leave it to this process, from before the write that took it was sent. */
  readonly durationMs: number;
  /** The fencing token that this write has left in the table: a number that each write of the lease raises. */
  readonly token: number;
  /** Reads the token from the table itself, strongly consistent; undefined: nobody holds the lease. */
  readonly readToken: () => Promise<number | undefined>;
}

/**
 * A lease of this process on something outside of the catalogue, such as the files of an RSE, where no condition of a write
 * protects what another process has begun after the lease has ended.
 *
 * Whoever takes such a lease writes an item by one conditional write: the end of the lease, `clock.now() + durationMs`, and a
 * number that is greater by one than the one before. Others may take it when that end has passed by their clocks. The holder
 *
 * 1. starts a stopwatch (`clock.stopwatch()`) before that write is sent, or before one that prolongs the lease, and makes a
 *    `HeldLease` with it after the write, of the number that it has left;
 * 2. asks `isHeld` directly before each step that nobody can take back, such as the deletion of a file, and stops for good when
 *    the answer is false;
 * 3. makes each such step end soon (a request with a timeout), well within the lease.
 *
 * The answer does not rest on clocks alone. The duration is measured by time that runs while the machine sleeps, and whenever five
 * seconds of it have passed since the last look, the token is read again: so a process that was frozen, on a machine whose
 * clocks all stood still, finds the number of another holder. Costs a read unit in five seconds.
 */
export class HeldLease {
  readonly #terms: LeaseTerms;
  readonly #age: Stopwatch;
  readonly #clock: HybridClock;
  #proof: Stopwatch;
  #isLost = false;
  #looking: Promise<boolean> | undefined;

  /** @param age Started before the write was sent that took the lease. */
  constructor(age: Stopwatch, terms: LeaseTerms, clock = processClock) {
    this.#clock = clock;
    this.#age = age;
    this.#proof = age;
    this.#terms = terms;
  }

  /** Whether this process still holds the lease; once false, always false. Callers at the same time share one look. */
  async isHeld(): Promise<boolean> {
    if (this.#isOver()) return false;
    if (this.#proof.elapsed() < maxProofMs) return true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return (await this.#looking) && !this.#isOver();
  }

  #isOver(): boolean {
    this.#isLost ||= this.#age.elapsed() >= this.#terms.durationMs;
    return this.#isLost;
  }

  async #look(): Promise<boolean> {
    const proof = this.#clock.stopwatch();
    if ((await this.#terms.readToken()) !== this.#terms.token) this.#isLost = true;
    else this.#proof = proof;
    return !this.#isLost;
  }
}
