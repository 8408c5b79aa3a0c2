import type * as z from 'zod/mini';

import type { DidKey, scopeLine } from '../../contract/schemas/did.ts';
import { descend } from '../../domain/did-graph/descend.ts';
import { positionInside } from '../../domain/did-graph/positions.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { type Page, type Placed, type Position, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isScopeName } from '../../domain/values/scope-name.ts';
import { fail } from '../../errors.ts';
import { mergeSorted, sliceOfShard } from '../../store/batches/merge.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, listShard } from '../../store/entities/did.ts';
import { listParentShard } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import { shards } from '../../store/values/shards.ts';

type ScopeLine = z.input<typeof scopeLine>;

/**
 * The DIDs of a scope without a parent in the scope, by name, or the content of one DID (spec/dids.md 2.24).
 *
 * @param name The DID whose content is listed; absent: the whole scope.
 * @param recursive Through all levels, depth first.
 * @throws DataIdentifierNotFound (404) if the DID does not exist, or the scope has no DIDs.
 */
export async function* listScope(
  context: Context,
  scope: string,
  { name, recursive }: { readonly name?: string | undefined; readonly recursive: boolean },
  page: Page = wholeList,
): AsyncGenerator<Placed<ScopeLine>> {
  const { table } = context.store;
  if (name !== undefined) {
    const top = await findDid(table, { scope, name });
    if (top.type !== 'FILE') yield* listBelow(table, top, recursive, page);
    return;
  }
  let empty = page.after === undefined;
  if (isScopeName(scope)) {
    for await (const row of listLines(table, scope, recursive, page)) {
      empty = false;
      yield row;
    }
  }
  if (empty) fail('DataIdentifierNotFound', `No DIDs found in scope ${scope}`);
}

/** The lines of a scope. A position is the name of the top-level DID, followed by the position below it, if any. */
async function* listLines(
  table: Table,
  scope: string,
  recursive: boolean,
  page: Page,
): AsyncGenerator<Placed<ScopeLine>> {
  const [last, ...place] = page.after ?? [];
  const slice = sliceOf<string>(page);
  // The page before ended below a top-level DID, so this page begins with the rest of it.
  const continuesInside = last !== undefined && place.length > 0;
  const start = last === undefined ? {} : continuesInside ? { from: last } : { after: last };
  for await (const did of listTopLevel(table, scope, { ...slice, ...start })) {
    const { name, type, bytes } = did;
    const enters = recursive && type !== 'FILE';
    const isContinued = continuesInside && name === last;
    if (!isContinued) {
      const line = { scope, name, type, parent: null, level: 0, bytes: type === 'FILE' ? (bytes ?? null) : null };
      yield { row: line, position: enters ? positionInside([name]) : [name] };
    }
    if (!enters) continue;
    const rest = isContinued ? { ...page, after: place } : { ...page, after: positionInside([]) };
    for await (const { row, position } of listBelow(table, did, true, rest))
      yield { row, position: [name, ...position] };
  }
}

async function* listBelow(
  table: Table,
  top: DidKey,
  recursive: boolean,
  page: Page,
): AsyncGenerator<{ row: ScopeLine; position: Position }> {
  for await (const run of descend(table, top, { depth: recursive ? Infinity : 1, page })) {
    for (const { edge, level, position } of run) {
      yield { row: { ...edge.child, type: edge.type, parent: edge.parent, level }, position };
    }
  }
}

/**
 * The DIDs of a scope without a parent in the scope: a merge join of two sorted streams per shard. It keeps nothing in
 * memory and needs no read per DID.
 */
function listTopLevel(table: Table, scope: string, slice: Slice): AsyncGenerator<Did> {
  const ofShard = sliceOfShard(slice);
  return mergeSorted(
    shards.map((shard) => listWithoutParent(table, scope, shard, ofShard)),
    ({ name }) => name,
  );
}

async function* listWithoutParent(table: Table, scope: string, shard: number, slice: Slice): AsyncGenerator<Did> {
  const attached = listAttachedNames(table, scope, shard, slice);
  try {
    let child = await attached.next();
    for await (const did of listShard(table, scope, shard, slice)) {
      while (child.done !== true && child.value < did.name) child = await attached.next();
      if (child.done === true || child.value !== did.name) yield did;
    }
  } finally {
    await attached.return(undefined);
  }
}

async function* listAttachedNames(
  table: Table,
  scope: string,
  shard: number,
  slice: Slice,
): AsyncGenerator<string, undefined> {
  for await (const edge of listParentShard(table, scope, shard, slice)) {
    if (edge.parent.scope === scope && isContentEdge(edge)) yield edge.child.name;
  }
  return undefined;
}
