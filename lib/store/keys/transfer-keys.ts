import type { DidKey } from '../../contract/schemas/did.ts';
import { shardOf } from '../values/shards.ts';
import { join, type Key, part, rangeOf, readName, sortableTime, spellName } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const duePrefix = 'DUE';
const fromPrefix = 'FROM';
const pastPrefix = 'PASTTRANSFERS';
const cancelledPrefix = 'CANCELLEDJOBS';

/** The keys by which movers find transfers, and those of finished attempts (docs/adr/0019-transfers-and-movers.md). */
export const transferKeys = {
  /** GSI1: the transfers to an RSE by the time from which a mover may take them, in milliseconds. */
  due: (rseId: string, due: number, { scope, name }: DidKey) => ({
    GSI1PK: transferKeys.dueShard(rseId, shardOf(name)),
    GSI1SK: join(sortableTime(due), scope, spellName(name)),
  }),
  dueShard: (rseId: string, shard: number): string => join(duePrefix, rseId, String(shard)),
  /** GSI2: the leased transfers from an RSE that has a limit as a source, by the end of the lease, in milliseconds. */
  from: (sourceId: string, { until, activity, rseId, did: { scope, name } }: LeasedPlace) => ({
    GSI2PK: transferKeys.fromShard(sourceId, shardOf(name)),
    GSI2SK: join(sortableTime(until), encodeURIComponent(activity), rseId, scope, spellName(name)),
  }),
  fromShard: (sourceId: string, shard: number): string => join(fromPrefix, sourceId, String(shard)),
  until: (at: number) => ({ to: rangeOf(sortableTime(at)).to }),
  after: (at: number) => ({ from: rangeOf(sortableTime(at)).to }),

  /** An attempt that has ended, by its file and its time, in milliseconds. */
  past: (rseId: string, { scope, name }: DidKey, at: number): Key => ({
    PK: transferKeys.pastShard(rseId, shardOf(name)),
    SK: join(scope, spellName(name), sortableTime(at)),
  }),
  pastShard: (rseId: string, shard: number): string => join(pastPrefix, rseId, String(shard)),
  pastsOf: ({ scope, name }: DidKey) => rangeOf(scope, spellName(name)),

  /** A job of a transfer tool that is to be cancelled, by its destination, the address of the tool and its id. */
  cancelledJob: ({ rseId, host, id }: JobPlace): Key => ({
    PK: transferKeys.cancelledJobs(rseId),
    SK: join(encodeURIComponent(host), encodeURIComponent(id)),
  }),
  cancelledJobs: (rseId: string): string => join(cancelledPrefix, rseId),
} as const;

/** A transfer that a mover has leased. */
interface LeasedPlace {
  readonly until: number;
  readonly activity: string;
  /** The destination. */
  readonly rseId: string;
  readonly did: DidKey;
}

/** A job of a transfer tool. */
interface JobPlace {
  /** The destination. */
  readonly rseId: string;
  readonly host: string;
  readonly id: string;
}

/** Reads the activity back out of the sort key of a leased transfer in the index of its source. */
export function activityOf(sortKey: string): string {
  return decodeURIComponent(part(sortKey, 1));
}

/** Reads RSE, file and time back out of the key of a past transfer. */
export function pastTransferOf({ PK, SK }: Key): { rseId: string; did: DidKey; endedAt: number } {
  return {
    rseId: part(PK, 1),
    did: { scope: part(SK, 0), name: readName(part(SK, 1)) },
    endedAt: Number(part(SK, 2)),
  };
}
