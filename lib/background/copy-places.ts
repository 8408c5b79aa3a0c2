/** The copies between two RSEs. */
interface Lane {
  running: number;
  /** The last copy that ended has failed since its storage was silent. */
  isSilent: boolean;
  /** Resolve with whether the copy may begin. */
  waiting: ((mayBegin: boolean) => void)[];
}

/** Gives a place back; to be called once. @param isSilent Whether the copy has failed since its storage was silent. */
export type GiveBack = (isSilent: boolean) => void;

/**
 * Bounds the copies that a mover makes at the same time, so that no storage keeps the copies of others waiting: one that is silent
 * holds its places for minutes. Each pair of RSEs has one place of its own, and the pair with the fewest gets the next shared one.
 * Between a pair with a silent storage one copy is tried at a time, and none waits for it.
 */
export class CopyPlaces {
  readonly #shared: number;
  readonly #lanes = new Map<string, Lane>();
  #taken = 0;

  /** @param shared The places. With those that pairs have of their own there are twice as many at most. */
  constructor(shared: number) {
    this.#shared = shared;
  }

  /**
   * Waits for a place.
   *
   * @param pair Any text that names the RSEs of the copy.
   * @returns Undefined: a storage of the pair is silent, and the copy is to be tried later.
   */
  async take(pair: string): Promise<GiveBack | undefined> {
    const lane = this.#lanes.get(pair) ?? { running: 0, isSilent: false, waiting: [] };
    this.#lanes.set(pair, lane);
    if (isBusyInVain(lane)) return undefined;
    const mayBegin = await new Promise<boolean>((resolve) => {
      lane.waiting.push(resolve);
      this.#admit();
    });
    return mayBegin ? (isSilent) => this.#end(pair, lane, isSilent) : undefined;
  }

  #end(pair: string, lane: Lane, isSilent: boolean): void {
    lane.running -= 1;
    this.#taken -= 1;
    lane.isSilent = isSilent;
    if (isSilent) for (const setAside of lane.waiting.splice(0)) setAside(false);
    if (lane.running === 0 && lane.waiting.length === 0 && !isSilent) this.#lanes.delete(pair);
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const open = [...this.#lanes.values()].filter((lane) => lane.waiting.length > 0 && this.#mayBegin(lane));
      if (open.length === 0) return;
      const next = open.reduce((best, lane) => (lane.running < best.running ? lane : best));
      next.running += 1;
      this.#taken += 1;
      next.waiting.shift()?.(true);
    }
  }

  #mayBegin({ running }: Lane): boolean {
    return this.#taken < (running === 0 ? 2 * this.#shared : this.#shared);
  }
}

/** A copy is tried, or is about to be, although the last one has failed. */
const isBusyInVain = ({ isSilent, running, waiting }: Lane) => isSilent && running + waiting.length > 0;
