/** A list, some of whose rows may be in memory already. No row is undefined. */
export interface ReadyRows<T> extends AsyncGenerator<T> {
  /** The next row if it is in memory; undefined or absent: `next` tells whether there is one. */
  take?(): T | undefined;
}

/** The source of a list of rows. */
export interface RowSource<T> extends AsyncIterator<T> {
  /** The next row if it is in memory, as `take` of {@link ReadyRows}. */
  take?(): T | undefined;
}

/** The source of any list. The rows of a list in memory are ready. */
export function sourceOf<T>(rows: AsyncIterable<T> | Iterable<T>): RowSource<T> {
  if (Symbol.asyncIterator in rows) return rows[Symbol.asyncIterator]();
  const iterator = rows[Symbol.iterator]();
  return {
    take: () => {
      const next = iterator.next();
      return next.done === true ? undefined : next.value;
    },
    next: async () => iterator.next(),
    return: async () => {
      iterator.return?.();
      return { value: undefined, done: true };
    },
  };
}

/**
 * A list that holds rows in memory and gets more when these are used up. A row in memory costs one promise, or none with
 * {@link take}; an async generator takes several times as long.
 *
 * Like those of a generator, calls of `next` may overlap, and the list ends with its first error.
 */
export abstract class BufferedRows<T> implements ReadyRows<T> {
  #hasEnded = false;
  /** The fill under way, which all calls that wait share. */
  #filling: Promise<boolean> | undefined;

  /** The next row in memory. */
  protected abstract pick(): T | undefined;

  /** Gets more rows into memory, maybe none that is listed; false: there are no more. */
  protected abstract fill(): Promise<boolean>;

  /** Ends the source of the rows. */
  protected abstract close(): Promise<unknown> | undefined;

  take(): T | undefined {
    if (this.#hasEnded) return undefined;
    try {
      return this.pick();
    } catch (error) {
      this.#end()?.catch(ignore);
      throw error;
    }
  }

  next(): Promise<IteratorResult<T>> {
    try {
      const row = this.take();
      return row === undefined ? this.#readOn() : Promise.resolve({ value: row, done: false });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#end();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    await this.#end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  /** The next of the rows to come. */
  async #readOn(): Promise<IteratorResult<T>> {
    try {
      while (!this.#hasEnded) {
        if (!(await (this.#filling ??= this.#fillOnce()))) await this.#end();
        const row = this.take();
        if (row !== undefined) return { value: row, done: false };
      }
      return { value: undefined, done: true };
    } catch (error) {
      return this.throw(error);
    }
  }

  async #fillOnce(): Promise<boolean> {
    try {
      return await this.fill();
    } finally {
      this.#filling = undefined;
    }
  }

  #end(): Promise<unknown> | undefined {
    if (this.#hasEnded) return undefined;
    this.#hasEnded = true;
    return this.close();
  }
}

const ignore = () => {};
