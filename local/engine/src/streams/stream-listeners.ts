import type { Storage } from '../storage/storage.ts';

/** Those who read streams as they grow. */
export class StreamListeners {
  readonly #storage: Storage;
  readonly #listeners = new Set<() => void>();
  /** The latest record, and the changes of tables, of which they know. */
  #told = { last: -1, changes: -1 };

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Returns how to unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** After a commit: calls them if it may have added records, or ended a stream. */
  tell(): void {
    const { last } = this.#storage.records;
    const { changes } = this.#storage.tables;
    if (last === this.#told.last && changes === this.#told.changes) return;
    this.#told = { last, changes };
    for (const listener of this.#listeners) listener();
  }
}
