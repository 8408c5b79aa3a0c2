/**
 * Runs tasks of one key one after the other, since they change the same item. Tasks of different keys run concurrently.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run(key: string, task: () => Promise<void>): Promise<void> {
    const previous = this.#last.get(key);
    const current = (previous ?? Promise.resolve()).then(task, task);
    this.#last.set(key, current);
    await current;
  }
}
