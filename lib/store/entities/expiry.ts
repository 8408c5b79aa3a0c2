import { randomBytes } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change, Insert } from '../items/plan.ts';
import { didKeys, expiryOf } from '../keys/did-keys.ts';
import { type Key } from '../keys/key-parts.ts';
import { shards } from '../values/shards.ts';

/**
 * A note to check a DID when its lifetime is over. Every new lifetime writes a note, and none is withdrawn: one
 * whose DID has another lifetime by then is deleted when it is due.
 */
export interface Expiry {
  readonly key: Key;
  readonly did: DidKey;
  /** The end of the lifetime for which the note was written, in milliseconds since 1970. */
  readonly expiredAt: number;
  /** The DID is deleted; it remains to check whether anything still refers to it. */
  readonly deleted: boolean;
}

interface ExpiryOptions {
  /** When to check, in milliseconds since 1970; later than the end if that was postponed. */
  readonly due?: number;
  /** The DID is deleted already. */
  readonly deleted?: boolean;
  /** Distinguishes the notes of a DID that are due in the same millisecond; by default random. */
  readonly id?: string;
}

/** The write that inserts a note for the end of a lifetime. */
export function insertExpiry(
  did: DidKey,
  expiredAt: number,
  { due = expiredAt, deleted = false, id = randomBytes(6).toString('hex') }: ExpiryOptions = {},
): Insert {
  const key = didKeys.expiry(did, due, id);
  const item = { ...key, expiredAt, ...(deleted ? { deleted } : {}) };
  return { kind: 'insert', item, onExists: () => new Error(`the expiry ${item.SK} was written twice`) };
}

/** The write that deletes a note. */
export function deleteExpiry({ key }: Expiry, onMissing: () => Error): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch: onMissing };
}

/** The notes that are due at a time, the oldest first. */
export function listDueExpiries(table: Table, now: number): ReadyRows<Expiry> {
  const streams = shards.map((shard) =>
    table.query({ pk: didKeys.expiryShard(shard), ...didKeys.expiriesUntil(now), pageSize: 100 }),
  );
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    fromItem,
  );
}

function fromItem(item: Item): Expiry {
  const { PK, SK, expiredAt, deleted } = item;
  return { key: { PK, SK }, did: expiryOf(item), expiredAt: Number(expiredAt), deleted: deleted === true };
}
