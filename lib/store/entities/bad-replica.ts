import { randomBytes } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { BadReplicaState, badReplicaStateNames } from '../../contract/schemas/states.ts';
import type { Integer } from '../../integer.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, type Check, isInteger, isNumber, isText, optional } from '../items/read-attributes.ts';
import { badReplicaOf, replicaKeys } from '../keys/replica-keys.ts';
import { shards } from '../values/shards.ts';

/** Identifies an entry of the log; `at` in milliseconds since 1970. */
export interface BadReplicaKey {
  readonly at: number;
  readonly rseId: string;
  readonly did: DidKey;
  readonly id: string;
}

/** An entry of the log of bad and suspicious replicas (spec/replication.md 1.8); dates in milliseconds since 1970. */
export interface BadReplica extends BadReplicaKey {
  readonly state: BadReplicaState;
  readonly reason?: string;
  /** The account that declared it. */
  readonly account: string;
  readonly bytes?: Integer;
  /** Absent: never. */
  readonly updatedAt?: number;
  /** The end of a temporary state. */
  readonly until?: number;
}

/** A period of the log, in milliseconds, both ends included; absent: unbounded. */
export interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The key of a new entry. */
export function newBadReplicaKey(rseId: string, { scope, name }: DidKey, at: number): BadReplicaKey {
  return { at, rseId, did: { scope, name }, id: randomBytes(4).toString('hex') };
}

/** The entries of a period, the oldest first; `slice` by entry. Strongly consistent. */
export function listBadReplicas(table: Table, period: Period, slice: Slice<BadReplicaKey> = {}): ReadyRows<BadReplica> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = period;
  if (from > to) return mapRows<Item, BadReplica>([], fromItem);
  const { after, pageSize } = sliceOfShard(slice);
  const last = after === undefined ? undefined : replicaKeys.badReplica(after).SK;
  const range = { ...replicaKeys.badReplicasWithin(period), after: last, pageSize };
  const streams = shards.map((shard) => table.query({ pk: replicaKeys.badShard(shard), ...range }));
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    fromItem,
  );
}

/** The write that adds an entry. */
export function insertBadReplica(entry: BadReplica): Insert {
  const { at: _at, rseId: _rse, did: _did, id: _id, ...attributes } = entry;
  const item = { ...replicaKeys.badReplica(entry), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the entry ${item.SK} of the log was written twice`) };
}

/** The write that ends a declaration of a bad replica. */
export function endDeclaration(key: BadReplicaKey, outcome: 'RECOVERED' | 'DELETED', now: number): Change {
  return {
    kind: 'change',
    key: replicaKeys.badReplica(key),
    patch: { set: { state: BadReplicaState[outcome], updatedAt: now } },
    onMismatch: () => new LostRace('the declaration of a bad replica has ended concurrently'),
  };
}

const isBadReplicaState: Check<BadReplicaState> = (value): value is BadReplicaState =>
  isText(value) && Object.hasOwn(badReplicaStateNames, value);

const readBadReplica = attributesReader<Omit<BadReplica, keyof BadReplicaKey>>({
  state: isBadReplicaState,
  reason: optional(isText),
  account: isText,
  bytes: optional(isInteger),
  updatedAt: optional(isNumber),
  until: optional(isNumber),
});

function fromItem(item: Item): BadReplica {
  return { ...badReplicaOf(item), ...readBadReplica(item) };
}
