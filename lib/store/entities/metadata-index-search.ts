import { mergeSorted } from '../batches/merge.ts';
import type { Range, Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { termOf } from '../items/metadata-term.ts';
import { didKeys } from '../keys/did-keys.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { shards } from '../values/shards.ts';
import { toDid } from './did-item.ts';
import type { Did } from './did.ts';
import { type IndexEntry, toIndexEntry } from './metadata-index.ts';

/** A search for DIDs that have all of several values. */
export interface IndexSearch {
  readonly scope: string;
  /** Values by indexed key, the most selective first, as far as that is known. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The prefix of the names. */
  readonly prefix: string;
  /** Which DIDs are wanted; `whole`: the search needs more of them than their entries hold. */
  readonly files?: { readonly whole: boolean };
  readonly collections?: { readonly whole: boolean };
}

/** A DID that may have the values, with what was read of it. */
export interface Candidate {
  readonly name: string;
  readonly entry?: IndexEntry;
  readonly did?: Did;
}

/**
 * The DIDs of a scope that may have the values, in name order. The caller has to check the values, since others may have the
 * same terms. Of several values it reads the entries of the rarest. If reading all DIDs of the scope is cheaper than reading
 * the DIDs of those entries, it reads all. `slice` by name.
 */
export function searchIndex(table: Table, search: IndexSearch, slice: Slice = {}): AsyncGenerator<Candidate> {
  const { scope, values, prefix, files, collections } = search;
  const range = {
    ...didKeys.prefix(prefix),
    ...slice,
    pageSize: Math.min(slice.pageSize ?? firstPageItems, firstPageItems),
  };
  const terms = [...values].map(([key, value]) => ({ key, term: termOf(value) ?? '' }));
  const entries = (part: number | 'collections') =>
    terms.map(({ key, term }) => readEntries(table, metadataIndexKeys.partition(scope, key, term, part)));
  const streams: AsyncGenerator<Candidate>[] = [];
  if (files !== undefined) {
    for (const shard of shards) {
      const all = readDids(table, { pk: didKeys.shard(scope, shard) }, ({ type }) => type === 'FILE');
      streams.push(readShortest([...entries(shard), ...(files.whole ? [all] : [])], range));
    }
  }
  if (collections !== undefined) {
    const all = readDids(table, { pk: didKeys.collection({ scope, name: '' }).GSI1PK, index: 'GSI1' }, () => true);
    streams.push(readShortest([...entries('collections'), ...(collections.whole ? [all] : [])], range));
  }
  return mergeSorted(streams, ({ name }) => name);
}

/** Items of the first page: it wastes at most a unit or two. */
const firstPageItems = 32;

/** The most items of a later page. */
const maxPageItems = 4_000;

/** How many DIDs of a query cost as much as a single read of one. */
const didsPerRead = 16;

type Bounds = Omit<Range, 'pk' | 'index'> & { readonly pageSize: number };

/** A page of a list; without `last` it is the final one. */
interface CandidatePage {
  readonly candidates: readonly Candidate[];
  readonly last: string | undefined;
  /** How many DIDs may still have to be read. */
  readonly reads: number;
}

/** Reads a page of candidates by name. */
type ReadPage = (bounds: Bounds) => Promise<CandidatePage>;

function readEntries(table: Table, pk: string): ReadPage {
  return async (bounds) => {
    const { items, last } = await table.page({ ...bounds, pk });
    const candidates = items.map((item) => toCandidate(item, { entry: toIndexEntry(item) }));
    return { candidates, last, reads: candidates.length };
  };
}

function readDids(table: Table, place: Pick<Range, 'pk' | 'index'>, wanted: (did: Did) => boolean): ReadPage {
  return async (bounds) => {
    const { items, last } = await table.page({ ...bounds, ...place, pageSize: bounds.pageSize * didsPerRead });
    const candidates = items.flatMap((item) => {
      const did = toDid(item);
      return did === undefined || !wanted(did) ? [] : [toCandidate(item, { did })];
    });
    return { candidates, last, reads: 0 };
  };
}

const toCandidate = ({ SK: name }: Item, known: Omit<Candidate, 'name'>): Candidate => ({ name, ...known });

/**
 * The candidates that are in all of several lists, and possibly others. For each range of names it takes the page of the
 * list that covers the most names at the same cost. It begins with the first list alone, and reads all lists in parallel if
 * that one has more pages. So it reads no more pages of any list than the shortest list has.
 *
 * @param bounds Which names, and how many entries the first page has.
 */
async function* readShortest(lists: readonly ReadPage[], bounds: Bounds): AsyncGenerator<Candidate> {
  let chosen = lists.slice(0, 1);
  let next = bounds;
  for (;;) {
    const from = next;
    const page = (await Promise.all(chosen.map((list) => list(from)))).reduce(choosePage);
    yield* page.candidates;
    if (page.last === undefined) return;
    chosen = [...lists];
    next = { ...bounds, after: page.last, pageSize: Math.min(4 * from.pageSize, maxPageItems) };
  }
}

/** The page that covers more names; of two final pages the one with fewer reads to follow. */
function choosePage(one: CandidatePage, other: CandidatePage): CandidatePage {
  if (one.last === undefined && other.last === undefined) return other.reads < one.reads ? other : one;
  if (one.last === undefined || other.last === undefined) return one.last === undefined ? one : other;
  return other.last > one.last ? other : one;
}
