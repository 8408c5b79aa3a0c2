import { randomBytes } from 'node:crypto';

import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Item, type Patch, stagedBatches } from '../items/item.ts';
import { type Change, Collision, type Insert, LostRace } from '../items/plan.ts';
import { childOf, didKeys, historyOf, nestingOf, parentOf } from '../keys/did-keys.ts';

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
  /** Counts the changes of what is known of the child; absent: there was none. */
  readonly rev?: number;
  /** Bulk requests that have a change of this edge under way. */
  readonly unsettled?: readonly string[];
}

/** The direct content of a DID, in order of name and scope; `slice` by child. */
export async function* listChildren(
  table: Table,
  parent: DidKey,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<Edge> {
  const { SK } = after === undefined ? {} : didKeys.child(parent, after);
  const range = { pk: didKeys.partition(parent), ...didKeys.children, after: SK, pageSize };
  for await (const item of table.query(range)) yield toEdge(item);
}

/** Whether a DID has any content. */
export async function hasChildren(table: Table, parent: DidKey): Promise<boolean> {
  const first = table.query({ pk: didKeys.partition(parent), ...didKeys.children, pageSize: 1 });
  return (await first.next()).done !== true;
}

/** The edges between one parent and many children; those that do not exist are left out. */
export async function getEdges(table: Table, pairs: readonly Pick<Edge, 'parent' | 'child'>[]): Promise<Edge[]> {
  return (await table.getMany(pairs.map(({ parent, child }) => didKeys.child(parent, child)))).map(toEdge);
}

/** The edges from a DID up to its direct parents, in order of their scope and name; `slice` by parent. Eventually consistent. */
export async function* listParents(
  table: Table,
  child: DidKey,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<Edge> {
  const { GSI1PK: pk, GSI1SK } = didKeys.parents(child, after ?? child);
  const range = { ...didKeys.parentsOf(child.name), ...(after === undefined ? {} : { after: GSI1SK }), pageSize };
  for await (const item of table.query({ index: 'GSI1', pk, ...range })) yield toEdge(item);
}

/** How long it is noted at a container what it was attached to, in seconds: no index is so late. */
const nestingTime = 7 * 86_400;

/** The write that notes at a container that it is attached to another one; `now` in milliseconds. */
export function insertNesting(parent: DidKey, child: DidKey, now: number): Insert {
  const key = didKeys.nesting(child, parent, randomBytes(6).toString('hex'));
  return {
    kind: 'insert',
    item: { ...key, ttl: Math.floor(now / 1000) + nestingTime },
    onExists: () => new Error(`the nesting ${key.SK} was noted twice`),
  };
}

/** What a container was attached to in the last days, though it may be detached again; strongly consistent. */
export async function listNestings(table: Table, child: DidKey): Promise<DidKey[]> {
  const range = { pk: didKeys.partition(child), ...didKeys.nestings };
  return Array.fromAsync(table.query(range), nestingOf);
}

/** The edges from all DIDs of one shard of a scope up to their parents, in order of the child's name; `slice` by that. */
export async function* listParentShard(
  table: Table,
  scope: string,
  shard: number,
  { from, after, pageSize }: Slice = {},
): AsyncGenerator<Edge> {
  const start = {
    ...(from === undefined ? {} : { from: didKeys.parentsOf(from).from }),
    ...(after === undefined ? {} : { from: didKeys.parentsOf(after).to }),
  };
  const range = { index: 'GSI1', pk: didKeys.parentShard(scope, shard), ...start, pageSize } as const;
  for await (const item of table.query(range)) yield toEdge(item);
}

/** An attachment of the past. */
export interface PastEdge extends Edge {
  /** When it ended, in milliseconds since 1970. */
  readonly deletedAt: number;
}

/** The attachments that a DID once had, in the order of their ends; `slice` by end and child. */
export async function* listHistory(
  table: Table,
  parent: DidKey,
  { after, pageSize }: Slice<Pick<PastEdge, 'child' | 'deletedAt'>> = {},
): AsyncGenerator<PastEdge> {
  const { SK } = after === undefined ? {} : didKeys.history(parent, after.deletedAt, after.child);
  const range = { pk: didKeys.partition(parent), ...didKeys.histories, after: SK, pageSize };
  for await (const item of table.query(range)) {
    const { at, child } = historyOf(item);
    yield { ...toEdge(item), child, deletedAt: at };
  }
}

/** The write that attaches a child. */
export function insertEdge(edge: Edge, onExists: () => Error): Insert {
  const { parent, child, unsettled: _unsettled, rev: _rev, ...attributes } = edge;
  return {
    kind: 'insert',
    item: { ...didKeys.child(parent, child), ...didKeys.parents(child, parent), ...attributes },
    onExists,
  };
}

/** The write that changes what an edge says of its child. */
export function changeEdge(
  { parent, child }: Pick<Edge, 'parent' | 'child'>,
  patch: Patch,
  options: { readonly when?: NonNullable<Change['when']>; readonly onMismatch: () => Error },
): Change {
  return { kind: 'change', key: didKeys.child(parent, child), patch: { ...patch, add: { rev: 1 } }, ...options };
}

/**
 * The write that detaches a child, if the edge is still the one that was read: what is subtracted from the parent is what
 * the edge said.
 *
 * @param onMismatch Called with whether there is an edge.
 * @throws Collision where a bulk request has a change of the edge under way.
 */
export function detachEdge(edge: Edge, onMismatch: (isThere: boolean) => Error): Change {
  requireSettledEdge(edge);
  const { createdAt, events, rev } = edge;
  return {
    ...deleteEdge(edge, () => onMismatch(false)),
    when: { createdAt, events, rev },
    onMismatch: (existing) => onMismatch(existing !== undefined),
  };
}

/** The write that detaches a child from a parent whose sizes nobody will ask for any more. */
export function deleteEdge({ parent, child }: Pick<Edge, 'parent' | 'child'>, onMissing: () => Error): Change {
  return { kind: 'change', key: didKeys.child(parent, child), patch: { delete: true }, onMismatch: onMissing };
}

/** The write that records a past attachment; `at` is the time of the detachment in milliseconds. */
export function insertHistory(edge: Edge, at: number): Insert {
  const { parent, child, unsettled: _unsettled, rev: _rev, ...attributes } = edge;
  const item = { ...didKeys.history(parent, at, child), ...attributes };
  return {
    kind: 'insert',
    item,
    onExists: () => new LostRace(`${item.PK} lost the same child in the same millisecond`),
  };
}

const attributes = 'type bytes length adler32 md5 guid events inArchive createdAt updatedAt rev'.split(' ');

/** Reads an edge out of its item. */
export function toEdge(item: Item): Edge {
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
  if (batch !== undefined) throw new Collision(batch, didKeys.child(parent, child));
}
