import { BufferedRows, type ReadyRows, type RowSource, sourceOf } from './ready-rows.ts';

/** Merges sorted lists into one. The first rows of all lists are fetched in parallel. */
export function mergeSorted<T>(
  lists: readonly (AsyncIterable<T> | Iterable<T>)[],
  keyOf: (row: T) => string,
): ReadyRows<T> {
  return new MergedRows(lists, keyOf);
}

/** A list that is merged, with its next row. */
interface Merged<T> {
  readonly source: RowSource<T>;
  head?: T | undefined;
  key: string;
}

class MergedRows<T> extends BufferedRows<T> {
  readonly #keyOf: (row: T) => string;
  /** The lists that have more rows. */
  #lists: readonly Merged<T>[];

  constructor(lists: readonly (AsyncIterable<T> | Iterable<T>)[], keyOf: (row: T) => string) {
    super();
    this.#keyOf = keyOf;
    this.#lists = lists.map((list) => ({ source: sourceOf(list), key: '' }));
  }

  protected pick(): T | undefined {
    let least: Merged<T> | undefined;
    for (const list of this.#lists) {
      if (list.head === undefined) this.#setHead(list, list.source.take?.());
      if (list.head === undefined) return undefined;
      if (least === undefined || list.key < least.key) least = list;
    }
    const row = least?.head;
    if (least !== undefined) least.head = undefined;
    return row;
  }

  protected async fill(): Promise<boolean> {
    const ended = new Set<Merged<T>>();
    const wait = async (list: Merged<T>) => {
      const { value, done } = await list.source.next();
      if (done === true) ended.add(list);
      else this.#setHead(list, value);
    };
    await Promise.all(this.#lists.filter(({ head }) => head === undefined).map(wait));
    if (ended.size > 0) this.#lists = this.#lists.filter((list) => !ended.has(list));
    return this.#lists.length > 0;
  }

  protected close(): Promise<unknown> {
    const lists = this.#lists;
    this.#lists = [];
    return Promise.all(lists.map(async ({ source }) => source.return?.()));
  }

  #setHead(list: Merged<T>, row: T | undefined): void {
    list.head = row;
    // A single list is not compared.
    if (row !== undefined && this.#lists.length > 1) list.key = this.#keyOf(row);
  }
}
