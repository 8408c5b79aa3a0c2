import { keys, shards } from '../keys.ts';
import { mergeSorted } from '../merge.ts';
import { termOf } from '../metadata-term.ts';
import type { Page, Range, Slice, Table } from '../table.ts';
import { type IndexEntry, toIndexEntry } from './metadata-index.ts';

/** Values of which a DID has to have every one. */
export interface IndexSearch {
  readonly scope: string;
  /** Values by indexed key, the most selective first, as far as that is known. */
  readonly values: ReadonlyMap<string, unknown>;
  /** What the names begin with. */
  readonly prefix: string;
  /** Which DIDs are wanted. */
  readonly files: boolean;
  readonly collections: boolean;
}

/**
 * DIDs of a scope that may have the values, in name order: those with other values for which the same term stands are among
 * them. Of several values, those are read that the fewest DIDs have. `slice` by name.
 */
export function searchIndex(table: Table, search: IndexSearch, slice: Slice = {}): AsyncGenerator<IndexEntry> {
  const { scope, values, prefix, files, collections } = search;
  const terms = [...values].map(([key, value]) => ({ key, term: termOf(value) ?? '' }));
  const parts = [...(files ? shards : []), ...(collections ? (['collections'] as const) : [])];
  const range = { ...keys.prefix(prefix), ...slice, pageSize: Math.min(slice.pageSize ?? firstPage, firstPage) };
  const streams = parts.map((part) => {
    const lists = terms.map(({ key, term }) => keys.indexPart(scope, key, term, part));
    return shortest(table, lists, range);
  });
  return mergeSorted(streams, ({ name }) => name);
}

/** Items of the first page: as a rule not more than a unit or two are read in vain. */
const firstPage = 32;

/** Items of a later page. */
const largestPage = 4_000;

/**
 * All that is in every one of several lists, and not much more: of each stretch of names, what the list has that is the
 * shortest there. The first list goes first; as long as it does not end, the others are asked, too, and the one that gets
 * furthest with a page is taken. So of none more pages are read than the shortest list has by itself.
 *
 * @param lists Their partitions.
 * @param range Which names, and how many entries the first page has.
 */
async function* shortest(
  table: Table,
  lists: readonly string[],
  range: Omit<Range, 'pk'> & { readonly pageSize: number },
): AsyncGenerator<IndexEntry> {
  let asked = lists.slice(0, 1);
  let next = range;
  for (;;) {
    const from = next;
    const page = (await Promise.all(asked.map((pk) => table.page({ ...from, pk })))).reduce(further);
    yield* page.items.map(toIndexEntry);
    if (page.last === undefined) return;
    asked = [...lists];
    next = { ...range, after: page.last, pageSize: Math.min(4 * from.pageSize, largestPage) };
  }
}

/** Of two pages from the same place on, the one that gets further. */
function further(one: Page, other: Page): Page {
  if (one.last === undefined && other.last === undefined) return other.items.length < one.items.length ? other : one;
  if (one.last === undefined || other.last === undefined) return one.last === undefined ? one : other;
  return other.last > one.last ? other : one;
}
