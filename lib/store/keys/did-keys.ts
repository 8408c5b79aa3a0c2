import { hash } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { hourOf } from '../values/hour.ts';
import { shardOf } from '../values/shards.ts';
import {
  afterNames,
  hasPrefix,
  join,
  type Key,
  type KeyPrefix,
  part,
  rangeOf,
  readName,
  sortableTime,
  spellName,
  startOf,
} from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const didPrefix = 'S';
const collectionPrefix = 'C';
const guidPrefix = 'GUID';
const deletedPrefix = 'DEL';
const newPrefix = 'NEW';
const expiryPrefix = 'EXPIRY';
export const didPartitionPrefix = 'D';
const childPrefix = 'CHILD';
const parentPrefix = 'P';
const nestingPrefix = 'WITHIN';
const historyPrefix = 'HIST';
const formerPrefix = 'FORMER';
const followerPrefix = 'FOLLOW';

/** Bounds of a list in the order of names. */
interface NameSlice {
  readonly from?: string | undefined;
  readonly after?: string | undefined;
}

/** The keys of DIDs, of their dependents, and of the notes about them. */
export const didKeys = {
  did: ({ scope, name }: DidKey): Key => ({ PK: didKeys.shard(scope, shardOf(name)), SK: spellName(name) }),
  /** The bounds of the names that begin with a prefix. */
  prefix: (prefix: string) => (prefix === '' ? {} : { from: spellName(prefix), to: spellName(prefix) + afterNames }),
  /** Bounds by names as bounds of sort keys; its other members stay. */
  slice: <S extends NameSlice>(slice: S): S => {
    const spelt = (['from', 'after'] as const).flatMap((bound) => {
      const name = slice[bound];
      return name === undefined ? [] : [[bound, spellName(name)] as const];
    });
    return { ...slice, ...Object.fromEntries(spelt) };
  },
  shard: (scope: string, shard: number): string => join(didPrefix, scope, String(shard)),
  /** GSI1: the collections of a scope in name order. */
  collection: ({ scope, name }: DidKey) => ({ GSI1PK: join(collectionPrefix, scope), GSI1SK: spellName(name) }),
  /** GSI1: files by GUID. */
  guid: (guid: string, did: DidKey) => ({
    GSI1PK: didKeys.guidPartition(guid),
    GSI1SK: join(did.scope, spellName(did.name)),
  }),
  guidPartition: (guid: string): string => join(guidPrefix, guid),
  deleted: ({ scope, name }: DidKey): Key => ({ PK: join(deletedPrefix, scope, spellName(name)), SK: 'DID' }),

  /** GSI2: collections by the hour of their creation; `at` in milliseconds. */
  newCollection: ({ scope, name }: DidKey, type: string, at: number) => ({
    GSI2PK: didKeys.newShard(type, hourOf(at), shardOf(name)),
    GSI2SK: join(String(at), scope, spellName(name)),
  }),
  newShard: (type: string, hour: number, shard: number): string => join(newPrefix, type, String(hour), String(shard)),
  /** A list of files that were created together; `at` in milliseconds. */
  newFiles: (at: number, id: string, shard: number): Key => ({
    PK: didKeys.newShard('FILE', hourOf(at), shard),
    SK: join(String(at), id),
  }),
  /** When the lifetime of a DID is to be checked, in order of time; `id` makes keys of one millisecond unique. */
  expiry: ({ scope, name }: DidKey, due: number, id: string): Key => ({
    PK: didKeys.expiryShard(shardOf(name)),
    SK: join(sortableTime(due), scope, spellName(name), id),
  }),
  expiryShard: (shard: number): string => join(expiryPrefix, String(shard)),
  expiriesUntil: (due: number) => ({ from: '0', to: rangeOf(sortableTime(due)).to }),

  /** The dependents of a DID: content, history, rules. */
  partition: ({ scope, name }: DidKey): string => join(didPartitionPrefix, scope, spellName(name)),
  child: (parent: DidKey, child: DidKey): Key => ({
    PK: didKeys.partition(parent),
    SK: join(childPrefix, spellName(child.name), child.scope),
  }),
  children: rangeOf(childPrefix),
  /** GSI1: the edges from a DID up to its parents. */
  parents: (child: DidKey, parent: DidKey) => ({
    GSI1PK: didKeys.parentShard(child.scope, shardOf(child.name)),
    GSI1SK: join(spellName(child.name), ...parentParts(parent)),
  }),
  parentShard: (scope: string, shard: number): string => join(parentPrefix, scope, String(shard)),
  parentsOf: (name: string) => rangeOf(spellName(name)),
  /** A container was attached to another one; `id` distinguishes repeated attachments. */
  nesting: (child: DidKey, parent: DidKey, id: string): Key => ({
    PK: didKeys.partition(child),
    SK: join(nestingPrefix, parent.scope, spellName(parent.name), id),
  }),
  nestings: rangeOf(nestingPrefix),
  history: (parent: DidKey, at: number, child: DidKey): Key => ({
    PK: didKeys.partition(parent),
    SK: join(historyPrefix, String(at), spellName(child.name), child.scope),
  }),
  histories: rangeOf(historyPrefix),
  /** A container had a collection as its child when it was deleted; `id` distinguishes repeated deletions. */
  formerChild: (container: DidKey, child: DidKey, id: string): Key => ({
    PK: didKeys.partition(container),
    SK: join(formerPrefix, spellName(child.name), child.scope, id),
  }),
  formerChildren: rangeOf(formerPrefix),
  /** Sorts after the notes of one child. */
  afterFormerChild: ({ scope, name }: DidKey) => rangeOf(formerPrefix, spellName(name), scope).to,
  follower: (did: DidKey, account: string): Key => ({
    PK: didKeys.partition(did),
    SK: join(followerPrefix, account),
  }),
  followers: rangeOf(followerPrefix),
} as const;

