import { setTimeout as sleep } from 'node:timers/promises';

/** How an operation has waited. */
export interface Waited {
  /** How often it had to wait before it could go on, if all answers take equally long and those under way come at once. */
  readonly waves: number;
  /** Milliseconds for which answers were held back to find that out. */
  readonly held: number;
}

/** Milliseconds without a request, after which none is expected before an answer. */
const quiet = 4;

/**
 * Counts how often a service waits, so that chance has no part in it: answers are held back until it sends nothing more, then
 * all of them are handed out at once. What is sent by so many at a time takes as many waves, though never nothing is under way.
 */
export class Waves {
  readonly #idle: () => Promise<void>;
  #executing = 0;
  #waiting = 0;
  #arrivals = 0;
  #release = Promise.withResolvers<void>();
  #waves = 0;
  #held = 0;

  /** @param idle Resolves when the service has nothing left to do but to wait for answers. */
  constructor(idle: () => Promise<void>) {
    this.#idle = idle;
  }

  /** A request has come. */
  enter(): void {
    this.#executing += 1;
    this.#arrivals += 1;
  }

  /** The request that has come does not count. */
  retract(): void {
    this.#executing -= 1;
    if (this.#executing === 0 && this.#waiting > 0) void this.#closeWave();
  }

  /** The request has its answer; resolves when that may be handed out. */
  async leave(): Promise<void> {
    this.#executing -= 1;
    this.#waiting += 1;
    const { promise } = this.#release;
    if (this.#executing === 0) void this.#closeWave();
    return promise;
  }

  total(): Waited {
    return { waves: this.#waves, held: this.#held };
  }

  async #closeWave(): Promise<void> {
    const seen = this.#arrivals;
    const since = performance.now();
    // Twice: what the service had to do may have been to send a request, which takes its time on the line.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await this.#idle();
      await sleep(quiet);
      if (this.#arrivals !== seen) return;
    }
    const { resolve } = this.#release;
    this.#release = Promise.withResolvers();
    this.#waves += 1;
    this.#waiting = 0;
    this.#held += performance.now() - since;
    resolve();
  }
}
