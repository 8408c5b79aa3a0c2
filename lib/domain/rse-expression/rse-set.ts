const wordBits = 32;

/** RSEs by their positions in a fleet, as bits: combining two sets takes one step for 32 RSEs. */
export class RseSet {
  readonly #words: Uint32Array;

  /**
   * @param size How many RSEs the fleet has.
   * @param positions Those that are in.
   */
  constructor(size: number, positions: readonly number[]) {
    this.#words = new Uint32Array(Math.ceil(size / wordBits));
    const words = this.#words;
    for (const position of positions) {
      const word = Math.floor(position / wordBits);
      words[word] = (words[word] ?? 0) | (1 << (position % wordBits));
    }
  }

  /** Keeps what `combine` makes of each pair of words. */
  combine(other: RseSet, combine: (own: number, others: number) => number): this {
    const [words, others] = [this.#words, other.#words];
    for (let word = 0; word < words.length; word += 1) {
      words[word] = combine(words[word] ?? 0, others[word] ?? 0);
    }
    return this;
  }

  /** Whether the RSE at a position is in. */
  has(position: number): boolean {
    return (((this.#words[Math.floor(position / wordBits)] ?? 0) >>> (position % wordBits)) & 1) === 1;
  }
}
