import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { type Item, type Patch, stagedBatches } from '../item.ts';
import { childOf, historyOf, keys, parentOf } from '../keys.ts';
import { type Change, Collision, type Insert } from '../plan.ts';
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
  /** The parent is an archive: the child is its constituent and not part of its content. */
  readonly inArchive?: true;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** When what is known of the child last changed; absent: never since the attachment. */
  readonly updatedAt?: number;
  /** Bulk requests that have a change of this edge under way. */
  readonly unsettled?: readonly string[];
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

/** An attachment of the past. */
export interface PastEdge extends Edge {
  /** When it ended, in milliseconds since 1970. */
  readonly deletedAt: number;
}

/** The attachments that a DID once had, in the order of their ends. */
export async function* listHistory(table: Table, parent: DidKey): AsyncGenerator<PastEdge> {
  for await (const item of table.query({ pk: keys.didPartition(parent), ...keys.histories })) {
    const { at, child } = historyOf(item);
    yield { ...fromItem(item), child, deletedAt: at };
  }
}

/** The write that attaches a child. */
export function insertEdge(edge: Edge, onExists: () => Error): Insert {
  const { parent, child, unsettled: _unsettled, ...attributes } = edge;
  return {
    kind: 'insert',
    item: { ...keys.child(parent, child), ...keys.parents(child, parent), ...attributes },
    onExists,
  };
}

/** The write that changes what an edge says of its child. */
export function changeEdge(
  { parent, child }: Pick<Edge, 'parent' | 'child'>,
  patch: Patch,
  options: { readonly when?: NonNullable<Change['when']>; readonly onMismatch: () => Error },
): Change {
  return { kind: 'change', key: keys.child(parent, child), patch, ...options };
}

/** The write that detaches a child. */
export function deleteEdge({ parent, child }: Pick<Edge, 'parent' | 'child'>, onMissing: () => Error): Change {
  return { kind: 'change', key: keys.child(parent, child), patch: { delete: true }, onMismatch: onMissing };
}

/** The write that records a past attachment; `at` is the time of the detachment in milliseconds. */
export function insertHistory(edge: Edge, at: number): Insert {
  const { parent, child, unsettled: _unsettled, ...attributes } = edge;
  const item = { ...keys.history(parent, at, child), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the history of ${item.PK} was written twice`) };
}

const attributes = 'type bytes length adler32 md5 guid events inArchive createdAt updatedAt'.split(' ');

function fromItem(item: Item): Edge {
  const edge: Record<string, unknown> = {
    parent: parentOf(item),
    child: childOf(item),
    unsettled: stagedBatches(item),
  };
  for (const attribute of attributes) if (item[attribute] !== undefined) edge[attribute] = item[attribute];
  return edge as unknown as Edge;
}

/**
 * For a change that must not overlap with a bulk request.
 *
 * @throws Collision when one is under way on the edge.
 */
export function requireSettledEdge({ parent, child, unsettled }: Edge): void {
  const [batch] = unsettled ?? [];
  if (batch !== undefined) throw new Collision(batch, keys.child(parent, child));
}
