import type { DidKey } from '../../contract/schemas/did.ts';
import { type Did, getDids, listByPrefix, listCollections } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import { mergeSorted } from '../../store/merge.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { formatDid } from '../dids/names.ts';
import { isScopeName } from '../scopes/scope-name.ts';
import { matches } from './match.ts';
import { choosePlan } from './plan.ts';
import type { Group, SearchQuery } from './query.ts';

/**
 * The DIDs of a scope that fit a search, by name, each once (spec/dids.md 3).
 *
 * @param recursive Also what fits among the content of the collections found, below the collection it is in.
 */
export async function* searchDids(
  { store }: Context,
  scope: string,
  query: SearchQuery,
  recursive: boolean,
): AsyncGenerator<Did> {
  if (!isScopeName(scope)) return;
  const { table } = store;
  const found = mergeSorted(
    query.groups.map((group) => searchGroup(table, scope, group, recursive)),
    ({ top }) => top,
  );
  const seen = new Set<string>();
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let last = '';
  for await (const { did } of found) {
    const key = formatDid(did);
    // Without a descent the stream is sorted, so that only neighbours can be the same.
    if (recursive ? seen.has(key) : key === last) continue;
    if (recursive) seen.add(key);
    last = key;
    yield did;
    left -= 1;
    if (left === 0) return;
  }
}

/** A row, with the name of the DID of the scope through which it was found. */
interface Found {
  readonly did: Did;
  readonly top: string;
}

async function* searchGroup(table: Table, scope: string, group: Group, recursive: boolean): AsyncGenerator<Found> {
  for await (const did of candidates(table, scope, group)) {
    if (!group.types.has(did.type) || !matches(did, group.name) || !matches(did, group.others)) continue;
    if (recursive && did.type !== 'FILE') {
      for await (const below of descend(table, did, group, new Set([formatDid(did)]))) {
        yield { did: below, top: did.name };
      }
    }
    yield { did, top: did.name };
  }
}

async function* candidates(table: Table, scope: string, group: Group): AsyncGenerator<Did> {
  const plan = choosePlan(group);
  if (plan.source === 'did') yield* await getDids(table, [{ scope, name: plan.name }]);
  else if (plan.source === 'collections') yield* listCollections(table, scope, plan.prefix);
  else if (plan.source === 'scope') yield* listByPrefix(table, scope, plan.prefix);
}

/** What fits below a collection, what is deepest first; what does not fit is not entered. */
async function* descend(table: Table, parent: DidKey, group: Group, path: Set<string>): AsyncGenerator<Did> {
  for await (const did of content(table, parent)) {
    const key = formatDid(did);
    if (path.has(key) || !group.types.has(did.type) || !matches(did, group.others)) continue;
    if (did.type !== 'FILE') {
      path.add(key);
      yield* descend(table, did, group, path);
    }
    yield did;
  }
}

/** The DIDs that a collection holds, read a hundred at a time. */
async function* content(table: Table, parent: DidKey): AsyncGenerator<Did> {
  let chunk: DidKey[] = [];
  for await (const { child } of listChildren(table, parent)) {
    chunk.push(child);
    if (chunk.length < 100) continue;
    yield* await inOrder(table, chunk);
    chunk = [];
  }
  yield* await inOrder(table, chunk);
}

async function inOrder(table: Table, dids: readonly DidKey[]): Promise<Did[]> {
  const found = new Map((await getDids(table, dids)).map((did) => [formatDid(did), did]));
  return dids.flatMap((did) => found.get(formatDid(did)) ?? []);
}
