import { chainRows } from '../../rows/chain-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Range, Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { termOf } from '../items/metadata-term.ts';
import { orderedTermOf, type TermRange } from '../items/ordered-term.ts';
import { didKeys } from '../keys/did-keys.ts';
import { afterNames, spellName } from '../keys/key-parts.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { shards } from '../values/shards.ts';
import { toDid } from './did-item.ts';
import type { Did } from './did.ts';
import { type IndexEntry, toIndexEntry } from './metadata-index.ts';
import { type Bounds, type CandidatePage, maxPageItems, type ReadPage, readShortest } from './shortest-list.ts';

/** A list of the index that holds all DIDs that meet a condition. */
export type IndexList =
  /** The DIDs with a value of a configured key, by name. */
  | { readonly kind: 'configured'; readonly key: string; readonly value: unknown }
  /** The DIDs with a value of a free key, by name. */
  | { readonly kind: 'value'; readonly key: string; readonly value: unknown }
  /** The DIDs with a value of a free key in one of several ranges, by value. */
  | { readonly kind: 'range'; readonly key: string; readonly ranges: readonly TermRange[] };

/** A search for DIDs that are in all of several lists. */
export interface IndexSearch {
  readonly scope: string;
  /** The most selective first, as far as that is known; those by value last. */
  readonly lists: readonly IndexList[];
  /** The prefix of the names. */
  readonly prefix: string;
  /** Which DIDs are wanted; `whole`: the search needs more of them than their entries hold. */
  readonly files?: { readonly whole: boolean };
  readonly collections?: { readonly whole: boolean };
}

/** A DID that may meet the conditions, with what was read of it. */
export interface Candidate {
  readonly name: string;
  readonly entry?: IndexEntry;
  /** The list of the entry. */
  readonly list?: IndexList;
  readonly did?: Did;
}

/** A partition of a list: a shard of the files, or the collections. */
type Part = number | 'collections';

/**
 * The DIDs of a scope that may be in all lists, in name order. The caller has to check the values, since others may have the
 * same terms. Of several lists it reads the shortest. If reading all DIDs of the scope is cheaper than reading the DIDs of
 * those entries, it reads all. `slice` by name.
 */
export function searchIndex(table: Table, search: IndexSearch, slice: Slice = {}): AsyncGenerator<Candidate> {
  const { scope, lists, prefix, files, collections } = search;
  const bounds = {
    ...didKeys.prefix(prefix),
    ...didKeys.slice(slice),
    pageSize: Math.min(slice.pageSize ?? firstPageItems, firstPageItems),
  };
  // No list by value tells where it ends among the names.
  const needsAll = lists.every(({ kind }) => kind === 'range');
  const firstLists = lists[0]?.kind === 'configured' ? 1 : lists.length;
  const read = (part: Part, isWhole: boolean, all: ReadPage<Candidate>) => {
    const pages = lists.map((list) => readList(table, scope, list, part));
    return readShortest([...pages, ...(isWhole || needsAll ? [all] : [])], firstLists, bounds);
  };
  const streams: AsyncGenerator<Candidate>[] = [];
  if (files !== undefined) {
    for (const shard of shards) {
      const all = readDids(table, { pk: didKeys.shard(scope, shard) }, ({ type }) => type === 'FILE');
      streams.push(read(shard, files.whole, all));
    }
  }
  if (collections !== undefined) {
    const all = readDids(table, { pk: didKeys.collection({ scope, name: '' }).GSI1PK, index: 'GSI1' }, () => true);
    streams.push(read('collections', collections.whole, all));
  }
  return mergeSorted(streams, ({ name }) => name);
}

/** A candidate with its place in a list by value. */
export interface PlacedCandidate extends Candidate {
  readonly place: string;
}

/** The DIDs of a list by value, in order of the values. `slice` by place. */
export function searchRange(
  table: Table,
  { scope, files, collections }: Pick<IndexSearch, 'scope' | 'files' | 'collections'>,
  list: IndexList & { readonly kind: 'range' },
  slice: Slice = {},
): AsyncGenerator<PlacedCandidate> {
  const parts: Part[] = [
    ...(files === undefined ? [] : shards),
    ...(collections === undefined ? [] : ['collections' as const]),
  ];
  return mergeSorted(
    parts.map((part) => listRange(table, scope, list, part, slice)),
    ({ place }) => place,
  );
}

