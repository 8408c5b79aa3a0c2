import { clock } from '../../clock.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';

/** How long an item counts as contended after a conflict. */
const contendedMs = 10_000;

/** The most contended items that a process tracks. */
const maxContendedItems = 1_000;

/**
 * Queues the operations of this process that change a contended item. Only an operation that has lost a race queues, so
 * that operations without conflicts cost nothing.
 */
export class WriteQueues {
  readonly #last = new Map<string, Promise<void>>();

  readonly #contended = new Map<string, number>();

  /** Marks an item as contended. */
  markContended(key: Key): void {
    if (this.#contended.size >= maxContendedItems) this.#contended.clear();
    this.#contended.set(textOfKey(key), clock.now() + contendedMs);
  }

  /** Whether one of some items is contended. */
  areContended(keys: readonly Key[]): boolean {
    return this.#contended.size > 0 && keys.some((key) => (this.#contended.get(textOfKey(key)) ?? 0) > clock.now());
  }

  /** Waits for the earlier operations in the queue of an item. Returns the function that admits the next one. */
  async enter(key: Key): Promise<() => void> {
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

const all = new WeakMap<object, WriteQueues>();

/** The queues of one client of the table. */
export function writeQueuesOf(client: object): WriteQueues {
  const queues = all.get(client) ?? new WriteQueues();
  all.set(client, queues);
  return queues;
}
