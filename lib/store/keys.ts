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

/** Joins the parts of a key; throws an Error where one holds the separator. */
export function join(...parts: readonly string[]): string {
  const bad = parts.find((text) => text.includes(separator));
  if (bad !== undefined) throw new Error(`a part of a key holds the separator: ${bad}`);
  return parts.join(separator);
}

/** Keeps any text apart from the separator; for what may hold every character. */
export const encode = (text: string) => text.replaceAll('%', '%25').replaceAll(separator, '%23');
/** Reads such a text back. */
export const decode = (text: string) => text.replaceAll('%23', separator).replaceAll('%25', '%');

/** A sort key takes 1,024 bytes; the rest is left for what stands around a part. */
const longestPart = 960;

/** Says whether a text from outside can be part of a key; what cannot is not in the table. */
export function isKeyPart(text: string): boolean {
  return text !== '' && !text.includes(separator) && Buffer.byteLength(text) <= longestPart;
}

/** The same for a text that may hold the separator: an identity, a convention, the name of an RSE. */
export function isEncodablePart(text: string): boolean {
  return isKeyPart(encode(text));
}

/** Says whether a text is short enough to be a sort key. */
export function isSortKey(text: string): boolean {
  return Buffer.byteLength(text) <= 1024;
}

/** The hour of a time in milliseconds, counted from 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / 3_600_000);
}

/** A time in milliseconds as a text that sorts by time; everything before 1970 counts as then. */
export const sortableTime = (at: number) => String(Math.max(0, Math.floor(at))).padStart(15, '0');

const endOfTime = 999_999_999_999_999;

/** A time in milliseconds as a text that sorts the newest first. */
export const newestFirst = (at: number) => sortableTime(endOfTime - at);

/** The shard of a DID's name. */
export function shardOf(name: string): number {
  return createHash('md5').update(name).digest().readUInt32BE(0) % shardCount;
}

/** What the key of an entry of the log of bad replicas is made of. */
interface BadReplicaParts {
  readonly at: number;
  readonly rseId: string;
  readonly did: DidKey;
  readonly id: string;
}

