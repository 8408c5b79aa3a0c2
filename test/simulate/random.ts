/** Seeded random numbers (sfc32). Each part of a run forks a generator, so that parts do not shift each other's numbers. */
export class Random {
  readonly #label: string;
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(label: string) {
    this.#label = label;
    const [a, b, c] = digest(label);
    this.#a = a;
    this.#b = b;
    this.#c = c;
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** A generator that depends on the labels only, not on the numbers drawn so far. */
  fork(label: string | number): Random {
    return new Random(`${this.#label}/${label}`);
  }

  /** A number from 0 to below 1. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** An integer below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(choice: readonly T[]): T {
    return choice[this.below(choice.length)] as T;
  }

  /** Picks up to `count` different members. */
  some<T>(choice: readonly T[], count: number): T[] {
    const rest = [...choice];
    const found: T[] = [];
    while (found.length < count && rest.length > 0) found.push(...rest.splice(this.below(rest.length), 1));
    return found;
  }

  /** Picks a name by weight. */
  weighed<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[entries.length - 1]?.[0] as T;
  }

  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.below(256);
  }
}

/** Hashes a text to three numbers (FNV-1a with different offsets). */
function digest(text: string): [number, number, number] {
  const of = (start: number) => {
    let hash = start;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
    return hash >>> 0;
  };
  return [of(2_166_136_261), of(374_761_393), of(668_265_263)];
}
