import { createHash } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { join, type Key, part, shardOf, sortableTime } from './key-parts.ts';
import { rseKeys } from './rse-keys.ts';

/** What the key of an entry of the log of bad replicas is made of. */
interface BadReplicaParts {
  readonly at: number;
  readonly rseId: string;
  readonly did: DidKey;
  readonly id: string;
}

/** The keys of what lies on RSEs, and of what is wrong with it. */
export const replicaKeys = {
  content: (rseId: string, { scope, name }: DidKey): Key => ({
    PK: replicaKeys.contentShard(rseId, shardOf(name)),
    SK: join(scope, name),
  }),
  contentShard: (rseId: string, shard: number): string => join('R', rseId, String(shard)),
  /** A file by the path of its replica on a non-deterministic RSE. */
  path: (rseId: string, path: string, { scope, name }: DidKey): Key => ({
    PK: replicaKeys.pathPartition(rseId, path),
    SK: join(scope, name),
  }),
  /** The path itself may hold any character and be longer than a key; slashes before it mean nothing. */
  pathPartition: (rseId: string, path: string): string =>
    join('R', rseId, 'PATH', createHash('sha256').update(path.replace(/^\/+/, '')).digest('hex')),

  /** A file that the catalogue does not know; the path itself may hold any character and be longer than a key. */
  quarantined: (rseId: string, path: string): Key => ({
    PK: rseKeys.hangers(rseId),
    SK: join('QUARANTINE', createHash('sha256').update(path).digest('hex')),
  }),
  /** The log of bad replicas in order of time, in milliseconds. */
  badReplica: ({ at, rseId, did: { scope, name }, id }: BadReplicaParts): Key => ({
    PK: replicaKeys.badShard(shardOf(name)),
    SK: join(sortableTime(at), rseId, scope, name, id),
  }),
  badShard: (shard: number): string => join('BAD', String(shard)),
  badReplicasWithin: ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
    ...(from === undefined ? {} : { from: sortableTime(from) }),
    ...(to === undefined ? {} : { to: `${sortableTime(to)}$` }),
  }),
} as const;

/** Reads the file back out of an item of an RSE's content. */
export function contentOf({ SK }: Key): DidKey {
  return { scope: part(SK, 0), name: part(SK, 1) };
}

/** Reads the parts back out of the key of an entry of the log of bad replicas. */
export function badReplicaOf({ SK }: Key): BadReplicaParts {
  const did = { scope: part(SK, 2), name: part(SK, 3) };
  return { at: Number(part(SK, 0)), rseId: part(SK, 1), did, id: part(SK, 4) };
}
