import type { Call, Moment, Outcome } from './linearize.ts';
import type { Change } from './model.ts';

/** The calls of all clients that the model judges, in the order of time. */
export class CallLog {
  #moments: Moment[] = [];
  #count = 0;
  #tags = 0;
  readonly #clock: () => number;

  /** @param clock The time in milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock();
  }

  /** A number by which the model knows the `ETag` that a client reads. */
  newTag(): number {
    this.#tags += 1;
    return this.#tags;
  }

  /** Notes that a client sends a request now. */
  begin(change: Change): Call {
    this.#count += 1;
    const call: Call = { id: this.#count, change, outcome: 'unknown', overAt: Infinity };
    this.#moments.push({ kind: 'call', call });
    return call;
  }

  /** Notes that the client knows the outcome now. */
  end(call: Call, outcome: Outcome): void {
    call.outcome = outcome;
    this.#moments.push({ kind: 'return', call });
  }

  /** The moments since it was called last. */
  take(): Moment[] {
    const moments = this.#moments;
    this.#moments = [];
    return moments;
  }
}
