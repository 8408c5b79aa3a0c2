import { setImmediate as turn } from 'node:timers/promises';

import type { Answer, Transport } from '../../local/engine/src/transport.ts';

/** Turns of the event loop without a request, after which none is expected before an answer. */
const quietTurns = 4;

/**
 * A transport that counts deterministically how often its user waits: it holds answers back until the user sends no further
 * request, then delivers all of them, one after another. N requests with at most M in parallel take N/M waves, even if one is
 * always under way.
 */
export class WaveCounter implements Transport {
  readonly #engine: Transport;
  #isCounting = false;
  #isHandingOut = false;
  /** Requests that have come so far. */
  #arrivals = 0;
  /** Requests without an answer of the engine. */
  #open = 0;
  /** Hand out the answers that are held back. */
  #held: (() => void)[] = [];
  #waves = 0;

  constructor(engine: Transport) {
    this.#engine = engine;
  }

  /** Counts the waves while something runs; otherwise answers pass at once. */
  async count(run: () => Promise<unknown>): Promise<number> {
    this.#waves = 0;
    this.#isCounting = true;
    try {
      await run();
      return this.#waves;
    } finally {
      this.#isCounting = false;
    }
  }

  async send(operation: string, body: string): Promise<Answer> {
    if (!this.#isCounting) return this.#engine.send(operation, body);
    this.#arrivals += 1;
    this.#open += 1;
    const answer = await this.#engine.send(operation, body);
    this.#open -= 1;
    await new Promise<void>((handOut) => {
      this.#held.push(handOut);
      this.#closeWaveOnceQuiet();
    });
    return answer;
  }

  #closeWaveOnceQuiet(): void {
    if (this.#open === 0 && this.#held.length > 0 && !this.#isHandingOut) void this.#closeWave();
  }

  async #closeWave(): Promise<void> {
    const seen = this.#arrivals;
    for (let count = 0; count < quietTurns; count += 1) {
      await turn();
      // The answer to what has come closes the wave.
      if (this.#arrivals !== seen) return;
    }
    const wave = this.#held;
    this.#held = [];
    this.#waves += 1;
    this.#isHandingOut = true;
    for (const handOut of wave) {
      handOut();
      await turn();
    }
    this.#isHandingOut = false;
    this.#closeWaveOnceQuiet();
  }
}