function listRange(
  table: Table,
  scope: string,
  list: IndexList & { readonly kind: 'range' },
  part: Part,
  slice: Slice,
): ReadyRows<PlacedCandidate> {
  const pk = metadataIndexKeys.values(scope, list.key, part);
  const { after, pageSize } = sliceOfShard(slice);
  const read = (item: Item): PlacedCandidate => ({ ...toCandidate(item, list), place: item.SK });
  return chainRows(
    list.ranges.map(({ from, to }) => {
      const rest = after !== undefined && after >= from ? { after } : {};
      return table.query({ pk, from, to, pageSize, ...rest }, read);
    }),
  );
}

/** Items of the first page: it wastes at most a unit or two. */
const firstPageItems = 32;

/** How many DIDs of a query cost as much as a single read of one. */
const didsPerRead = 16;

function readList(table: Table, scope: string, list: IndexList, part: Part): ReadPage<Candidate> {
  switch (list.kind) {
    case 'configured': {
      const pk = metadataIndexKeys.partition(scope, list.key, termOf(list.value) ?? '', part);
      return async (bounds) => {
        const { items, last } = await table.page({ ...bounds, pk });
        return { ...pageOf(items, list), last };
      };
    }
    case 'value': {
      const pk = metadataIndexKeys.values(scope, list.key, part);
      const term = orderedTermOf(list.value) ?? '';
      return async (bounds) => {
        const { pageSize } = bounds;
        const { items, last } = await table.page({ ...metadataIndexKeys.namesOf(term, bounds), pk, pageSize });
        return { ...pageOf(items, list), last: last?.slice(term.length + 1) };
      };
    }
    case 'range': {
      const pk = metadataIndexKeys.values(scope, list.key, part);
      let isTooLong = false;
      return async (bounds) => {
        const page = isTooLong ? undefined : await readRange(table, pk, list, bounds);
        isTooLong = page === undefined && bounds.pageSize >= maxPageItems;
        return page ?? { candidates: [], reads: 0, last: bounds.after ?? '' };
      };
    }
  }
}

function pageOf(items: readonly Item[], list: IndexList) {
  const candidates = items.map((item) => toCandidate(item, list));
  return { candidates, reads: candidates.length };
}

function toCandidate(item: Item, list: IndexList): Candidate & { readonly entry: IndexEntry } {
  const entry = toIndexEntry(item);
  return { name: entry.name, entry, list };
}

/** Reads all of a list by value, by name; undefined if it is longer than a page. */
async function readRange(
  table: Table,
  pk: string,
  list: IndexList & { readonly kind: 'range' },
  { from = '', to = afterNames, after = '', pageSize }: Bounds,
): Promise<CandidatePage<Candidate> | undefined> {
  const items: Item[] = [];
  for (const range of list.ranges) {
    const page = await table.page({ pk, ...range, pageSize: pageSize - items.length + 1 });
    items.push(...page.items);
    if (page.last !== undefined || items.length > pageSize) return undefined;
  }
  const { candidates } = pageOf(items, list);
  const wanted = candidates
    .filter(({ name }) => {
      const spelt = spellName(name);
      return spelt >= from && spelt <= to && spelt > after;
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { candidates: wanted, reads: wanted.length, last: undefined };
}

function readDids(
  table: Table,
  place: Pick<Range, 'pk' | 'index'>,
  wanted: (did: Did) => boolean,
): ReadPage<Candidate> {
  return async (bounds) => {
    const { items, last } = await table.page({ ...bounds, ...place, pageSize: bounds.pageSize * didsPerRead });
    const candidates = items.flatMap((item): Candidate[] => {
      const did = toDid(item);
      return did === undefined || !wanted(did) ? [] : [{ name: did.name, did }];
    });
    return { candidates, last, reads: 0 };
  };
}
