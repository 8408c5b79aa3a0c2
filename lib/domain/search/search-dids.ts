import type { DidKey } from '../../contract/schemas/did.ts';
import { mergeSorted } from '../../store/batches/merge.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { abandonReading, beginReading, lookAhead, type Reading } from '../did-graph/look-ahead.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../paging/page.ts';
import type { Context } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import { isScopeName } from '../values/scope-name.ts';
import { splitIntoChunks } from '../values/split-into-chunks.ts';
import { listCandidates, type CandidateOptions } from './list-candidates.ts';
import { matchesCriteria } from './match-did.ts';
import type { FilterGroup } from './read-search.ts';

/**
 * The DIDs of a scope that fit a search, by name, each once (spec/dids.md 3).
 *
 * @param groups A DID has to fit one of them.
 * @param recursive Also what fits among the content of the collections found, below the collection it is in. To show
 *   each once, all that were shown are remembered, so these rows have no positions.
 */
export async function* searchDids(
  { store }: Context,
  scope: string,
  groups: readonly FilterGroup[],
  { recursive, page = wholeList, ...sources }: CandidateOptions & { readonly recursive: boolean; readonly page?: Page },
): AsyncGenerator<Placed<Did>> {
  if (!isScopeName(scope)) return;
  const { table } = store;
  const [after] = page.after ?? [];
  const found = mergeSorted(
    groups.map((group) => searchGroup(table, scope, group, { ...sources, recursive, slice: sliceOf(page, after) })),
    ({ top }) => top,
  );
  const seen = new Set<string>();
  let last = '';
  for await (const { did } of found) {
    const key = formatDid(did);
    // Without a descent the stream is sorted, so that only neighbours can be the same.
    if (recursive ? seen.has(key) : key === last) continue;
    if (recursive) seen.add(key);
    last = key;
    yield recursive ? { row: did, position: undefined } : placed(did, did.name);
  }
}

/** A row, with the name of the DID of the scope through which it was found. */
interface Found {
  readonly did: Did;
  readonly top: string;
}

async function* searchGroup(
  table: Table,
  scope: string,
  group: FilterGroup,
  { recursive, ...sources }: CandidateOptions & { readonly recursive: boolean; readonly slice: Slice },
): AsyncGenerator<Found> {
  const trail: Trail = { entered: new Set(), begun: new Map() };
  for await (const did of listCandidates(table, scope, group, sources)) {
    if (!group.types.has(did.type) || !matchesCriteria(did, group.name) || !matchesCriteria(did, group.others))
      continue;
    if (recursive && did.type !== 'FILE' && !trail.entered.has(formatDid(did))) {
      trail.entered.add(formatDid(did));
      for await (const below of descend(table, content(table, did), group, trail)) {
        yield { did: below, top: did.name };
      }
    }
    yield { did, top: did.name };
  }
}

/** Where a search has been. */
interface Trail {
  /** Collections that it has entered: what they hold has been found. */
  readonly entered: Set<string>;
  /** Collections whose content is being read; it serves whichever attachment of them is met first. */
  readonly begun: Map<string, Reading<Did>>;
}

/**
 * What fits among the content of a collection and below it, what is deepest first; what does not fit is not entered, and
 * nothing is entered twice. The content of the next few collections is read meanwhile.
 */
async function* descend(
  table: Table,
  rows: AsyncGenerator<Did>,
  group: FilterGroup,
  trail: Trail,
): AsyncGenerator<Did> {
  const { entered, begun } = trail;
  const fits = (did: Did) => group.types.has(did.type) && matchesCriteria(did, group.others);
  const begin = (did: Did) => {
    const key = formatDid(did);
    if (did.type === 'FILE' || entered.has(key) || !fits(did)) return undefined;
    const reading = begun.get(key) ?? beginReading(content(table, did, ahead));
    begun.set(key, reading);
    return reading;
  };
  for await (const [did, below] of lookAhead(rows, atOnce, begin, abandonReading)) {
    const key = formatDid(did);
    if (entered.has(key) || !fits(did)) continue;
    if (below !== undefined) {
      entered.add(key);
      begun.delete(key);
      yield* descend(table, await below, group, trail);
    }
    yield did;
  }
}

/** Collections whose content is read at the same time, and the attachments that are read of one ahead. */
const [atOnce, ahead] = [8, 500];

/** The DIDs that a collection holds, read a hundred at a time. */
async function* content(table: Table, parent: DidKey, pageSize?: number): AsyncGenerator<Did> {
  for await (const edges of splitIntoChunks(listChildren(table, parent, { pageSize }), 100)) {
    yield* await childrenOf(table, edges);
  }
}

/** The children of edges, in their order; those that do not exist are left out. */
async function childrenOf(table: Table, edges: readonly Edge[]): Promise<Did[]> {
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
