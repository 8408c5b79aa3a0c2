import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Item } from '../item.ts';
import { childOf, keys, parentOf } from '../keys.ts';
import type { Change, Insert } from '../plan.ts';
import type { Table } from '../table.ts';

/** The attachment of a child to a parent, with what the child was when it was attached. */
export interface Edge {
  readonly parent: DidKey;
  readonly child: DidKey;
  /** Type of the child. */
  readonly type: DidType;
  readonly bytes?: Integer;
  /** Files of a collection. */
  readonly length?: Integer;
  readonly adler32?: string;
  readonly md5?: string;
  readonly guid?: string;
  readonly events?: Integer;
  readonly lumiblocknr?: Integer;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/** The direct content of a DID, in order of name and scope. */
export async function* listChildren(table: Table, parent: DidKey): AsyncGenerator<Edge> {
  for await (const item of table.query({ pk: keys.didPartition(parent), ...keys.children })) yield fromItem(item);
}

/** Whether a DID has any content. */
export async function hasChildren(table: Table, parent: DidKey): Promise<boolean> {
  const first = table.query({ pk: keys.didPartition(parent), ...keys.children, pageSize: 1 });
  return (await first.next()).done !== true;
}

/** The edges between one parent and many children; those that do not exist are left out. */
export async function getEdges(table: Table, pairs: readonly Pick<Edge, 'parent' | 'child'>[]): Promise<Edge[]> {
  return (await table.getMany(pairs.map(({ parent, child }) => keys.child(parent, child)))).map(fromItem);
}

/** The edges from a DID up to its direct parents. Eventually consistent. */
export async function* listParents(table: Table, child: DidKey): AsyncGenerator<Edge> {
  const { GSI1PK } = keys.parents(child, child);
  const range = keys.parentsOf(child.name);
  for await (const item of table.query({ index: 'GSI1', pk: GSI1PK, ...range })) yield fromItem(item);
}

/** The edges from all DIDs of one shard of a scope up to their parents, in order of the child's name. */
export async function* listParentShard(table: Table, scope: string, shard: number): AsyncGenerator<Edge> {
  for await (const item of table.query({ index: 'GSI1', pk: keys.parentShard(scope, shard) })) yield fromItem(item);
}

/** The write that attaches a child. */
export function insertEdge(edge: Edge, onExists: () => Error): Insert {
  const { parent, child, ...attributes } = edge;
  return {
    kind: 'insert',
    item: { ...keys.child(parent, child), ...keys.parents(child, parent), ...attributes },
    onExists,
  };
}

/** The write that detaches a child. */
export function deleteEdge({ parent, child }: Pick<Edge, 'parent' | 'child'>, onMissing: () => Error): Change {
  return { kind: 'change', key: keys.child(parent, child), patch: { delete: true }, onMismatch: onMissing };
}

/** The write that records a past attachment; `at` is the time of the detachment in milliseconds. */
export function insertHistory(edge: Edge, at: number): Insert {
  const { parent, child, ...attributes } = edge;
  const item = { ...keys.history(parent, at, child), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the history of ${item.PK} was written twice`) };
}

function fromItem(item: Item): Edge {
  const { PK, SK, GSI1PK: _partition, GSI1SK: _sort, batch: _batch, gone: _gone, ...attributes } = item;
  return { parent: parentOf({ PK, SK }), child: childOf({ PK, SK }), ...attributes } as unknown as Edge;
}
