import { type Key, textOfKey } from '../keys/key-parts.ts';

/** How long an item counts as contended after transactions met there, in milliseconds. */
const hotTime = 10_000;

/** Items that are remembered at most. */
const mostHot = 1_000;

/**
 * Who waits in this process for an item that many want to change. Nobody queues who has not lost a race there, so that what
 * does not meet anybody costs nothing.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  readonly #hot = new Map<string, number>();

  /** Transactions have met at an item again and again. */
  heat(key: Key): void {
    if (this.#hot.size >= mostHot) this.#hot.clear();
    this.#hot.set(textOfKey(key), Date.now() + hotTime);
  }

  /** Whether transactions have met at one of some items lately. */
  areHot(keys: readonly Key[]): boolean {
    return this.#hot.size > 0 && keys.some((key) => (this.#hot.get(textOfKey(key)) ?? 0) > Date.now());
  }

  /** Waits until those that came before are through with an item. Returns what ends the turn. */
  async take(key: Key): Promise<() => void> {
    const text = textOfKey(key);
    const before = this.#last.get(text);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(text, promise);
    await before;
    return () => {
      if (this.#last.get(text) === promise) this.#last.delete(text);
      resolve();
    };
  }
}

const all = new WeakMap<object, Turns>();

/** The queues of one client of the table. */
export function turnsOf(client: object): Turns {
  const turns = all.get(client) ?? new Turns();
  all.set(client, turns);
  return turns;
}
