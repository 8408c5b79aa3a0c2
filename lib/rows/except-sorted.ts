import { BufferedRows, type ReadyRows, type RowSource, sourceOf } from './ready-rows.ts';

/** The rows of a sorted list whose keys are not in a list of sorted keys. Keeps nothing in memory. */
export function exceptSorted<T>(
  rows: AsyncIterable<T>,
  keyOf: (row: T) => string,
  keys: AsyncIterable<string>,
): ReadyRows<T> {
  return new OtherRows(rows, keyOf, keys);
}

class OtherRows<T> extends BufferedRows<T> {
  readonly #rows: RowSource<T>;
  readonly #keyOf: (row: T) => string;
  readonly #keys: RowSource<string>;
  #row: T | undefined;
  /** The next key; null: there are no more. */
  #key: string | undefined | null;

  constructor(rows: AsyncIterable<T>, keyOf: (row: T) => string, keys: AsyncIterable<string>) {
    super();
    this.#rows = sourceOf(rows);
    this.#keyOf = keyOf;
    this.#keys = sourceOf(keys);
  }

  protected pick(): T | undefined {
    for (;;) {
      this.#row ??= this.#rows.take?.();
      if (this.#row === undefined) return undefined;
      const own = this.#keyOf(this.#row);
      while (this.#key !== null && (this.#key === undefined || this.#key < own)) {
        this.#key = this.#keys.take?.();
        if (this.#key === undefined) return undefined;
      }
      const row = this.#row;
      this.#row = undefined;
      if (own !== this.#key) return row;
    }
  }

  /** Both lists are read at once. */
  protected async fill(): Promise<boolean> {
    const [row, key] = await Promise.all([
      this.#row === undefined ? this.#rows.next() : undefined,
      this.#key === undefined ? this.#keys.next() : undefined,
    ]);
    if (row !== undefined) this.#row = row.done === true ? undefined : row.value;
    if (key !== undefined) this.#key = key.done === true ? null : key.value;
    return row?.done !== true;
  }

  protected close(): Promise<unknown> {
    return Promise.all([this.#rows.return?.(), this.#keys.return?.()]);
  }
}
