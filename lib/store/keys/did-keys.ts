import type { DidKey } from '../../contract/schemas/did.ts';
import { hourOf, join, type Key, part, shardOf, sortableTime } from './key-parts.ts';

/** The keys of DIDs, of what hangs on them, and of the notes about them. */
export const didKeys = {
  did: ({ scope, name }: DidKey): Key => ({ PK: didKeys.shard(scope, shardOf(name)), SK: join(name) }),
  /** The bounds of the names that begin with a prefix: no name holds a character beyond `~`. */
  prefix: (prefix: string) => (prefix === '' ? {} : { from: join(prefix), to: `${prefix}~` }),
  shard: (scope: string, shard: number): string => join('S', scope, String(shard)),
  /** GSI1: the collections of a scope in name order. */
  collection: ({ scope, name }: DidKey) => ({ GSI1PK: join('C', scope), GSI1SK: join(name) }),
  /** GSI1: files by GUID. */
  guid: (guid: string, did: DidKey) => ({ GSI1PK: didKeys.guidPartition(guid), GSI1SK: join(did.scope, did.name) }),
  guidPartition: (guid: string): string => join('GUID', guid),
  deleted: ({ scope, name }: DidKey): Key => ({ PK: join('DEL', scope, name), SK: 'DID' }),

  /** GSI2: collections by the hour of their creation; `at` in milliseconds. */
  newCollection: ({ scope, name }: DidKey, type: string, at: number) => ({
    GSI2PK: didKeys.newShard(type, hourOf(at), shardOf(name)),
    GSI2SK: join(String(at), scope, name),
  }),
  newShard: (type: string, hour: number, shard: number): string => join('NEW', type, String(hour), String(shard)),
  /** A list of files that were made together; `at` in milliseconds. */
  newFiles: (at: number, id: string, shard: number): Key => ({
    PK: didKeys.newShard('FILE', hourOf(at), shard),
    SK: join(String(at), id),
  }),
  /** When a DID's lifetime is to be looked at, in order of time; `id` tells apart what falls due in one millisecond. */
  expiry: ({ scope, name }: DidKey, due: number, id: string): Key => ({
    PK: didKeys.expiryShard(shardOf(name)),
    SK: join(sortableTime(due), scope, name, id),
  }),
  expiryShard: (shard: number): string => join('EXPIRY', String(shard)),
  expiriesUntil: (due: number) => ({ from: '0', to: `${sortableTime(due)}$` }),

  /** Everything that hangs on a DID: content, history, rules. */
  partition: ({ scope, name }: DidKey): string => join('D', scope, name),
  child: (parent: DidKey, child: DidKey): Key => ({
    PK: didKeys.partition(parent),
    SK: join('CHILD', child.name, child.scope),
  }),
  children: { from: 'CHILD#', to: 'CHILD$' },
  /** GSI1: the edges from a DID up to its parents. */
  parents: (child: DidKey, parent: DidKey) => ({
    GSI1PK: didKeys.parentShard(child.scope, shardOf(child.name)),
    GSI1SK: join(child.name, parent.scope, parent.name),
  }),
  parentShard: (scope: string, shard: number): string => join('P', scope, String(shard)),
  parentsOf: (name: string) => ({ from: `${join(name)}#`, to: `${join(name)}$` }),
  /** That a container was attached to another one; `id` tells apart what was attached again. */
  nesting: (child: DidKey, parent: DidKey, id: string): Key => ({
    PK: didKeys.partition(child),
    SK: join('WITHIN', parent.scope, parent.name, id),
  }),
  nestings: { from: 'WITHIN#', to: 'WITHIN$' },
  history: (parent: DidKey, at: number, child: DidKey): Key => ({
    PK: didKeys.partition(parent),
    SK: join('HIST', String(at), child.name, child.scope),
  }),
  histories: { from: 'HIST#', to: 'HIST$' },
  follower: (did: DidKey, account: string): Key => ({ PK: didKeys.partition(did), SK: join('FOLLOW', account) }),
  followers: { from: 'FOLLOW#', to: 'FOLLOW$' },
} as const;

/** Whether a key is that of a DID's item. */
export function isDidItem({ PK }: Key): boolean {
  return PK.startsWith('S#');
}

/** Reads the DID back out of the key of its item. */
export function didOf({ PK, SK }: Key): DidKey {
  return { scope: part(PK, 1), name: SK };
}

/** Reads the time, and of a list of files its id, back out of the sort key of new DIDs. */
export function newDidOf({ SK }: Pick<Key, 'SK'>): { at: number; id: string } {
  return { at: Number(part(SK, 0)), id: part(SK, 1) };
}

/** Reads the DID back out of the sort key of an expiry. */
export function expiryOf({ SK }: Key): DidKey {
  return { scope: part(SK, 1), name: part(SK, 2) };
}

/** Reads the child back out of an edge. */
export function childOf({ SK }: Key): DidKey {
  return { scope: part(SK, 2), name: part(SK, 1) };
}

/** Reads the parent back out of an edge. */
export function parentOf({ PK }: Key): DidKey {
  return { scope: part(PK, 1), name: part(PK, 2) };
}

/** Reads the parent back out of the note at a container. */
export function nestingOf({ SK }: Key): DidKey {
  return { scope: part(SK, 1), name: part(SK, 2) };
}

/** Reads time and child back out of the sort key of a past attachment. */
export function historyOf({ SK }: Key): { at: number; child: DidKey } {
  return { at: Number(part(SK, 1)), child: { scope: part(SK, 3), name: part(SK, 2) } };
}
