const wordBits = 32;

/**
 * A set of RSEs as a bit set of their positions in a fleet: combining two sets takes one step per 32 RSEs. A set
 * does not change.
 */
export class RseSet {
  /** Numbers of 32 bits. An array, since the engine makes a small one at a fraction of the cost of a typed one. */
  readonly #words: readonly number[];

  private constructor(words: readonly number[]) {
    this.#words = words;
  }

  /** The set of no RSE in a fleet of this size. */
  static ofNone(size: number): RseSet {
    return new RseSet(Array.from({ length: Math.ceil(size / wordBits) }, () => 0));
  }

  /** Number of its words: the steps that it takes to combine it. */
  get words(): number {
    return this.#words.length;
  }

  /** The set of the same RSEs and of those at some positions. */
  with(positions: readonly number[]): RseSet {
    const words = this.#words.slice();
    for (const position of positions) {
      const word = Math.floor(position / wordBits);
      words[word] = (words[word] ?? 0) | (1 << (position % wordBits));
    }
    return new RseSet(words);
  }

  /** The set whose words are the results of `combine` on the words of both sets. */
  combine(other: RseSet, combine: (own: number, others: number) => number): RseSet {
    const others = other.#words;
    return new RseSet(this.#words.map((own, word) => combine(own, others[word] ?? 0)));
  }

  /** Whether the RSE at a position is in the set. */
  has(position: number): boolean {
    return (((this.#words[Math.floor(position / wordBits)] ?? 0) >>> (position % wordBits)) & 1) === 1;
  }
}
