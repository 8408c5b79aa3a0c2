import { describe, expect, it } from 'vitest';

import { PagedRows } from '../../lib/rows/paged-rows.ts';
import type { Item } from '../../lib/store/items/item.ts';

const itemsOf = (...names: string[]): Item[] => names.map((name) => ({ PK: 'page', SK: name }));

/** Reads pages of items one after the other; counts them in `read`. */
function pagesOf(...pages: readonly (readonly Item[] | Error)[]) {
  const state = { read: 0 };
  const readPage = async () => {
    const page = pages[state.read++];
    if (page instanceof Error) throw page;
    return page;
  };
  return { state, readPage };
}

const nameOf = ({ SK }: Item) => SK;

describe('a list of rows that is read in pages', () => {
  it('reads a page when its first row is taken', async () => {
    const { state, readPage } = pagesOf(itemsOf('a', 'b'), itemsOf('c'));
    const rows = new PagedRows(readPage, nameOf);
    expect(state.read).toBe(0);
    expect([await rows.next(), await rows.next()]).toEqual([
      { value: 'a', done: false },
      { value: 'b', done: false },
    ]);
    expect(state.read).toBe(1);
    expect(await rows.next()).toEqual({ value: 'c', done: false });
    expect(state.read).toBe(2);
  });

  it('goes on after empty pages and pages without rows', async () => {
    const { readPage } = pagesOf([], itemsOf('a', 'skip'), itemsOf('skip'), [], itemsOf('b'));
    const rows = new PagedRows(readPage, ({ SK }) => (SK === 'skip' ? undefined : SK));
    expect(await Array.fromAsync(rows)).toEqual(['a', 'b']);
    expect(await rows.next()).toEqual({ value: undefined, done: true });
  });

  it('answers overlapping calls in order, and reads each page once', async () => {
    const { state, readPage } = pagesOf(itemsOf('a', 'b'), itemsOf('c'));
    const rows = new PagedRows(readPage, nameOf);
    const taken = await Promise.all([rows.next(), rows.next(), rows.next(), rows.next()]);
    expect(taken.map(({ value }) => value)).toEqual(['a', 'b', 'c', undefined]);
    expect(state.read).toBe(3);
  });

  it('reads nothing more once the caller stops', async () => {
    const { state, readPage } = pagesOf(itemsOf('a', 'b'), itemsOf('c'));
    const rows = new PagedRows(readPage, nameOf);
    for await (const _first of rows) break;
    expect(await rows.next()).toEqual({ value: undefined, done: true });
    expect(state.read).toBe(1);
  });

  it('drops a page that arrives after the caller stopped', async () => {
    const { readPage } = pagesOf(itemsOf('a'));
    const rows = new PagedRows(readPage, nameOf);
    const first = rows.next();
    await rows.return();
    expect(await first).toEqual({ value: undefined, done: true });
  });

  it('ends with the first error', async () => {
    const { state, readPage } = pagesOf(itemsOf('a'), new Error('the table is away'), itemsOf('b'));
    const rows = new PagedRows(readPage, nameOf);
    await rows.next();
    await expect(rows.next()).rejects.toThrow('the table is away');
    expect(await rows.next()).toEqual({ value: undefined, done: true });
    expect(state.read).toBe(2);
  });

  it('fails at the row that can not be read, and ends', async () => {
    const { readPage } = pagesOf(itemsOf('a', 'broken', 'c'));
    const rows = new PagedRows(readPage, ({ SK }) => {
      if (SK === 'broken') throw new Error('an unexpected type');
      return SK;
    });
    expect(await rows.next()).toEqual({ value: 'a', done: false });
    await expect(rows.next()).rejects.toThrow('an unexpected type');
    expect(await rows.next()).toEqual({ value: undefined, done: true });
  });

  it('gives the rest of a page without waiting, and ends if a row of it cannot be read', async () => {
    const { state, readPage } = pagesOf(itemsOf('a', 'skip', 'b'), itemsOf('c', 'broken', 'd'));
    const rows = new PagedRows(readPage, ({ SK }) => {
      if (SK === 'broken') throw new Error('an unexpected type');
      return SK === 'skip' ? undefined : SK;
    });
    expect(rows.take()).toBeUndefined();
    await rows.next();
    expect([rows.take(), rows.take()]).toEqual(['b', undefined]);
    expect(state.read).toBe(1);
    expect(await rows.next()).toEqual({ value: 'c', done: false });
    expect(() => rows.take()).toThrow('an unexpected type');
    expect(await rows.next()).toEqual({ value: undefined, done: true });
  });
});
