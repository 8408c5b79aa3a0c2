import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { mergeSorted, sliceOfShard } from '../batches/merge.ts';
import type { Range, Slice, Table } from '../batches/table.ts';
import { itemSize } from '../items/item-size.ts';
import { shrinksAttribute, stagedBatches, stagedPrefix, type Item, type Patch } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { didKeys, didOf } from '../keys/did-keys.ts';
import { shards } from '../keys/key-parts.ts';
import { settled } from './did-conditions.ts';
import {
  type DidMetadata,
  guidIndex,
  isMetadataAttribute,
  metadataAttributes,
  newIndex,
  readMetadata,
} from './did-metadata.ts';

/** What every DID carries; dates in milliseconds since 1970. */
export interface Did extends DidKey {
  readonly type: DidType;
  readonly account: string;
  readonly createdAt: number;
  /** When it was last flagged as new, if that was not when it was made. */
  readonly newAt?: number;
  readonly updatedAt: number;
  readonly expiredAt?: number;
  /** Collections only. */
  readonly open?: boolean;
  readonly monotonic?: boolean;
  readonly closedAt?: number;
  /** Size of a file; of a dataset the exact sum over its files; of a container see docs/data-model.md. */
  readonly bytes?: Integer;
  /** Number of files of a collection. */
  readonly length?: Integer;
  /** Of a file its events; of a dataset the exact sum over its files, which is shown once it was asked for. */
  readonly events?: Integer;
  /** The sum of events is shown: the collection was closed, or a file's events were set. */
  readonly eventsCounted?: boolean;
  readonly adler32?: string;
  readonly md5?: string;
  /** 32 lower-case hex digits. */
  readonly guid?: string;
  readonly availability?: string;
  readonly isArchive?: boolean;
  readonly constituent?: boolean;
  /** Metadata columns that were given a value, by their wire name (spec/dids.md 4.3), but for those named above. */
  readonly columns: DidMetadata['columns'];
  /** Free metadata. */
  readonly meta: DidMetadata['meta'];
  /** When a bulk request last changed the item, in milliseconds since 1970. */
  readonly foldedAt?: number;
  /** Counts the changes of the item. */
  readonly rev?: number;
  /** Counts the detachments from a collection, begun ones included; absent: there was none. */
  readonly shrinks?: number;
  /** A bulk request that is about to detach something from it. */
  readonly shrinking?: string;
  /** Bulk requests that have a change of this DID under way. */
  readonly unsettled: readonly string[];
  /** Attributes of the item that those are going to set or to remove, with the request. */
  readonly pending: ReadonlyMap<string, string>;
  /** Replicas of a file by the id of their RSE. */
  readonly replicas: ReadonlyMap<string, Replica>;
}

/** A replica, on the item of its file; dates in milliseconds since 1970 (spec/replication.md 1.9). */
export interface Replica {
  /** Rucio's letter. */
  readonly state: string;
  /** When the state TEMPORARY_UNAVAILABLE ends by itself; absent: never. */
  readonly until?: number;
  /** Where it lies; on non-deterministic RSEs only. */
  readonly path?: string;
  /** Who registered it; absent: the account of the file. */
  readonly account?: string;
  /** Absent: together with the file. */
  readonly createdAt?: number;
  /** Absent: not since it was registered. */
  readonly updatedAt?: number;
  /** From when on it may be deleted, unless there is a lock on it; absent: it is kept for ever. */
  readonly tombstone?: number;
  /** The entry of the log in which it was declared bad, while that holds. */
  readonly declared?: { readonly at: number; readonly id: string };
  /** The rule for which it is to be copied; absent: whoever has registered it brings it. */
  readonly askedBy?: string;
  /** The lock of each rule that keeps it, by the rule's id. */
  readonly locks?: Readonly<Record<string, ReplicaLock>>;
}

/** That a rule keeps a replica. */
export interface ReplicaLock {
  /** OK, replicating or stuck: Rucio's letter. */
  readonly state: 'O' | 'R' | 'S';
  /** Whom the replica is charged to. */
  readonly account: string;
}

/** A DID that is to be made. */
export type NewDid = Omit<Did, 'unsettled' | 'pending' | 'rev' | 'foldedAt' | 'shrinks' | 'shrinking'>;

/** Before the id of an RSE: the attribute that holds a replica. One attribute each, so that none needs the others. */
const replicaPrefix = 'replica:';

/** The name of the attribute that holds the replica on an RSE. */
export function replicaAttribute(rseId: string): string {
  return replicaPrefix + rseId;
}

