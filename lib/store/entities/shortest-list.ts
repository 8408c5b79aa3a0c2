import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Range } from '../batches/table.ts';

/** The names that a page is read of, and about how many rows it has. */
export type Bounds = Omit<Range, 'pk' | 'index'> & { readonly pageSize: number };

/** A page of a list; without `last` it is the final one. */
export interface CandidatePage<T> {
  readonly candidates: readonly T[];
  /** The name up to which the page holds the list; that after which it was to begin: it holds nothing. */
  readonly last: string | undefined;
  /** How many DIDs may still have to be read. */
  readonly reads: number;
}

/** Reads a page of candidates by name. */
export type ReadPage<T> = (bounds: Bounds) => Promise<CandidatePage<T>>;

/** The most items of a later page. */
export const maxPageItems = 4_000;

/**
 * The candidates that are in all of several lists, and possibly others. For each range of names it takes the page of the
 * list that covers the most names at the same cost. It begins with some of the lists, and reads all lists in parallel if
 * those have more pages. So it reads no more pages of any list than the shortest list has.
 *
 * @param first With how many of the lists it begins.
 * @param bounds Which names, and how many entries the first page has.
 */
export function readShortest<T>(lists: readonly ReadPage<T>[], first: number, bounds: Bounds): ReadyRows<T> {
  return flattenPages(shortestPages(lists, first, bounds));
}

async function* shortestPages<T>(
  lists: readonly ReadPage<T>[],
  first: number,
  bounds: Bounds,
): AsyncGenerator<readonly T[]> {
  let chosen = lists.slice(0, first);
  let next = bounds;
  for (;;) {
    const from = next;
    const page = (await Promise.all(chosen.map((list) => list(from)))).reduce(choosePage);
    yield page.candidates;
    if (page.last === undefined) return;
    chosen = [...lists];
    const after = page.last === '' ? from.after : page.last;
    next = { ...bounds, after, pageSize: Math.min(4 * from.pageSize, maxPageItems) };
  }
}

/** The page that covers more names; of two final pages the one with fewer reads to follow. */
function choosePage<T>(one: CandidatePage<T>, other: CandidatePage<T>): CandidatePage<T> {
  if (one.last === undefined && other.last === undefined) return other.reads < one.reads ? other : one;
  if (one.last === undefined || other.last === undefined) return one.last === undefined ? one : other;
  return other.last > one.last ? other : one;
}
