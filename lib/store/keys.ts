import { createHash } from 'node:crypto';

import type { DidKey } from '../contract/schemas/did.ts';

/** The primary key of an item. */
export interface Key {
  readonly PK: string;
  readonly SK: string;
}

/** The sorted streams that a scope's DIDs are spread over; fixed when a table is made (docs/data-model.md). */
export const shardCount = 4;

/** Numbers of all shards. */
export const shards = Array.from({ length: shardCount }, (_value, shard) => shard);

/**
 * Between the parts of a key. No scope, name, account or RSE may hold it, and it sorts before every character that
 * they may hold, so that keys sort as their parts do.
 */
const separator = '#';

function join(...parts: readonly string[]): string {
  const bad = parts.find((text) => text.includes(separator));
  if (bad !== undefined) throw new Error(`a part of a key holds the separator: ${bad}`);
  return parts.join(separator);
}

/** Keeps any text apart from the separator; for identities, which may hold every character. */
const encode = (text: string) => text.replaceAll('%', '%25').replaceAll(separator, '%23');
const decode = (text: string) => text.replaceAll('%23', separator).replaceAll('%25', '%');

/** A sort key takes 1,024 bytes; the rest is left for what stands around a part. */
const longestPart = 960;

/** Says whether a text from outside can be part of a key; what cannot is not in the table. */
export function isKeyPart(text: string): boolean {
  return text !== '' && !text.includes(separator) && Buffer.byteLength(text) <= longestPart;
}

/** Says whether a text can be an identity; it may hold the separator. */
export function isIdentityText(text: string): boolean {
  return isKeyPart(encode(text));
}

/** The shard of a DID's name. */
export function shardOf(name: string): number {
  return createHash('md5').update(name).digest().readUInt32BE(0) % shardCount;
}

/** Every key format of the table. Nothing outside lib/store knows how a key is spelled. */
export const keys = {
  did: ({ scope, name }: DidKey): Key => ({ PK: keys.didShard(scope, shardOf(name)), SK: join(name) }),
  didShard: (scope: string, shard: number): string => join('S', scope, String(shard)),
  /** GSI1: the collections of a scope in name order. */
  collection: ({ scope, name }: DidKey) => ({ GSI1PK: join('C', scope), GSI1SK: join(name) }),
  /** GSI2: collections by the hour of their creation; `at` in milliseconds. */
  newCollection: ({ scope, name }: DidKey, type: string, at: number) => ({
    GSI2PK: join('NEW', type, String(Math.floor(at / 3_600_000)), String(shardOf(name))),
    GSI2SK: join(String(at), scope, name),
  }),

  /** Everything that hangs on a DID: content, history, rules. */
  didPartition: ({ scope, name }: DidKey): string => join('D', scope, name),
  child: (parent: DidKey, child: DidKey): Key => ({
    PK: keys.didPartition(parent),
    SK: join('CHILD', child.name, child.scope),
  }),
  children: { from: 'CHILD#', to: 'CHILD$' },
  /** GSI1: the edges from a DID up to its parents. */
  parents: (child: DidKey, parent: DidKey) => ({
    GSI1PK: keys.parentShard(child.scope, shardOf(child.name)),
    GSI1SK: join(child.name, parent.scope, parent.name),
  }),
  parentShard: (scope: string, shard: number): string => join('P', scope, String(shard)),
  parentsOf: (name: string) => ({ from: `${join(name)}#`, to: `${join(name)}$` }),
  history: (parent: DidKey, at: number, child: DidKey): Key => ({
    PK: keys.didPartition(parent),
    SK: join('HIST', String(at), child.name, child.scope),
  }),
  rule: (did: DidKey, id: string): Key => ({ PK: keys.didPartition(did), SK: join('RULE', id) }),
  ruleById: (id: string) => ({ GSI1PK: join('RULE', id), GSI1SK: 'RULE' }),
  /** GSI1: files by GUID. */
  guid: (guid: string, did: DidKey) => ({ GSI1PK: join('GUID', guid), GSI1SK: join(did.scope, did.name) }),

  scope: (scope: string): Key => ({ PK: 'SCOPES', SK: join(scope) }),
  scopesOf: (account: string) => ({ GSI1PK: join('A', account, 'SCOPES') }),

  account: (account: string): Key => ({ PK: join('A', account), SK: 'ACCOUNT' }),
  accounts: { GSI1PK: 'ACCOUNTS' },
  accountIdentity: (account: string, type: string, identity: string): Key => ({
    PK: join('A', account),
    SK: join('IDENTITY', type, encode(identity)),
  }),
  accountIdentities: { from: 'IDENTITY#', to: 'IDENTITY$' },
  identityPartition: (type: string, identity: string): string => join('I', type, encode(identity)),
  identity: (type: string, identity: string): Key => ({ PK: keys.identityPartition(type, identity), SK: 'IDENTITY' }),
  identityAccount: (type: string, identity: string, account: string): Key => ({
    PK: keys.identityPartition(type, identity),
    SK: join('ACCOUNT', account),
  }),
  identityAccounts: { from: 'ACCOUNT#', to: 'ACCOUNT$' },
  loginFailures: (account: string): Key => ({ PK: join('A', account), SK: 'LOGINS' }),

  rse: (id: string): Key => ({ PK: join('R', id), SK: 'RSE' }),
  rseName: (name: string): Key => ({ PK: join('RSENAME', name), SK: 'RSENAME' }),
  rses: { GSI1PK: 'RSES' },
  /** Bumped by every change of an RSE, so that a cached fleet can be revalidated with one small read. */
  rseVersion: { PK: 'RSES', SK: 'VERSION' } as Key,
  rseContent: (rseId: string, { scope, name }: DidKey): Key => ({
    PK: join('R', rseId, String(shardOf(name))),
    SK: join(scope, name),
  }),

  batchShard: (shard: number): string => join('BATCH', String(shard)),
} as const;

/** Reads the DID back out of the key of its item. */
export function didOf({ PK, SK }: Key): DidKey {
  return { scope: part(PK, 1), name: SK };
}

/** Reads the child back out of an edge. */
export function childOf({ SK }: Key): DidKey {
  return { scope: part(SK, 2), name: part(SK, 1) };
}

/** Reads the parent back out of an edge. */
export function parentOf({ PK }: Key): DidKey {
  return { scope: part(PK, 1), name: part(PK, 2) };
}

/** Reads the identity back out of an account's identity item. */
export function identityOf({ SK }: Key): { type: string; identity: string } {
  return { type: part(SK, 1), identity: decode(part(SK, 2)) };
}

/** Reads the last part of a sort key, such as a scope or an account. */
export function lastPart({ SK }: Key): string {
  return SK.slice(SK.lastIndexOf(separator) + 1);
}

function part(key: string, index: number): string {
  return key.split(separator)[index] ?? '';
}
