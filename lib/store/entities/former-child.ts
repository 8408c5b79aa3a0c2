import { randomBytes } from 'node:crypto';

import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { attributesReader } from '../items/read-attributes.ts';
import { childOf, didKeys } from '../keys/did-keys.ts';
import { isDidType } from './did-type.ts';
import type { Edge } from './edge.ts';

/**
 * A collection that a container had as its child when it was deleted. The history of attachments must not show it
 * (spec/dids.md 2.9).
 */
export interface FormerChild {
  readonly child: DidKey;
  readonly type: DidType;
}

/** How long the notes are kept: longer than the reaction to a deletion is late. */
const noteTtlSeconds = 7 * 86_400;

/** The write that notes a child of a container that is being deleted; `now` in milliseconds since 1970. */
export function insertFormerChild({ parent, child, type }: Edge, now: number): Insert {
  const key = didKeys.formerChild(parent, child, randomBytes(6).toString('hex'));
  return {
    kind: 'insert',
    item: { ...key, type, ttl: Math.floor(now / 1000) + noteTtlSeconds },
    onExists: () => new Error(`the former child ${key.SK} was noted twice`),
  };
}

/** When a container was deleted, in milliseconds since 1970, from the note about a child of it. */
export function endOfFormer({ ttl }: Item): number {
  return (Number(ttl) - noteTtlSeconds) * 1000;
}

const readType = attributesReader<Pick<FormerChild, 'type'>>({
  type: isDidType,
});

/**
 * The collections that a container, or earlier ones of its name, had when they were deleted in the last days, in order
 * of name and scope; `slice` by child.
 */
export function listFormerChildren(
  table: Table,
  container: DidKey,
  { after, pageSize }: Slice<DidKey> = {},
): ReadyRows<FormerChild> {
  const range = {
    pk: didKeys.partition(container),
    ...didKeys.formerChildren,
    after: after === undefined ? undefined : didKeys.afterFormerChild(after),
    pageSize,
  };
  return table.query(range, (item) => ({ child: childOf(item), ...readType(item) }));
}
