import type { Page, Placed } from '../../../lib/domain/paging/page.ts';

/** An operation that lists rows page by page. */
export type List<T> = (page: Page) => AsyncIterable<Placed<T>>;

/** Reads a page as lib/http does: one row more than the page has. */
export async function readPage<T>(list: List<T>, page: Page): Promise<Placed<T>[]> {
  const rows: Placed<T>[] = [];
  for await (const row of list(page)) {
    rows.push(row);
    if (rows.length > (page.limit ?? Number.POSITIVE_INFINITY)) break;
  }
  return rows;
}

/**
 * Reads the pages of a list one after another, as a client does.
 *
 * @param between Called between two pages.
 */
export async function* pagesOf<T>(
  list: List<T>,
  limit: number,
  between: () => Promise<void> = async () => {},
): AsyncGenerator<T[]> {
  let page: Page = { limit };
  for (;;) {
    const rows = await readPage(list, page);
    const shown = rows.slice(0, limit);
    yield shown.map(({ row }) => row);
    const after = shown.at(-1)?.position;
    if (rows.length <= limit) return;
    if (after === undefined) throw new Error('there are more rows, but the last one has no position');
    await between();
    page = { limit, after };
  }
}