/**
 * A parent in the sort key of an entry, which is read out of the partition key of its item. A long one is hashed: beside another
 * long name it would not fit. No name has the sign before the hash.
 */
function parentParts({ scope, name }: DidKey): string[] {
  return name.length <= maxPlainParent ? [scope, spellName(name)] : [scope, `%${hash('sha256', `${scope}:${name}`)}`];
}

/** With it, two scopes and another name of the greatest lengths fit into the 1,024 bytes of a sort key. */
const maxPlainParent = 400;

/** How the keys of these items begin. */
export const didItems = {
  did: { PK: startOf(didPrefix), SK: '' },
  edge: { PK: startOf(didPartitionPrefix), SK: startOf(childPrefix) },
} as const satisfies Record<string, KeyPrefix>;

/** How the keys of these notes about a DID begin. */
export const didNotes = {
  history: { PK: startOf(didPartitionPrefix), SK: startOf(historyPrefix) },
  former: { PK: startOf(didPartitionPrefix), SK: startOf(formerPrefix) },
  deleted: { PK: startOf(deletedPrefix), SK: '' },
} as const satisfies Record<string, KeyPrefix>;

/** Whether a key is that of a DID's item. */
export function isDidItem(key: Key): boolean {
  return hasPrefix(key, didItems.did);
}

/** Reads the DID back out of the key of its item. */
export function didOf({ PK, SK }: Key): DidKey {
  return { scope: part(PK, 1), name: readName(SK) };
}

/** Reads the time, and of a list of files its id, back out of the sort key of new DIDs. */
export function newDidOf({ SK }: Pick<Key, 'SK'>): { at: number; id: string } {
  return { at: Number(part(SK, 0)), id: part(SK, 1) };
}

/** Reads the DID back out of the sort key of an expiry. */
export function expiryOf({ SK }: Key): DidKey {
  return { scope: part(SK, 1), name: readName(part(SK, 2)) };
}

/** Reads the child back out of an edge. */
export function childOf({ SK }: Key): DidKey {
  return { scope: part(SK, 2), name: readName(part(SK, 1)) };
}

/** Reads the parent back out of an edge. */
export function parentOf({ PK }: Key): DidKey {
  return { scope: part(PK, 1), name: readName(part(PK, 2)) };
}

/** Reads the parent back out of the nesting note of a container. */
export function nestingOf({ SK }: Key): DidKey {
  return { scope: part(SK, 1), name: readName(part(SK, 2)) };
}

/** Reads time and child back out of the sort key of a past attachment. */
export function historyOf({ SK }: Key): { at: number; child: DidKey } {
  return { at: Number(part(SK, 1)), child: { scope: part(SK, 3), name: readName(part(SK, 2)) } };
}
