import { mapRows } from '../../rows/map-rows.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import {
  type Candidate,
  type IndexList,
  searchIndex,
  searchRange,
} from '../../store/entities/metadata-index-search.ts';
import type { IndexEntry } from '../../store/entities/metadata-index.ts';
import { formatDid } from '../values/format-did.ts';
import { isCovered } from './choose-plan.ts';
import type { Searchable } from './index-lists.ts';
import { matchesCriteria } from './match-did.ts';
import type { Criterion } from './read-criterion.ts';
import type { FilterGroup } from './read-search.ts';

const maxDidsPerBatch = 200;

/** Search in the index. */
export interface IndexQuery {
  readonly searchable: Searchable;
  readonly lists: readonly IndexList[];
  readonly order: 'name' | 'value';
  readonly prefix: string;
  /** The answer needs sizes. The index has no sizes of collections, because they change often. */
  readonly sizes: boolean;
}

/** A DID that may match, with its place in a list by value. */
export interface Listed {
  readonly did: Did;
  readonly place?: string;
}

/**
 * The DIDs in the index that may match a group, by name or by value. A DID is read from the table only if its entry lacks a
 * requested value; otherwise the row holds just the values of the entry. `slice` by name, or by place.
 */
export function listIndexedCandidates(
  table: Table,
  scope: string,
  group: FilterGroup,
  query: IndexQuery & { readonly slice: Slice },
): ReadyRows<Listed> {
  return flattenPages(listInPages(table, scope, group, query));
}

async function* listInPages(
  table: Table,
  scope: string,
  group: FilterGroup,
  query: IndexQuery & { readonly slice: Slice },
): AsyncGenerator<readonly Listed[]> {
  const { slice, sizes } = query;
  const { types } = group;
  const coveredBy = new Map(query.lists.map((list) => [list, findCovered(group, list, query.searchable)]));
  const conditions = group.name.length + group.others.length;
  const isDecided = (list: IndexList | undefined) => list !== undefined && coveredBy.get(list)?.length === conditions;
  const fits = ({ entry, list }: Candidate) =>
    entry === undefined ||
    entry.partial === true ||
    (types.has(entry.type) && matchesCriteria(toPartialDid(entry), (list && coveredBy.get(list)) ?? []));
  const needsDid = ({ entry, list }: Candidate) =>
    entry !== undefined && (!isDecided(list) || entry.partial === true || (sizes && entry.type !== 'FILE'));
  const candidates = listCandidates(table, scope, types, query, !isDecided(query.lists[0]));
  for await (const chunk of splitIntoChunks(
    mapRows(candidates, (candidate) => (fits(candidate) ? candidate : undefined)),
    Math.min(slice.pageSize ?? maxDidsPerBatch, maxDidsPerBatch),
  )) {
    const read = await getDids(
      table,
      chunk.flatMap((candidate) => (needsDid(candidate) ? (candidate.entry ?? []) : [])),
    );
    const found = new Map(read.map((did) => [formatDid(did), did]));
    yield chunk.flatMap((candidate): Listed[] => {
      const { entry, place } = candidate;
      const held = entry === undefined ? candidate.did : toPartialDid(entry);
      const did = entry !== undefined && needsDid(candidate) ? found.get(formatDid(entry)) : held;
      return did === undefined ? [] : [{ did, ...(place === undefined ? {} : { place }) }];
    });
  }
}

/** The conditions of a group that a complete entry of a list decides. */
function findCovered({ name, others }: FilterGroup, list: IndexList, searchable: Searchable): Criterion[] {
  return [...name, ...others].filter((criterion) => isCovered(criterion, list, searchable));
}

function listCandidates(
  table: Table,
  scope: string,
  types: FilterGroup['types'],
  { lists, order, prefix, sizes, slice }: IndexQuery & { readonly slice: Slice },
  isWhole: boolean,
): AsyncGenerator<Candidate & { readonly place?: string }> {
  const wanted = {
    scope,
    ...(types.has('FILE') ? { files: { whole: isWhole } } : {}),
    ...(types.has('DATASET') || types.has('CONTAINER') ? { collections: { whole: isWhole || sizes } } : {}),
  };
  const [list] = lists;
  if (order === 'value' && list?.kind === 'range') return searchRange(table, wanted, list, slice);
  return searchIndex(table, { ...wanted, lists, prefix }, slice);
}

/** Treats an entry as a DID. The caller must use only members that the entry has. */
const toPartialDid = (entry: IndexEntry) => entry as unknown as Did;
