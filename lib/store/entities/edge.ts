import { randomBytes } from 'node:crypto';

import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Item, type Patch, stagedBatches } from '../items/item.ts';
import { type Change, Collision, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isInteger, isNumber, isText, optional } from '../items/read-attributes.ts';
import { childOf, didKeys, historyOf, nestingOf, parentOf } from '../keys/did-keys.ts';
import { isDidType } from './did-type.ts';

/** The attachment of a child to a parent, with attributes of the child as of the attachment. */
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
  /** When the attributes of the child last changed here; absent: never since the attachment. */
  readonly updatedAt?: number;
  /** Counts the changes of the attributes; absent: there was none. */
  readonly rev?: number;
  /** The batches with a staged change of this edge. */
  readonly unsettled?: readonly string[];
}

/** The direct content of a DID, in order of name and scope; `slice` by child. */
export function listChildren(table: Table, parent: DidKey, { after, pageSize }: Slice<DidKey> = {}): ReadyRows<Edge> {
  const { SK } = after === undefined ? {} : didKeys.child(parent, after);
  const range = { pk: didKeys.partition(parent), ...didKeys.children, after: SK, pageSize };
  return table.query(range, toEdge);
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
export function listParentEdges(
  table: Table,
  child: DidKey,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<Edge> {
  const { GSI1PK: pk, GSI1SK } = didKeys.parents(child, after ?? child);
  const range = { ...didKeys.parentsOf(child.name), ...(after === undefined ? {} : { after: GSI1SK }), pageSize };
  return table.query({ index: 'GSI1', pk, ...range }, toEdge);
}

/** How long nesting notes are kept: longer than any index lags. */
const nestingTtlSeconds = 7 * 86_400;

/** The write that records at a container its attachment to another one; `now` in milliseconds. */
export function insertNesting(parent: DidKey, child: DidKey, now: number): Insert {
  const key = didKeys.nesting(child, parent, randomBytes(6).toString('hex'));
  return {
    kind: 'insert',
    item: { ...key, ttl: Math.floor(now / 1000) + nestingTtlSeconds },
    onExists: () => new Error(`the nesting ${key.SK} was noted twice`),
  };
}

/** The containers to which a container was attached in the last days, maybe detached since; strongly consistent. */
export async function listNestings(table: Table, child: DidKey): Promise<DidKey[]> {
  const range = { pk: didKeys.partition(child), ...didKeys.nestings };
  return Array.fromAsync(table.query(range), nestingOf);
}

/** The edges from all DIDs of one shard of a scope up to their parents, in order of the child's name; `slice` by that. */
export function listParentShard(
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
  return table.query(range, toEdge);
}

/** An attachment of the past. */
export interface PastEdge extends Edge {
  /** When it ended, in milliseconds since 1970. */
  readonly deletedAt: number;
}

/** The past attachments of a DID, by the time of their end; `slice` by end and child. */
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

/** The write that changes the attributes of the child on an edge. */
export function changeEdge(
  { parent, child }: Pick<Edge, 'parent' | 'child'>,
  patch: Patch,
  options: { readonly when?: NonNullable<Change['when']>; readonly onMismatch: () => Error },
): Change {
  return { kind: 'change', key: didKeys.child(parent, child), patch: { ...patch, add: { rev: 1 } }, ...options };
}

/**
 * The write that detaches a child if the edge is unchanged: the parent's sizes are reduced by the sizes on the edge.
 *
 * @param onMismatch Called with whether the edge exists.
 * @throws Collision if the edge has a staged change.
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

/** The write that detaches a child from a parent whose sizes do not matter any more. */
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

const readEdge = attributesReader<Omit<Edge, 'parent' | 'child' | 'unsettled'>>({
  type: isDidType,
  bytes: optional(isInteger),
  length: optional(isInteger),
  adler32: optional(isText),
  md5: optional(isText),
  guid: optional(isText),
  events: optional(isInteger),
  inArchive: optional((value): value is true => value === true),
  createdAt: isNumber,
  updatedAt: optional(isNumber),
  rev: optional(isNumber),
});

/** Reads an edge out of its item. */
export function toEdge(item: Item): Edge {
  return { parent: parentOf(item), child: childOf(item), unsettled: stagedBatches(item), ...readEdge(item) };
}

/**
 * For a change that must not overlap with a batch.
 *
 * @throws Collision if the edge has a staged change.
 */
export function requireSettledEdge({ parent, child, unsettled }: Edge): void {
  const [batch] = unsettled ?? [];
  if (batch !== undefined) throw new Collision(batch, didKeys.child(parent, child));
}
