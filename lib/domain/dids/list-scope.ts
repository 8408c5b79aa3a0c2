import type * as z from 'zod';

import type { DidKey, scopeLine } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { type Did, listShard } from '../../store/entities/did.ts';
import { listParentShard } from '../../store/entities/edge.ts';
import { shards } from '../../store/keys.ts';
import { mergeSorted } from '../../store/merge.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { findDid } from './find.ts';
import { isScopeName } from '../scopes/scope-name.ts';
import { descend } from './walk.ts';

type ScopeLine = z.input<typeof scopeLine>;

/**
 * A scope's DIDs that are in no other DID of the scope, by name, or the content of one DID (spec/dids.md 2.24).
 *
 * @param name The DID whose content is listed; absent: the whole scope.
 * @param recursive Through all levels, depth first.
 * @throws DataIdentifierNotFound (404) when the DID does not exist, or when the scope has none.
 */
export async function* listScope(
  context: Context,
  scope: string,
  { name, recursive }: { readonly name?: string | undefined; readonly recursive: boolean },
): AsyncGenerator<ScopeLine> {
  const { table } = context.store;
  if (name !== undefined) {
    const top = await findDid(table, { scope, name });
    if (top.type !== 'FILE') yield* below(table, top, recursive);
    return;
  }
  let empty = true;
  if (isScopeName(scope)) {
    for await (const did of topLevel(table, scope)) {
      empty = false;
      const { type, bytes } = did;
      yield { scope, name: did.name, type, parent: null, level: 0, bytes: type === 'FILE' ? (bytes ?? null) : null };
      if (recursive && type !== 'FILE') yield* below(table, did, true);
    }
  }
  if (empty) fail('DataIdentifierNotFound', `No DIDs found in scope ${scope}`);
}

async function* below(table: Table, top: DidKey, recursive: boolean): AsyncGenerator<ScopeLine> {
  for await (const { edge, level } of descend(table, top, recursive ? Number.POSITIVE_INFINITY : 1)) {
    yield { ...edge.child, type: edge.type, parent: edge.parent, level };
  }
}

/**
 * The DIDs of a scope without a parent in the scope: a join of two streams that are sorted alike, shard by shard, so
 * that nothing is kept in memory and no DID costs a look-up.
 */
function topLevel(table: Table, scope: string): AsyncGenerator<Did> {
  return mergeSorted(
    shards.map((shard) => withoutParent(table, scope, shard)),
    ({ name }) => name,
  );
}

async function* withoutParent(table: Table, scope: string, shard: number): AsyncGenerator<Did> {
  const attached = attachedNames(table, scope, shard);
  try {
    let child = await attached.next();
    for await (const did of listShard(table, scope, shard)) {
      while (child.done !== true && child.value < did.name) child = await attached.next();
      if (child.done === true || child.value !== did.name) yield did;
    }
  } finally {
    await attached.return(undefined);
  }
}

async function* attachedNames(table: Table, scope: string, shard: number): AsyncGenerator<string, undefined> {
  for await (const { parent, child, inArchive } of listParentShard(table, scope, shard)) {
    if (parent.scope === scope && inArchive !== true) yield child.name;
  }
  return undefined;
}
