import type { Item } from '../items/item.ts';

/** Reads the next page of items; undefined: there are no more. */
export type ReadPage = () => Promise<readonly Item[] | undefined>;

/** A list of which some rows may be in memory already. */
export interface ReadyRows<T> extends AsyncGenerator<T> {
  /** The next row if it is in memory; undefined or absent: `next` tells whether there is one. */
  take?(): T | undefined;
}

/**
 * Lists what items hold, page by page, while the caller takes it. A row of a page that was read costs one promise; an
 * async generator takes several times as long.
 *
 * Like those of a generator, calls of `next` may overlap, and the list ends with its first error.
 */
export class RowReader<T> implements ReadyRows<T> {
  readonly #readPage: ReadPage;
  /** What an item holds; undefined: nothing to list. */
  readonly #read: (item: Item) => T | undefined;
  #page: readonly Item[] = [];
  #at = 0;
  #hasEnded = false;
  /** The page that is being read. */
  #reading: Promise<void> | undefined;

  constructor(readPage: ReadPage, read: (item: Item) => T | undefined) {
    this.#readPage = readPage;
    this.#read = read;
  }

  next(): Promise<IteratorResult<T>> {
    try {
      const row = this.take();
      return row === undefined ? this.#readOn() : Promise.resolve({ value: row, done: false });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  take(): T | undefined {
    try {
      while (this.#at < this.#page.length) {
        const item = this.#page[this.#at++];
        const row = item === undefined ? undefined : this.#read(item);
        if (row !== undefined) return row;
      }
      return undefined;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  return(): Promise<IteratorResult<T>> {
    this.#end();
    return Promise.resolve({ value: undefined, done: true });
  }

  throw(error: unknown): Promise<IteratorResult<T>> {
    this.#end();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** The next row of the pages to come. */
  async #readOn(): Promise<IteratorResult<T>> {
    try {
      while (!this.#hasEnded) {
        this.#reading ??= this.#turnPage();
        await this.#reading;
        const row = this.take();
        if (row !== undefined) return { value: row, done: false };
      }
      return { value: undefined, done: true };
    } catch (error) {
      return this.throw(error);
    }
  }

  async #turnPage(): Promise<void> {
    try {
      const page = await this.#readPage();
      if (page === undefined) this.#end();
      else if (!this.#hasEnded) [this.#page, this.#at] = [page, 0];
    } finally {
      this.#reading = undefined;
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#page = [];
  }
}
