const wordBits = 32;

/** A set of RSEs as a bit set of their positions in a fleet: combining two sets takes one step per 32 RSEs. */
export class RseSet {
  readonly #words: Uint32Array;

  /**
   * @param size Number of RSEs in the fleet.
   * @param positions Positions of the RSEs in the set.
   */
  constructor(size: number, positions: readonly number[]) {
    this.#words = new Uint32Array(Math.ceil(size / wordBits));
    const words = this.#words;
    for (const position of positions) {
      const word = Math.floor(position / wordBits);
      words[word] = (words[word] ?? 0) | (1 << (position % wordBits));
    }
  }

  /** Replaces each word by the result of `combine` on the words of both sets. */
  combine(other: RseSet, combine: (own: number, others: number) => number): this {
    const [words, others] = [this.#words, other.#words];
    for (let word = 0; word < words.length; word += 1) {
      words[word] = combine(words[word] ?? 0, others[word] ?? 0);
    }
    return this;
  }

  /** Whether the RSE at a position is in the set. */
  has(position: number): boolean {
    return (((this.#words[Math.floor(position / wordBits)] ?? 0) >>> (position % wordBits)) & 1) === 1;
  }
}
