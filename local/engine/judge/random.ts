/** Repeatable random choices from a seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive), by the generator mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** An integer of an inclusive range. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A member of a non-empty list. */
  pick<T>(members: readonly T[]): T {
    return members[this.integer(0, members.length - 1)] as T;
  }

  /** A member, with a probability by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      rest -= weight;
      if (rest < 0) return choice;
    }
    return (choices.at(-1) as readonly [number, T])[1];
  }

  /** Some different members in random order; at most all of them. */
  some<T>(members: readonly T[], least: number, most: number): T[] {
    const rest = [...members];
    const count = Math.min(this.integer(least, most), rest.length);
    return Array.from({ length: count }, () => rest.splice(this.integer(0, rest.length - 1), 1)[0] as T);
  }
}
