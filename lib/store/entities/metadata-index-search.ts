import { mergeSorted } from '../batches/merge.ts';
import type { Range, Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { termOf } from '../items/metadata-term.ts';
import { didKeys } from '../keys/did-keys.ts';
import { shards } from '../keys/key-parts.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { type Did, toDid } from './did.ts';
import { type IndexEntry, toIndexEntry } from './metadata-index.ts';

/** Values of which a DID has to have every one. */
export interface IndexSearch {
  readonly scope: string;
  /** Values by indexed key, the most selective first, as far as that is known. */
  readonly values: ReadonlyMap<string, unknown>;
  /** What the names begin with. */
  readonly prefix: string;
  /** Which DIDs are wanted, and whether more is asked of them than their entries say. */
  readonly files?: { readonly whole: boolean };
  readonly collections?: { readonly whole: boolean };
}

/** A DID that may have the values, as far as was read of it. */
export interface Candidate {
  readonly name: string;
  readonly entry?: IndexEntry;
  readonly did?: Did;
}

/**
 * The DIDs of a scope that may have the values, in name order: those with other values for which the same term stands are
 * among them, and so may be any others. Of several values, the entries are read that the fewest DIDs have. Where that are
 * so many that it is cheaper to read all DIDs than to look at the right ones, all are read. `slice` by name.
 */
export function searchIndex(table: Table, search: IndexSearch, slice: Slice = {}): AsyncGenerator<Candidate> {
  const { scope, values, prefix, files, collections } = search;
  const range = { ...didKeys.prefix(prefix), ...slice, pageSize: Math.min(slice.pageSize ?? firstPage, firstPage) };
  const terms = [...values].map(([key, value]) => ({ key, term: termOf(value) ?? '' }));
  const entries = (part: number | 'collections') =>
    terms.map(({ key, term }) => entryList(table, metadataIndexKeys.partition(scope, key, term, part)));
  const streams: AsyncGenerator<Candidate>[] = [];
  if (files !== undefined) {
    for (const shard of shards) {
      const all = didList(table, { pk: didKeys.shard(scope, shard) }, ({ type }) => type === 'FILE');
      streams.push(shortest([...entries(shard), ...(files.whole ? [all] : [])], range));
    }
  }
  if (collections !== undefined) {
    const all = didList(table, { pk: didKeys.collection({ scope, name: '' }).GSI1PK, index: 'GSI1' }, () => true);
    streams.push(shortest([...entries('collections'), ...(collections.whole ? [all] : [])], range));
  }
  return mergeSorted(streams, ({ name }) => name);
}

/** Items of the first page: as a rule not more than a unit or two are read in vain. */
const firstPage = 32;

/** Items of a later page. */
const largestPage = 4_000;

/** DIDs that can be read in a row for what it costs to look at one. */
const didsPerLook = 16;

type Bounds = Omit<Range, 'pk' | 'index'> & { readonly pageSize: number };

/** A page of a list; without `last` it is the final one. */
interface CandidatePage {
  readonly candidates: readonly Candidate[];
  readonly last: string | undefined;
  /** DIDs that are still to be looked at, at most. */
  readonly looks: number;
}

/** Candidates by name, those that fit and others. */
type List = (bounds: Bounds) => Promise<CandidatePage>;

function entryList(table: Table, pk: string): List {
  return async (bounds) => {
    const { items, last } = await table.page({ ...bounds, pk });
    const candidates = items.map((item) => asCandidate(item, { entry: toIndexEntry(item) }));
    return { candidates, last, looks: candidates.length };
  };
}

function didList(table: Table, place: Pick<Range, 'pk' | 'index'>, wanted: (did: Did) => boolean): List {
  return async (bounds) => {
    const { items, last } = await table.page({ ...bounds, ...place, pageSize: bounds.pageSize * didsPerLook });
    const candidates = items.flatMap((item) => {
      const did = toDid(item);
      return did === undefined || !wanted(did) ? [] : [asCandidate(item, { did })];
    });
    return { candidates, last, looks: 0 };
  };
}

const asCandidate = ({ SK: name }: Item, known: Omit<Candidate, 'name'>): Candidate => ({ name, ...known });

/**
 * All that is in every one of several lists, and not much more: of each stretch of names, what the list has that gets
 * furthest for the same price. The first list goes first; as long as it does not end, the others are asked, too. So of
 * none more pages are read than the shortest list has by itself.
 *
 * @param bounds Which names, and how many entries the first page has.
 */
async function* shortest(lists: readonly List[], bounds: Bounds): AsyncGenerator<Candidate> {
  let asked = lists.slice(0, 1);
  let next = bounds;
  for (;;) {
    const from = next;
    const page = (await Promise.all(asked.map((list) => list(from)))).reduce(further);
    yield* page.candidates;
    if (page.last === undefined) return;
    asked = [...lists];
    next = { ...bounds, after: page.last, pageSize: Math.min(4 * from.pageSize, largestPage) };
  }
}

/** Of two pages from the same place on, the one that gets further; of two that reach the end, the one with less to do. */
function further(one: CandidatePage, other: CandidatePage): CandidatePage {
  if (one.last === undefined && other.last === undefined) return other.looks < one.looks ? other : one;
  if (one.last === undefined || other.last === undefined) return one.last === undefined ? one : other;
  return other.last > one.last ? other : one;
}