/** Every key format of the table. Nothing outside lib/store knows how a key is spelled. */
export const keys = {
  did: ({ scope, name }: DidKey): Key => ({ PK: keys.didShard(scope, shardOf(name)), SK: join(name) }),
  /** The bounds of the names that begin with a prefix: no name holds a character beyond `~`. */
  prefix: (prefix: string) => (prefix === '' ? {} : { from: join(prefix), to: `${prefix}~` }),
  didShard: (scope: string, shard: number): string => join('S', scope, String(shard)),
  /** GSI1: the collections of a scope in name order. */
  collection: ({ scope, name }: DidKey) => ({ GSI1PK: join('C', scope), GSI1SK: join(name) }),
  /** GSI2: collections by the hour of their creation; `at` in milliseconds. */
  newCollection: ({ scope, name }: DidKey, type: string, at: number) => ({
    GSI2PK: keys.newShard(type, hourOf(at), shardOf(name)),
    GSI2SK: join(String(at), scope, name),
  }),
  newShard: (type: string, hour: number, shard: number): string => join('NEW', type, String(hour), String(shard)),
  /** A list of files that were made together; `at` in milliseconds. */
  newFiles: (at: number, id: string): Key => ({
    PK: keys.newShard('FILE', hourOf(at), shardOf(id)),
    SK: join(String(at), id),
  }),
  /** When a DID's lifetime is to be looked at, in order of time; `id` tells apart what falls due in one millisecond. */
  expiry: ({ scope, name }: DidKey, due: number, id: string): Key => ({
    PK: keys.expiryShard(shardOf(name)),
    SK: join(sortableTime(due), scope, name, id),
  }),
  expiryShard: (shard: number): string => join('EXPIRY', String(shard)),
  expiriesUntil: (due: number) => ({ from: '0', to: `${sortableTime(due)}$` }),
  /**
   * The DIDs of a scope that have a value of a metadata key, by name: files in the shards of their names, collections by
   * themselves, so that either is found without the other. `term` stands for the value (metadata-term.ts).
   */
  indexEntry: (did: DidKey, isFile: boolean, key: string, term: string): Key => ({
    PK: keys.indexPart(did.scope, key, term, isFile ? shardOf(did.name) : 'collections'),
    SK: join(did.name),
  }),
  indexPart: (scope: string, key: string, term: string, shard: number | 'collections'): string =>
    join('M', scope, encode(key), encode(term), shard === 'collections' ? 'C' : String(shard)),
  /** Which metadata keys are indexed, and how far the index has been built. */
  indexState: { PK: 'METADATAINDEX', SK: 'STATE' } as Key,
  deletedDid: ({ scope, name }: DidKey): Key => ({ PK: join('DEL', scope, name), SK: 'DID' }),

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
  histories: { from: 'HIST#', to: 'HIST$' },
  follower: (did: DidKey, account: string): Key => ({ PK: keys.didPartition(did), SK: join('FOLLOW', account) }),
  followers: { from: 'FOLLOW#', to: 'FOLLOW$' },
  /** GSI1: files by GUID. */
  guid: (guid: string, did: DidKey) => ({ GSI1PK: keys.guidPartition(guid), GSI1SK: join(did.scope, did.name) }),
  guidPartition: (guid: string): string => join('GUID', guid),

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
  localLimit: (account: string, rseId: string): Key => ({ PK: join('A', account), SK: join('LIMIT', 'LOCAL', rseId) }),
  localLimits: { from: 'LIMIT#LOCAL#', to: 'LIMIT#LOCAL$' },
  /** The expression itself lies on the item: it may hold any character and be longer than a key. */
  globalLimit: (account: string, expression: string): Key => ({
    PK: join('A', account),
    SK: join('LIMIT', 'GLOBAL', createHash('sha256').update(expression).digest('hex')),
  }),
  globalLimits: { from: 'LIMIT#GLOBAL#', to: 'LIMIT#GLOBAL$' },
  accountUsage: (account: string, rseId: string): Key => ({ PK: join('A', account), SK: join('USAGE', rseId) }),
  accountUsages: { from: 'USAGE#', to: 'USAGE$' },
  /** A change of the usage that is not in its sum yet; sorts directly behind it. */
  accountUsageDifference: (account: string, rseId: string, id: string): Key => ({
    PK: join('A', account),
    SK: join('USAGE', rseId, id),
  }),
  accountUsageOn: (rseId: string) => ({ from: join('USAGE', rseId), to: `${join('USAGE', rseId)}$` }),
  /** What an account used at a time, in milliseconds. */
  accountUsageAt: (account: string, rseId: string, at: number): Key => ({
    PK: join('A', account),
    SK: join('USAGEHIST', rseId, sortableTime(at)),
  }),
  accountUsageHistory: (rseId: string) => ({
    from: `${join('USAGEHIST', rseId)}#`,
    to: `${join('USAGEHIST', rseId)}$`,
  }),

  /** All RSEs lie together, so that one strongly consistent query reads the fleet. */
  rse: (id: string): Key => ({ PK: keys.rsePartition, SK: join('RSE', id) }),
  rsePartition: 'RSES',
  rses: { from: 'RSE#', to: 'RSE$' },
  rseName: (name: string): Key => ({ PK: join('RSENAME', encode(name)), SK: 'RSENAME' }),
  /** Raised by every change of an RSE, so that a cached fleet can be revalidated with one small read. */
  rseVersion: { PK: 'RSES', SK: 'VERSION' } as Key,
  /** Everything that hangs on an RSE: distances, usage. */
  rseHangers: (id: string): string => join('R', id),
  /** From an RSE to another. */
  rseDistance: (source: string, destination: string): Key => ({
    PK: keys.rseHangers(source),
    SK: join('DIST', destination),
  }),
  rseDistances: { from: 'DIST#', to: 'DIST$' },
  rseUsage: (rseId: string, source: string): Key => ({
    PK: keys.rseHangers(rseId),
    SK: join('USAGE', encode(source)),
  }),
  rseUsages: { from: 'USAGE#', to: 'USAGE$' },
  /** A change of the usage that is not in its sum yet; sorts behind it. */
  rseUsageDifference: (rseId: string, source: string, id: string): Key => ({
    PK: keys.rseHangers(rseId),
    SK: join('USAGE', encode(source), id),
  }),
  /** What a source says with the differences; sources whose names go on with a blank lie in between. */
  rseUsageOf: (source: string) => ({ from: join('USAGE', encode(source)), to: `${join('USAGE', encode(source))}$` }),
  /** What a source said about an RSE at a time, in milliseconds; of a source, the newest first. */
  rseUsageAt: (rseId: string, source: string, at: number): Key => ({
    PK: keys.rseHangers(rseId),
    SK: join('USAGEHIST', encode(source), newestFirst(at)),
  }),
  rseUsageHistory: (source: string) => ({
    from: `${join('USAGEHIST', encode(source))}#`,
    to: `${join('USAGEHIST', encode(source))}$`,
  }),
  rseContent: (rseId: string, { scope, name }: DidKey): Key => ({
    PK: keys.rseContentShard(rseId, shardOf(name)),
    SK: join(scope, name),
  }),
  rseContentShard: (rseId: string, shard: number): string => join('R', rseId, String(shard)),
  /** A file by the path of its replica on a non-deterministic RSE. */
  rsePath: (rseId: string, path: string, { scope, name }: DidKey): Key => ({
    PK: keys.rsePathPartition(rseId, path),
    SK: join(scope, name),
  }),
  /** The path itself may hold any character and be longer than a key; slashes before it mean nothing. */
  rsePathPartition: (rseId: string, path: string): string =>
    join('R', rseId, 'PATH', createHash('sha256').update(path.replace(/^\/+/, '')).digest('hex')),

  /** A file that the catalogue does not know; the path itself may hold any character and be longer than a key. */
  quarantined: (rseId: string, path: string): Key => ({
    PK: keys.rseHangers(rseId),
    SK: join('QUARANTINE', createHash('sha256').update(path).digest('hex')),
  }),

  /** The log of bad replicas in order of time, in milliseconds. */
  badReplica: ({ at, rseId, did: { scope, name }, id }: BadReplicaParts): Key => ({
    PK: keys.badShard(shardOf(name)),
    SK: join(sortableTime(at), rseId, scope, name, id),
  }),
  badShard: (shard: number): string => join('BAD', String(shard)),
  badReplicasWithin: ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
    ...(from === undefined ? {} : { from: sortableTime(from) }),
    ...(to === undefined ? {} : { to: `${sortableTime(to)}$` }),
  }),

  convention: (key: string): Key => ({ PK: 'CONVENTIONS', SK: join('KEY', encode(key)) }),
  conventions: { from: 'KEY#', to: 'KEY$' },
  conventionPartition: (key: string): string => join('CONVENTION', encode(key)),
  conventionValue: (key: string, value: string): Key => ({
    PK: keys.conventionPartition(key),
    SK: join('VALUE', encode(value)),
  }),
  conventionValues: { from: 'VALUE#', to: 'VALUE$' },

  /** All options lie together, so that one query reads the configuration. */
  configOption: (section: string, option: string): Key => ({
    PK: keys.config,
    SK: join(encode(section), encode(option)),
  }),
  config: 'CONFIG',
  configSection: (section: string) => ({ from: `${encode(section)}#`, to: `${encode(section)}$` }),

  batchShard: (shard: number): string => join('BATCH', String(shard)),
} as const;

