import type { RseSet } from './rse-set.ts';

/** An RSE and its number. */
export interface Numbered {
  readonly number: number;
  readonly position: number;
}

/**
 * RSEs in the order of their numbers. Keeps the sets of the first RSEs in steps of as many RSEs as a set has words, 33 sets at
 * most: the RSEs below any bound are one of them and the few RSEs after it.
 */
export class RsesInOrder {
  readonly #numbers: readonly number[];
  readonly #positions: readonly number[];
  readonly #step: number;
  /** The RSEs before each multiple of the step. */
  readonly #first: RseSet[] = [];

  /**
   * @param nothing The set of no RSE of the fleet.
   * @param numbered In any order.
   */
  constructor(nothing: RseSet, numbered: readonly Numbered[]) {
    const sorted = numbered.toSorted((one, other) => one.number - other.number);
    this.#numbers = sorted.map(({ number }) => number);
    this.#positions = sorted.map(({ position }) => position);
    this.#step = nothing.words || 1;
    let first = nothing;
    for (let from = 0; from <= sorted.length; from += this.#step) {
      this.#first.push(first);
      first = first.with(this.#positions.slice(from, from + this.#step));
    }
  }

  /** The RSEs with a smaller number; none if the bound is not a number. */
  below(bound: number): RseSet {
    const count = this.#countBelow(bound);
    const known = Math.floor(count / this.#step);
    return (this.#first[known] as RseSet).with(this.#positions.slice(known * this.#step, count));
  }

  #countBelow(bound: number): number {
    let [from, to] = [0, this.#numbers.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if ((this.#numbers[middle] as number) < bound) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
