/** Gives back a slot; to be called once. */
export type Release = () => void;

/**
 * Bounds how many things are under way at the same time, and shares the turns among those who wait: each lane has one in turn,
 * however many wait in it, and lanes that are preferred go first.
 */
export class FairSlots {
  readonly #maxWaiting: number;
  #free: number;
  #waiting = 0;
  readonly #preferred = new Map<string, (() => void)[]>();
  readonly #others = new Map<string, (() => void)[]>();

  constructor({ slots, maxWaiting }: { readonly slots: number; readonly maxWaiting: number }) {
    this.#free = slots;
    this.#maxWaiting = maxWaiting;
  }

  /** Waits for a turn. @returns Undefined if too many wait; `hasWaited`: it had to. */
  async take(
    lane: string,
    { isPreferred }: { readonly isPreferred: boolean },
  ): Promise<{ readonly release: Release; readonly hasWaited: boolean } | undefined> {
    const release = () => this.#passOn();
    if (this.#free > 0) {
      this.#free -= 1;
      return { release, hasWaited: false };
    }
    if (this.#waiting >= this.#maxWaiting) return undefined;
    this.#waiting += 1;
    await new Promise<void>((resolve) => {
      const lanes = isPreferred ? this.#preferred : this.#others;
      const queue = lanes.get(lane);
      if (queue === undefined) lanes.set(lane, [resolve]);
      else queue.push(resolve);
    });
    return { release, hasWaited: true };
  }

  #passOn(): void {
    const next = takeFirst(this.#preferred) ?? takeFirst(this.#others);
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting -= 1;
    next();
  }
}

/** Takes the first who waits in the lane whose turn it is; the lane goes to the end. */
function takeFirst(lanes: Map<string, (() => void)[]>): (() => void) | undefined {
  const [first] = lanes;
  if (first === undefined) return undefined;
  const [lane, [next, ...others]] = first;
  lanes.delete(lane);
  if (others.length > 0) lanes.set(lane, others);
  return next;
}