/** A text that stands for a key in maps. */
export function textOfKey({ PK, SK }: Key): string {
  return `${PK}\n${SK}`;
}

/** Whether a key is that of a DID's item. */
export function isDidItem({ PK }: Key): boolean {
  return PK.startsWith(`S${separator}`);
}

/** Reads the DID back out of the key of its item. */
export function didOf({ PK, SK }: Key): DidKey {
  return { scope: part(PK, 1), name: SK };
}

/** Reads the parts back out of the key of an entry of the log of bad replicas. */
export function badReplicaOf({ SK }: Key): BadReplicaParts {
  const did = { scope: part(SK, 2), name: part(SK, 3) };
  return { at: Number(part(SK, 0)), rseId: part(SK, 1), did, id: part(SK, 4) };
}

/** Reads the file back out of an item of an RSE's content. */
export function contentOf({ SK }: Key): DidKey {
  return { scope: part(SK, 0), name: part(SK, 1) };
}

/** Reads the DID back out of an entry of the metadata index. */
export function indexedDidOf({ PK, SK }: Key): DidKey {
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

/** Reads time and child back out of the sort key of a past attachment. */
export function historyOf({ SK }: Key): { at: number; child: DidKey } {
  return { at: Number(part(SK, 1)), child: { scope: part(SK, 3), name: part(SK, 2) } };
}

/** Reads the time, and of a list of files its id, back out of the sort key of new DIDs. */
export function newDidOf({ SK }: Pick<Key, 'SK'>): { at: number; id: string } {
  return { at: Number(part(SK, 0)), id: part(SK, 1) };
}

/** Reads the DID back out of the sort key of an expiry. */
export function expiryOf({ SK }: Key): DidKey {
  return { scope: part(SK, 1), name: part(SK, 2) };
}

/** Reads the account back out of the key of what hangs on it. */
export function accountOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Reads the id of an RSE back out of the key of what hangs on it. */
export function rseOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Reads the key of a metadata convention, or a value of one, back out of a sort key. */
export function conventionTextOf({ SK }: Key): string {
  return decode(part(SK, 1));
}

/** Reads the identity back out of an account's identity item. */
export function identityOf({ SK }: Key): { type: string; identity: string } {
  return { type: part(SK, 1), identity: decode(part(SK, 2)) };
}

/** Reads the RSE back out of the sort key of what an account uses; `difference`: it is none of the sums. */
export function accountUsageOf({ SK }: Pick<Key, 'SK'>): { rseId: string; difference: boolean } {
  return { rseId: part(SK, 1), difference: part(SK, 2) !== '' };
}

/** Whether what a source says of an RSE is a difference. */
export function isUsageDifference({ SK }: Pick<Key, 'SK'>): boolean {
  return part(SK, 0) === 'USAGE' && part(SK, 2) !== '';
}

/** Reads the source back out of the sort key of a usage record, and the time of a past one. */
export function usageOf({ SK }: Key): { source: string; at?: number } {
  return part(SK, 0) === 'USAGE'
    ? { source: decode(part(SK, 1)) }
    : { source: decode(part(SK, 1)), at: endOfTime - Number(part(SK, 2)) };
}

/** Reads section and option back out of the sort key of an option. */
export function configOptionOf({ SK }: Key): { section: string; option: string } {
  return { section: decode(part(SK, 0)), option: decode(part(SK, 1)) };
}

/** Reads the last part of a sort key, such as a scope or an account. */
export function lastPart({ SK }: Key): string {
  return SK.slice(SK.lastIndexOf(separator) + 1);
}

/** A part of a key, by its position; empty where there is none. */
export function part(key: string, index: number): string {
  return key.split(separator)[index] ?? '';
}
