import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { abandonReading, beginReading, lookAhead, type Reading } from '../did-graph/look-ahead.ts';
import { refuseCursor } from '../paging/cursor.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../paging/page.ts';
import type { Context } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import { isScopeName } from '../values/scope-name.ts';
import { type ChosenPlan, choosePlan } from './choose-plan.ts';
import type { Searchable } from './index-lists.ts';
import { listCandidates } from './list-candidates.ts';
import { matchesCriteria } from './match-did.ts';
import type { FilterGroup } from './read-search.ts';

/** How a search is carried out. */
export interface SearchMode {
  /** Also search the content of the collections found. */
  readonly recursive: boolean;
  readonly page?: Page;
  readonly searchable: Searchable;
  /** The answer needs the sizes of the DIDs. */
  readonly sizes: boolean;
}

/** The plan of each group of a search. */
export function planSearch(
  groups: readonly FilterGroup[],
  { page = wholeList, searchable, sizes }: SearchMode,
): ChosenPlan[] {
  // The rows of several groups are merged by name. A page continues in the order of the page before it.
  const byName = groups.length > 1 || page.after?.length === 1;
  return groups.map((group) => choosePlan(group, { searchable, sizes, byName }));
}

/** Whether the rows of a search are in the order of the values of a metadata key. */
const isByValue = ({ plan }: ChosenPlan) => plan.source === 'index' && plan.order === 'value';

/**
 * The DIDs of a scope that match a search, each once (spec/dids.md 3): by name, or by value if there is one group with
 * conditions on the order of one metadata key only.
 *
 * @param groups A DID must match one of them.
 * @param mode.recursive The rows have no positions then: duplicates are filtered by the names of all rows so far, which a
 *   next page does not have.
 * @throws InvalidObject (400) for a page in order of values that the index cannot continue.
 */
export function searchDids(
  { store }: Context,
  scope: string,
  groups: readonly FilterGroup[],
  mode: SearchMode,
): ReadyRows<Placed<Did>> {
  if (!isScopeName(scope)) return mapRows<Placed<Did>, Placed<Did>>([], (row) => row);
  const { table } = store;
  const { recursive, page = wholeList } = mode;
  const [name, place] = page.after ?? [];
  const plans = planSearch(groups, mode);
  if (place !== undefined && !plans.every(isByValue)) refuseCursor();
  const slice = sliceOf(page, place ?? name);
  const found = mergeSorted(
    groups.map((group, index) => searchGroup(table, scope, group, plans[index] as ChosenPlan, { ...mode, slice })),
    ({ top }) => top,
  );
  const seen = new Set<string>();
  let last = '';
  return mapRows(found, ({ did, place: at }): Placed<Did> | undefined => {
    const key = formatDid(did);
    // Without `recursive` the rows of several groups are sorted, so duplicates are adjacent.
    if (recursive ? seen.has(key) : key === last) return undefined;
    if (recursive) seen.add(key);
    last = key;
    return recursive ? { row: did, position: undefined } : placed(did, did.name, ...(at === undefined ? [] : [at]));
  });
}

/** A match, with the name of the DID in the scope from which the search reached it. */
interface Found {
  readonly did: Did;
  readonly top: string;
  /** Its place in the order of values. */
  readonly place?: string;
}

function searchGroup(
  table: Table,
  scope: string,
  group: FilterGroup,
  chosen: ChosenPlan,
  { recursive, ...options }: SearchMode & { readonly slice: Slice },
): ReadyRows<Found> {
  const candidates = listCandidates(table, scope, group, chosen, options);
  const found = mapRows(candidates, ({ did, place }): Found | undefined =>
    group.types.has(did.type) && matchesCriteria(did, group.name) && matchesCriteria(did, group.others)
      ? { did, top: did.name, ...(place === undefined ? {} : { place }) }
      : undefined,
  );
  return recursive ? searchContent(table, group, found) : found;
}

/** Adds the matches below each match, before it. */
async function* searchContent(table: Table, group: FilterGroup, matches: AsyncIterable<Found>): AsyncGenerator<Found> {
  const visited: Visited = { entered: new Set(), begun: new Map() };
  for await (const match of matches) {
    const { did } = match;
    if (did.type !== 'FILE' && !visited.entered.has(formatDid(did))) {
      visited.entered.add(formatDid(did));
      for await (const below of descend(table, readContent(table, did), group, visited)) {
        yield { did: below, top: did.name };
      }
    }
    yield match;
  }
}

/** The collections that a recursive search has visited. */
interface Visited {
  /** Collections whose content was searched. */
  readonly entered: Set<string>;
  /** Collections whose content is being read, shared by all of their attachments. */
  readonly begun: Map<string, Reading<Did>>;
}

/**
 * The matches in a collection and below it, the deepest first. Collections that do not match are not entered, and none
 * is entered twice. Reads the content of the next collections in parallel.
 */
async function* descend(
  table: Table,
  rows: AsyncGenerator<Did>,
  group: FilterGroup,
  visited: Visited,
): AsyncGenerator<Did> {
  const { entered, begun } = visited;
  const fits = (did: Did) => group.types.has(did.type) && matchesCriteria(did, group.others);
  const begin = (did: Did) => {
    const key = formatDid(did);
    if (did.type === 'FILE' || entered.has(key) || !fits(did)) return undefined;
    const reading = begun.get(key) ?? beginReading(readContent(table, did, edgesPerReadAhead));
    begun.set(key, reading);
    return reading;
  };
  for await (const [did, below] of lookAhead(rows, maxParallelReads, begin, abandonReading)) {
    const key = formatDid(did);
    if (entered.has(key) || !fits(did)) continue;
    if (below !== undefined) {
      entered.add(key);
      begun.delete(key);
      yield* descend(table, await below, group, visited);
    }
    yield did;
  }
}

/** The most collections whose content is read in parallel. */
const maxParallelReads = 8;

/** Attachments of one collection that are read ahead. */
const edgesPerReadAhead = 500;

/** The children of a collection, read in batches of 100. */
async function* readContent(table: Table, parent: DidKey, pageSize?: number): AsyncGenerator<Did> {
  for await (const edges of splitIntoChunks(listChildren(table, parent, { pageSize }), 100)) {
    yield* await readChildren(table, edges);
  }
}

/** The existing children of edges, in the same order. */
async function readChildren(table: Table, edges: readonly Edge[]): Promise<Did[]> {
  const found = new Map(
    (
      await getDids(
        table,
        edges.map(({ child }) => child),
      )
    ).map((did) => [formatDid(did), did]),
  );
  return edges.flatMap(({ child }) => found.get(formatDid(child)) ?? []);
}
