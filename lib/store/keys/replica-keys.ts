import { hash } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { normalizePath } from '../../paths.ts';
import { shardOf, shards } from '../values/shards.ts';
import { join, type Key, part, rangeOf, readName, sortableTime, spellName } from './key-parts.ts';
import { rseKeys, ofRsePrefix } from './rse-keys.ts';

/** The parts of the key of an entry of the log of bad replicas. */
interface BadReplicaParts {
  readonly at: number;
  readonly rseId: string;
  readonly did: DidKey;
  readonly id: string;
}

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const pathPrefix = 'PATH';
const ownerSort = 'OWNER';
const quarantinedPrefix = 'QUARANTINE';
const badPrefix = 'BAD';
const deletablePrefix = 'DELETABLE';

/** The parts of the key of a replica that may be deleted; times in milliseconds since 1970. */
interface DeletableParts {
  readonly rseId: string;
  readonly did: DidKey;
  readonly tombstone: number;
  readonly listedAt: number;
}

/** The keys of the content of RSEs, and of its faults. */
export const replicaKeys = {
  content: (rseId: string, { scope, name }: DidKey): Key => ({
    PK: replicaKeys.contentShard(rseId, shardOf(name)),
    SK: join(scope, spellName(name)),
  }),
  contentShard: (rseId: string, shard: number): string => join(ofRsePrefix, rseId, String(shard)),
  /** The file to which a path on an RSE belongs: one for all its spellings. Hashed: it may be longer than a key. */
  path: (rseId: string, path: string): Key => ({
    PK: join(ofRsePrefix, rseId, pathPrefix, hash('sha256', normalizePath(path))),
    SK: ownerSort,
  }),
  /** A file by the path of its replica, as it was written before a path belonged to one file, and is by imports. */
  sharedPath: (rseId: string, path: string, { scope, name }: DidKey): Key => ({
    PK: replicaKeys.sharedPathPartition(rseId, path),
    SK: join(scope, spellName(name)),
  }),
  /** Leading slashes mean nothing. */
  sharedPathPartition: (rseId: string, path: string): string =>
    join(ofRsePrefix, rseId, pathPrefix, hash('sha256', path.replace(/^\/+/, ''))),

  /** A replica that may be deleted, in the order in which it goes: by tombstone, then by the time at which it was entered. */
  deletable: ({ rseId, did: { scope, name }, tombstone, listedAt }: DeletableParts): Key => ({
    PK: replicaKeys.deletableShard(rseId, shardOf(name)),
    SK: join(sortableTime(tombstone), sortableTime(listedAt), scope, spellName(name)),
  }),
  deletableShard: (rseId: string, shard: number): string => join(ofRsePrefix, rseId, deletablePrefix, String(shard)),
  /** How far the lists of all RSEs have been filled. */
  /** The replicas whose tombstones are at a time or before it. */
  deletableUntil: (at: number) => ({ to: rangeOf(sortableTime(at)).to }),

  /** A file that the catalogue does not know. Hashed: a path may hold any character and be longer than a key. */
  quarantined: (rseId: string, path: string): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(quarantinedPrefix, hash('sha256', path)),
  }),
  /** The log of bad replicas in order of time, in milliseconds. */
  badReplica: ({ at, rseId, did: { scope, name }, id }: BadReplicaParts): Key => ({
    PK: replicaKeys.badShard(shardOf(name)),
    SK: join(sortableTime(at), rseId, scope, spellName(name), id),
  }),
  badShard: (shard: number): string => join(badPrefix, String(shard)),
  badReplicasWithin: ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
    ...(from === undefined ? {} : { from: sortableTime(from) }),
    ...(to === undefined ? {} : { to: rangeOf(sortableTime(to)).to }),
  }),
} as const;

/** Reads the file back out of an item of an RSE's content. */
export function didOfContent({ SK }: Key): DidKey {
  return { scope: part(SK, 0), name: readName(part(SK, 1)) };
}

/** Whether the key of an item of a path is that of its only file. */
export function isPathOwner({ SK }: Key): boolean {
  return SK === ownerSort;
}

/** Reads the parts back out of the key of an entry of the log of bad replicas. */
export function badReplicaOf({ SK }: Key): BadReplicaParts {
  const did = { scope: part(SK, 2), name: readName(part(SK, 3)) };
  return { at: Number(part(SK, 0)), rseId: part(SK, 1), did, id: part(SK, 4) };
}

/** Reads the parts back out of the key of a replica that may be deleted. */
export function deletableOf({ PK, SK }: Key): DeletableParts {
  const did = { scope: part(SK, 2), name: readName(part(SK, 3)) };
  return { rseId: part(PK, 1), did, tombstone: Number(part(SK, 0)), listedAt: Number(part(SK, 1)) };
}

/** The id of the RSE whose content an item is part of; undefined: it is of no such content. */
export function rseOfContent({ PK }: Pick<Key, 'PK'>): string | undefined {
  const shard = part(PK, 2);
  return shard !== '' && part(PK, 0) === ofRsePrefix && shards.includes(Number(shard)) && part(PK, 3) === ''
    ? part(PK, 1)
    : undefined;
}