/** What an item may hold, less its keys and what is small about it, in bytes. */
const largestItem = 400 * 1024 - 4_096;

const sizes = new WeakMap<Did, number>();

/** Bytes that a DID takes in the table, its keys apart. */
export function sizeOfDid(did: Did): number {
  const known = sizes.get(did);
  if (known !== undefined) return known;
  const {
    replicas,
    pending: _pending,
    unsettled: _unsettled,
    shrinking: _shrinking,
    columns,
    meta,
    ...attributes
  } = did;
  const metadata = metadataAttributes({ columns, meta });
  const size = itemSize({ ...attributes, ...metadata, replicas: Object.fromEntries(replicas) });
  sizes.set(did, size);
  return size;
}

/** The same without its metadata, for whoever keeps many in memory; its size stays known. */
export function withoutMetadata(did: Did): Did {
  const bare = { ...did, columns: {}, meta: {} };
  sizes.set(bare, sizeOfDid(did));
  return bare;
}

/** Whether replicas can be written to a file, however they are written: a staged change lies beside what it changes. */
export function hasRoom(file: Did, replicas: Iterable<Replica>): boolean {
  let size = sizeOfDid(file);
  for (const replica of replicas) size += itemSize({ replica });
  return size <= largestItem;
}

/** One DID. */
export async function getDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(didKeys.did(did));
  return item === undefined ? undefined : toDid(item);
}

/** Many DIDs, in any order; those that do not exist are left out. */
export async function getDids(table: Table, dids: readonly DidKey[]): Promise<Did[]> {
  return (await table.getMany(dids.map(didKeys.did))).flatMap((item) => toDid(item) ?? []);
}

/** The DIDs of a scope whose names begin with a prefix, in name order; `slice` by name. */
export function listByPrefix(table: Table, scope: string, prefix: string, slice: Slice = {}): AsyncGenerator<Did> {
  const range = { ...didKeys.prefix(prefix), ...sliceOfShard(slice) };
  return mergeSorted(
    shards.map((shard) => list(table, { pk: didKeys.shard(scope, shard), ...range })),
    ({ name }) => name,
  );
}

/** The collections of a scope whose names begin with a prefix, in name order; `slice` by name. Eventually consistent. */
export function listCollections(table: Table, scope: string, prefix: string, slice: Slice = {}): AsyncGenerator<Did> {
  const { GSI1PK: pk } = didKeys.collection({ scope, name: '' });
  return list(table, { index: 'GSI1', pk, ...didKeys.prefix(prefix), ...slice });
}

async function* list(table: Table, range: Range): AsyncGenerator<Did> {
  for await (const item of table.query(range)) {
    const did = toDid(item);
    if (did !== undefined) yield did;
  }
}

/** The DIDs of one shard of a scope in name order; `slice` by name. */
export function listShard(table: Table, scope: string, shard: number, slice: Slice = {}): AsyncGenerator<Did> {
  return list(table, { pk: didKeys.shard(scope, shard), ...slice });
}

/** The files of a GUID; there is one, unless somebody gave it twice. Eventually consistent. */
export function listByGuid(table: Table, guid: string, { after, pageSize }: Slice<DidKey> = {}): AsyncGenerator<Did> {
  const { GSI1SK } = after === undefined ? {} : didKeys.guid(guid, after);
  return list(table, { index: 'GSI1', pk: didKeys.guidPartition(guid), after: GSI1SK, pageSize });
}

/** The write that makes a DID. Where one of that name is being deleted, the writer waits for it to be gone. */
export function insertDid(did: NewDid, onExists: () => Error): Insert {
  const { scope, name, replicas, columns, meta, ...attributes } = did;
  const index =
    did.type === 'FILE'
      ? guidIndex(did, did.guid)
      : { ...didKeys.collection(did), ...newIndex(did, columns, did.createdAt) };
  const placed = [...replicas].map(([rseId, replica]) => [replicaAttribute(rseId), replica]);
  return {
    kind: 'insert',
    item: {
      ...didKeys.did({ scope, name }),
      ...index,
      ...attributes,
      // A statement adds only to what is there.
      rev: 0,
      ...(did.type === 'FILE' ? {} : { [shrinksAttribute]: 0 }),
      ...metadataAttributes({ columns, meta }),
      ...Object.fromEntries(placed),
    },
    onExists: (existing) => (isDying(existing) ? new LostRace(`${scope}:${name} is being deleted`) : onExists()),
  };
}

