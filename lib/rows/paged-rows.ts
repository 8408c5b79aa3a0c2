import { BufferedRows, type ReadyRows } from './ready-rows.ts';

/** Reads the next page; undefined: there are no more. */
export type ReadPage<E> = () => Promise<readonly E[] | undefined>;

/** Lists what the elements of pages hold, page by page, while the caller takes it. */
export class PagedRows<E, T> extends BufferedRows<T> {
  readonly #readPage: ReadPage<E>;
  /** Reads the row of an element; answers undefined if there is nothing to list. */
  readonly #read: (element: E) => T | undefined;
  readonly #close: (() => Promise<unknown>) | undefined;
  #page: readonly E[] = [];
  #at = 0;

  /** @param close Called when no more pages are read. */
  constructor(readPage: ReadPage<E>, read: (element: E) => T | undefined, close?: () => Promise<unknown>) {
    super();
    this.#readPage = readPage;
    this.#read = read;
    this.#close = close;
  }

  protected pick(): T | undefined {
    while (this.#at < this.#page.length) {
      const row = this.#read(this.#page[this.#at++] as E);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  protected async fill(): Promise<boolean> {
    const page = await this.#readPage();
    if (page === undefined) return false;
    [this.#page, this.#at] = [page, 0];
    return true;
  }

  protected close(): Promise<unknown> | undefined {
    return this.#close?.();
  }
}

/** The rows of pages, one after the other. */
export function flattenPages<T>(pages: AsyncGenerator<readonly T[]>): ReadyRows<T> {
  const readPage = async () => {
    const { value, done } = await pages.next();
    return done === true ? undefined : value;
  };
  return new PagedRows<T, T>(
    readPage,
    (row) => row,
    () => pages.return(undefined),
  );
}
