/** Numbers that a seed decides (sfc32). Parts of a run take a generator of their own, so that they do not shift others. */
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

  /** A generator that depends on this one's label only, not on what was drawn. */
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

  /** So many different members, or all. */
  some<T>(choice: readonly T[], count: number): T[] {
    const rest = [...choice];
    const found: T[] = [];
    while (found.length < count && rest.length > 0) found.push(...rest.splice(this.below(rest.length), 1));
    return found;
  }

  /** One of the names, each as likely as its weight says. */
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

/** Three numbers out of a text (FNV-1a with different starts). */
function digest(text: string): [number, number, number] {
  const of = (start: number) => {
    let hash = start;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
    return hash >>> 0;
  };
  return [of(2_166_136_261), of(374_761_393), of(668_265_263)];
}
