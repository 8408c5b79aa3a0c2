import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { deletableOf, replicaKeys } from '../keys/replica-keys.ts';
import { shards } from '../values/shards.ts';

/**
 * An entry in the list of replicas that may be deleted from an RSE; times in milliseconds since 1970. It has no attributes:
 * the replica itself, on the item of its file, says the rest.
 */
export interface DeletableReplica {
  readonly rseId: string;
  readonly did: DidKey;
  /** The time from which on it may be deleted. */
  readonly tombstone: number;
  /** When it was entered. */
  readonly listedAt: number;
}

/**
 * The entries of an RSE whose tombstones have passed, in the order of Rucio's reaper: by tombstone, then by the time since
 * when; `slice` by entry. Strongly consistent. Costs a read unit for some 30 entries, and one for each shard.
 *
 * @param until Up to this tombstone, in milliseconds since 1970.
 */
export function listDeletable(
  table: Table,
  rseId: string,
  until: number,
  slice: Slice<Omit<DeletableReplica, 'rseId'>> = {},
): ReadyRows<DeletableReplica> {
  const { after, pageSize } = sliceOfShard(slice);
  const last = after === undefined ? undefined : replicaKeys.deletable({ ...after, rseId }).SK;
  const range = { ...replicaKeys.deletableUntil(until), after: last, pageSize };
  const streams = shards.map((shard) => table.query({ pk: replicaKeys.deletableShard(rseId, shard), ...range }));
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    deletableOf,
  );
}

/** The write that adds an entry. */
export function insertDeletable(entry: DeletableReplica): Insert {
  return { kind: 'insert', item: { ...replicaKeys.deletable(entry) }, onExists: makeRaceError };
}

/** The write that removes an entry. */
export function deleteDeletable(entry: DeletableReplica): Change {
  return { kind: 'change', key: replicaKeys.deletable(entry), patch: { delete: true }, onMismatch: makeRaceError };
}

const makeRaceError = () => new LostRace('a replica that may be deleted was changed concurrently');
