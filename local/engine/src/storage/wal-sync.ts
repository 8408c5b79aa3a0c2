import { closeSync, fdatasync, openSync } from 'node:fs';

/**
 * Flushes commits to disk without blocking the thread: concurrent callers share one synchronisation of the write-ahead
 * log.
 */
export class WalSync {
  readonly #file: number;
  #underWay: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param path The write-ahead log; it must exist. */
  constructor(path: string) {
    this.#file = openSync(path, 'r+');
  }

  /** Resolves once all commits before the call are on disk. */
  wait(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#underWay === undefined) return this.#begin();
    // The running synchronisation may have begun before the commit.
    const begin = () => this.#begin();
    this.#next = this.#underWay.then(begin, begin);
    return this.#next;
  }

  /** Closes the file once nobody waits for it. */
  close(): void {
    const close = () => closeSync(this.#file);
    (this.#next ?? this.#underWay ?? Promise.resolve()).then(close, close);
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const current = new Promise<void>((done, failed) => {
      fdatasync(this.#file, (error) => (error === null ? done() : failed(error)));
    }).finally(() => {
      if (this.#underWay === current) this.#underWay = undefined;
    });
    this.#underWay = current;
    return current;
  }
}
