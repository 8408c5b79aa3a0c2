import type * as z from 'zod/mini';

import type { DidKey, scopeLine } from '../../contract/schemas/did.ts';
import { descend } from '../../domain/did-graph/descend.ts';
import { positionInside } from '../../domain/did-graph/positions.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { type Page, type Placed, type Position, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isScopeName } from '../../domain/values/scope-name.ts';
import { fail } from '../../errors.ts';
import { exceptSorted } from '../../rows/except-sorted.ts';
import { inRuns } from '../../rows/in-runs.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { sliceOfShard } from '../../store/batches/shard-slice.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, listShard } from '../../store/entities/did.ts';
import { listParentShard } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import { shards } from '../../store/values/shards.ts';

type ScopeLine = z.input<typeof scopeLine>;

/** Lines that are in memory together. */
type Lines = AsyncGenerator<readonly Placed<ScopeLine>[]>;

/** The part of a scope that a list shows. */
interface ScopeListing {
  /** The DID whose content is listed; absent: the whole scope. */
  readonly name?: string | undefined;
  /** Through all levels, depth first. */
  readonly recursive: boolean;
}

/**
 * The DIDs of a scope without a parent in the scope, by name, or the content of one DID (spec/dids.md 2.24).
 *
 * @throws DataIdentifierNotFound (404) if the DID does not exist, or the scope has no DIDs.
 */
export function listScope(
  { store: { table } }: Context,
  scope: string,
  listing: ScopeListing,
  page: Page = wholeList,
): ReadyRows<Placed<ScopeLine>> {
  return flattenPages(
    listing.name === undefined ? listAll(table, scope, listing, page) : listOne(table, scope, listing, page),
  );
}

async function* listOne(table: Table, scope: string, { name = '', recursive }: ScopeListing, page: Page): Lines {
  const top = await findDid(table, { scope, name });
  if (top.type !== 'FILE') yield* listBelow(table, top, recursive, page);
}

async function* listAll(table: Table, scope: string, { recursive }: ScopeListing, page: Page): Lines {
  let empty = page.after === undefined;
  if (isScopeName(scope)) {
    for await (const lines of listLines(table, scope, recursive, page)) {
      if (lines.length > 0) empty = false;
      yield lines;
    }
  }
  if (empty) fail('DataIdentifierNotFound', `No DIDs found in scope ${scope}`);
}

/** The lines of a scope. A position is the name of the top-level DID, followed by the position below it, if any. */
async function* listLines(table: Table, scope: string, recursive: boolean, page: Page): Lines {
  const [last, ...place] = page.after ?? [];
  const slice = sliceOf<string>(page);
  // The page before ended below a top-level DID, so this page begins with the rest of it.
  const continuesInside = last !== undefined && place.length > 0;
  const start = last === undefined ? {} : continuesInside ? { from: last } : { after: last };
  for await (const run of inRuns(listTopLevel(table, scope, { ...slice, ...start }))) {
    let lines: Placed<ScopeLine>[] = [];
    for (const { name, type, bytes } of run) {
      const enters = recursive && type !== 'FILE';
      const isContinued = continuesInside && name === last;
      if (!isContinued) {
        const line = { scope, name, type, parent: null, level: 0, bytes: type === 'FILE' ? (bytes ?? null) : null };
        lines.push({ row: line, position: enters ? positionInside([name]) : [name] });
      }
      if (!enters) continue;
      yield lines;
      lines = [];
      const rest = isContinued ? { ...page, after: place } : { ...page, after: positionInside([]) };
      for await (const below of listBelow(table, { scope, name }, true, rest)) {
        yield below.map(({ row, position }) => ({ row, position: [name, ...position] }));
      }
    }
    yield lines;
  }
}

async function* listBelow(
  table: Table,
  top: DidKey,
  recursive: boolean,
  page: Page,
): AsyncGenerator<{ row: ScopeLine; position: Position }[]> {
  for await (const run of descend(table, top, { depth: recursive ? Infinity : 1, page })) {
    yield run.map(({ edge, level, position }) => ({
      row: { ...edge.child, type: edge.type, parent: edge.parent, level },
      position,
    }));
  }
}

/**
 * The DIDs of a scope without a parent in the scope: a merge join of two sorted streams per shard. It keeps nothing in
 * memory and needs no read per DID.
 */
function listTopLevel(table: Table, scope: string, slice: Slice): ReadyRows<Did> {
  const ofShard = sliceOfShard(slice);
  const nameOf = ({ name }: Did) => name;
  return mergeSorted(
    shards.map((shard) =>
      exceptSorted(listShard(table, scope, shard, ofShard), nameOf, listAttachedNames(table, scope, shard, ofShard)),
    ),
    nameOf,
  );
}

function listAttachedNames(table: Table, scope: string, shard: number, slice: Slice): ReadyRows<string> {
  return mapRows(listParentShard(table, scope, shard, slice), (edge) =>
    edge.parent.scope === scope && isContentEdge(edge) ? edge.child.name : undefined,
  );
}
