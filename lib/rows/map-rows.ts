import { BufferedRows, type ReadyRows, type RowSource, sourceOf } from './ready-rows.ts';

/**
 * The values that are read from the rows of a list. A value is ready if its row is.
 *
 * @param read Undefined: nothing to list.
 * @param limit How many rows of the list are read; by default all.
 */
export function mapRows<S, T>(
  rows: AsyncIterable<S> | Iterable<S>,
  read: (row: S) => T | undefined,
  limit = Number.POSITIVE_INFINITY,
): ReadyRows<T> {
  return new MappedRows(sourceOf(rows), read, limit);
}

/** The rows of a source. */
export function rowsFrom<T>(source: RowSource<T>): ReadyRows<T> {
  return new MappedRows(source, (row) => row, Number.POSITIVE_INFINITY);
}

class MappedRows<S, T> extends BufferedRows<T> {
  readonly #source: RowSource<S>;
  readonly #read: (row: S) => T | undefined;
  /** How many rows may still be read. */
  #left: number;
  /** The row that had to be waited for. */
  #fetched: S | undefined;

  constructor(source: RowSource<S>, read: (row: S) => T | undefined, limit: number) {
    super();
    this.#source = source;
    this.#read = read;
    this.#left = limit;
  }

  protected pick(): T | undefined {
    while (this.#left > 0) {
      const row = this.#fetched === undefined ? this.#source.take?.() : this.#fetched;
      if (row === undefined) return undefined;
      this.#fetched = undefined;
      this.#left -= 1;
      const read = this.#read(row);
      if (read !== undefined) return read;
    }
    return undefined;
  }

  protected async fill(): Promise<boolean> {
    if (this.#left <= 0) return false;
    const { value, done } = await this.#source.next();
    if (done === true) return false;
    this.#fetched = value;
    return true;
  }

  protected close(): Promise<unknown> | undefined {
    return this.#source.return?.();
  }
}