/** The write that changes a DID. */
export function changeDid(
  did: DidKey,
  patch: Patch,
  options: { readonly when?: Change['when']; readonly onMismatch: (existing: Did | undefined) => Error },
): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { ...options.when, [dyingAttribute]: undefined },
    onMismatch: (item) => options.onMismatch(item === undefined ? undefined : toDid(item)),
  };
}

/** The look at a DID without which a plan takes no effect, at the instant at which it does. */
export function checkDid(did: DidKey, when: NonNullable<Change['when']>, onMismatch: () => Error): Change {
  return { ...changeDid(did, {}, { when, onMismatch }), isCheck: true, isExact: true };
}

/** On a DID that has been deleted while its content is still being cleared away: nobody sees it any more. */
export const dyingAttribute = 'dying';

/** Whether a DID's item is one that nobody sees any more. */
export const isDying = (item: Item) => item[dyingAttribute] === true;

/** The write that takes a DID out of everybody's sight; its name stays taken until {@link eraseDid}. */
export function hideDid(did: Did, when: Change['when'], onMismatch: () => Error): Change {
  return changeDid(
    did,
    { set: { [dyingAttribute]: true }, remove: ['GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'] },
    { ...(when === undefined ? {} : { when }), onMismatch },
  );
}

/** A DID that {@link hideDid} has taken out of sight. */
export async function getHiddenDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(didKeys.did(did));
  return item !== undefined && isDying(item) ? fromItem(item) : undefined;
}

/** The write that changes the replicas of a file as it was read, those by the ids of their RSEs; undefined: it goes. */
export function changeReplicas(file: Did, replicas: ReadonlyMap<string, Replica | undefined>): Change {
  const entries = Array.from(replicas, ([rseId, replica]) => [replicaAttribute(rseId), replica] as const);
  const patch = {
    set: Object.fromEntries(entries.filter(([, replica]) => replica !== undefined)),
    remove: entries.filter(([, replica]) => replica === undefined).map(([attribute]) => attribute),
  };
  return changeDid(file, patch, {
    when: settled(file),
    onMismatch: () => new LostRace(`${file.scope}:${file.name} was changed meanwhile`),
  });
}

/** The write that deletes a DID as it was read; what hangs on it needs writes of its own. */
export function deleteDid(did: Did): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { delete: true },
    when: { [dyingAttribute]: undefined, ...settled(did) },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} was changed meanwhile`),
  };
}

/** The write that removes what is left of a hidden DID. */
export function eraseDid(did: Did, onMismatch: () => Error): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { delete: true },
    when: { [dyingAttribute]: true, ...settled(did) },
    onMismatch,
  };
}

/** Reads a DID; undefined when nobody sees it any more. */
export function toDid(item: Item): Did | undefined {
  return isDying(item) ? undefined : fromItem(item);
}

function fromItem(item: Item): Did {
  const replicas = new Map<string, Replica>();
  const did: Record<string, unknown> = {
    ...didOf(item),
    ...readMetadata(item),
    replicas,
    unsettled: stagedBatches(item),
    pending: pendingAttributes(item),
    ...shrinkingOf(item),
  };
  for (const [attribute, value] of Object.entries(item)) {
    if (attribute.startsWith(replicaPrefix)) replicas.set(attribute.slice(replicaPrefix.length), value as Replica);
    else if (isOfDid(attribute)) did[attribute] = value;
  }
  return did as unknown as Did;
}

const notOfDid = new Set('PK SK GSI1PK GSI1SK GSI2PK GSI2SK batch gone indexed indexRev'.split(' '));

function isOfDid(attribute: string): boolean {
  return !notOfDid.has(attribute) && !isMetadataAttribute(attribute) && !attribute.startsWith(stagedPrefix);
}

function shrinkingOf(item: Item): Pick<Did, 'shrinking'> {
  for (const batch of stagedBatches(item)) {
    const patch = item[stagedPrefix + batch] as Patch | undefined;
    if (patch?.add?.[shrinksAttribute] !== undefined) return { shrinking: batch };
  }
  return {};
}

function pendingAttributes(item: Item): Map<string, string> {
  const pending = new Map<string, string>();
  for (const batch of stagedBatches(item)) {
    const patch = item[stagedPrefix + batch] as Patch | undefined;
    for (const attribute of [...Object.keys(patch?.set ?? {}), ...(patch?.remove ?? [])]) pending.set(attribute, batch);
  }
  return pending;
}
