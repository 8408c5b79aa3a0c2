import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { LockState, ReplicaState } from '../../contract/schemas/states.ts';
import type { Integer } from '../../integer.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Range, Slice, Table } from '../batches/table.ts';
import type { Item, Patch } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import { shards } from '../values/shards.ts';
import { requireSettled } from './did-conditions.ts';
import { hiddenAttribute, isHidden, makeDidItem, readDidItem, replicaAttribute, toDid } from './did-item.ts';
import type { DidMetadata } from './did-metadata.ts';

/** What every DID has; dates in milliseconds since 1970. */
interface DidBase extends DidKey {
  readonly account: string;
  readonly createdAt: number;
  /** When it was last flagged as new, if later than its creation. */
  readonly newAt?: number;
  readonly updatedAt: number;
  readonly expiredAt?: number;
  readonly closedAt?: number;
  /** Size of a file; of a dataset the exact sum over its files; of a container see docs/data-model.md. */
  readonly bytes?: Integer;
  /** Of a file its events; of a dataset the exact sum over its files, which is shown once it was asked for. */
  readonly events?: Integer;
  readonly isArchive?: boolean;
  readonly constituent?: boolean;
  /** Metadata columns that were given a value, by their wire name (spec/dids.md 4.3), but for those named above. */
  readonly columns: DidMetadata['columns'];
  /** Free metadata. */
  readonly meta: DidMetadata['meta'];
  /** When a staged change was last folded into the item, in milliseconds since 1970. */
  readonly foldedAt?: number;
  /** Counts the changes of the item. */
  readonly rev?: number;
  /** The batches with a staged change of this DID. */
  readonly unsettled: readonly string[];
  /** The attributes that staged changes set or remove, with the batch. */
  readonly pending: ReadonlyMap<string, string>;
}

/** A file. */
export interface FileDid extends DidBase {
  readonly type: 'FILE';
  readonly adler32?: string;
  readonly md5?: string;
  /** 32 lower-case hex digits. */
  readonly guid?: string;
  readonly availability?: string;
  /** Its replicas by the id of their RSE. */
  readonly replicas: ReadonlyMap<string, Replica>;
}

/** A dataset or container. */
export interface CollectionDid extends DidBase {
  readonly type: Exclude<DidType, 'FILE'>;
  readonly open?: boolean;
  readonly monotonic?: boolean;
  /** Number of its files. */
  readonly length?: Integer;
  /** Whether the sum of events is shown: the collection was closed, or the events of a file were set. */
  readonly eventsCounted?: boolean;
  /** Counts the detachments from it, staged ones included; absent: there was none. */
  readonly shrinks?: number;
  /** A batch with a staged detachment from it. */
  readonly shrinking?: string;
}

/** A DID. */
export type Did = FileDid | CollectionDid;

/** Whether a DID is a file. */
export function isFile(did: Did): did is FileDid {
  return did.type === 'FILE';
}

/** Whether a DID is a dataset or container. */
export function isCollection(did: Did): did is CollectionDid {
  return did.type !== 'FILE';
}

/** The DID if it is a file. */
export function asFile(did: Did | undefined): FileDid | undefined {
  return did?.type === 'FILE' ? did : undefined;
}

/** The DID if it is a dataset or container. */
export function asCollection(did: Did | undefined): CollectionDid | undefined {
  return did === undefined || did.type === 'FILE' ? undefined : did;
}

/** A replica, on the item of its file; dates in milliseconds since 1970 (spec/replication.md 1.9). */
export interface Replica {
  readonly state: ReplicaState;
  /** When the state TEMPORARY_UNAVAILABLE ends by itself; absent: never. */
  readonly until?: number;
  /** Its path; on non-deterministic RSEs only. */
  readonly path?: string;
  /** No other file may have the path on the RSE. Absent: it was imported, or registered by an older version of Dapple. */
  readonly ownsPath?: true;
  /** The account that registered it; absent: the account of the file. */
  readonly account?: string;
  /** Absent: the creation time of the file. */
  readonly createdAt?: number;
  /** Absent: not since it was registered. */
  readonly updatedAt?: number;
  /** The time from which on it may be deleted, unless it is locked; absent: never. */
  readonly tombstone?: number;
  /** Why its deletion has failed; of a replica in state BEING_DELETED only. */
  readonly deletionError?: string;
  /** The mark of the reaper that deletes it; of a replica in state BEING_DELETED only. */
  readonly mark?: DeletionMark;
  /**
   * The accounts whose rules on it have ended, the last ones at the end (docs/adr/0020-deletion.md); absent: it may be deleted
   * whoever had rules on it.
   */
  readonly freedBy?: readonly string[];
  /** When it was entered in the list of what may be deleted; absent: it is not in the list. */
  readonly listedAt?: number;
  /** The log entry of its current declaration as bad. */
  readonly declared?: { readonly at: number; readonly id: string };
  /** The rule that requested the copy; absent: the client that registered it uploads it. */
  readonly askedBy?: string;
  /** How the copy to it failed; absent: it did not, or has succeeded since. */
  readonly failed?: FailedCopy;
  /** Its locks, by the id of the rule. */
  readonly locks?: Readonly<Record<string, ReplicaLock>>;
}

/** The mark of a reaper on a replica, looked at before each step that nobody can take back. */
export interface DeletionMark {
  /** Another one for each time that replicas are marked. */
  readonly id: string;
  /** The state that the replica had before it was first marked. */
  readonly from: ReplicaState;
  /** How often its deletion was refused although the storage could be used; absent: never. */
  readonly refusals?: number;
}

/** The failed attempts to make a replica. */
export interface FailedCopy {
  readonly attempts: number;
  /** When the last one failed, in milliseconds since 1970. */
  readonly at: number;
  readonly error?: string;
  /** The RSE from which it was copied; absent: the mover did not tell. */
  readonly sourceId?: string;
  /** Nobody can make the copy at present, as it has no source for instance. It is still asked for. */
  readonly waits?: true;
}

/** The lock of a rule on a replica. */
export interface ReplicaLock {
  readonly state: LockState;
  /** The account that is charged. */
  readonly account: string;
}

/** A file to insert. */
export type NewFileDid = Omit<FileDid, 'unsettled' | 'pending' | 'rev' | 'foldedAt'>;

/** A dataset or container to insert. */
export type NewCollectionDid = Omit<
  CollectionDid,
  'unsettled' | 'pending' | 'rev' | 'foldedAt' | 'shrinks' | 'shrinking'
>;

/** A DID to insert. */
export type NewDid = NewFileDid | NewCollectionDid;

/** One DID. */
export async function getDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(didKeys.did(did));
  return item === undefined ? undefined : toDid(item);
}

/** Many DIDs, in any order; those that do not exist are left out. */
export async function getDids(table: Table, dids: readonly DidKey[]): Promise<Did[]> {
  return (await table.getMany(dids.map(didKeys.did))).flatMap((item) => toDid(item) ?? []);
}

/** Many files, in any order; collections and DIDs that do not exist are left out. */
export async function getFiles(table: Table, dids: readonly DidKey[]): Promise<FileDid[]> {
  return (await getDids(table, dids)).filter(isFile);
}

/** Many datasets and containers, in any order; files and DIDs that do not exist are left out. */
export async function getCollections(table: Table, dids: readonly DidKey[]): Promise<CollectionDid[]> {
  return (await getDids(table, dids)).filter(isCollection);
}

/** The DIDs of a scope whose names begin with a prefix, in name order; `slice` by name. */
export function listByPrefix(table: Table, scope: string, prefix: string, slice: Slice = {}): AsyncGenerator<Did> {
  const range = { ...didKeys.prefix(prefix), ...sliceOfShard(slice) };
  return mergeSorted(
    shards.map((shard) => listDids(table, { pk: didKeys.shard(scope, shard), ...range })),
    ({ name }) => name,
  );
}

/** The collections of a scope whose names begin with a prefix, in name order; `slice` by name. Eventually consistent. */
export function listCollections(
  table: Table,
  scope: string,
  prefix: string,
  slice: Slice = {},
): AsyncGenerator<CollectionDid> {
  const { GSI1PK: pk } = didKeys.collection({ scope, name: '' });
  return table.query({ index: 'GSI1', pk, ...didKeys.prefix(prefix), ...slice }, toCollection);
}

function toCollection(item: Item): CollectionDid | undefined {
  const did = toDid(item);
  return did !== undefined && isCollection(did) ? did : undefined;
}

function listDids(table: Table, range: Range): AsyncGenerator<Did> {
  return table.query(range, toDid);
}

/** The DIDs of one shard of a scope in name order; `slice` by name. */
export function listShard(table: Table, scope: string, shard: number, slice: Slice = {}): AsyncGenerator<Did> {
  return listDids(table, { pk: didKeys.shard(scope, shard), ...slice });
}

/** The files of a GUID; usually one, since clients choose GUIDs. Eventually consistent. */
export async function* listByGuid(
  table: Table,
  guid: string,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<FileDid> {
  const { GSI1SK } = after === undefined ? {} : didKeys.guid(guid, after);
  for await (const did of listDids(table, {
    index: 'GSI1',
    pk: didKeys.guidPartition(guid),
    after: GSI1SK,
    pageSize,
  })) {
    if (isFile(did)) yield did;
  }
}

/** The write that inserts a DID. If one of that name is still being deleted, the operation is retried. */
export function insertDid(did: NewDid, onExists: () => Error): Insert {
  return {
    kind: 'insert',
    item: makeDidItem(did),
    onExists: (existing) =>
      isHidden(existing) ? new LostRace(`${did.scope}:${did.name} is being deleted`) : onExists(),
  };
}

/** The write that changes a DID; one that is being deleted only with `evenHidden`. */
export function changeDid(
  did: DidKey,
  patch: Patch,
  options: {
    readonly when?: Change['when'];
    readonly evenHidden?: boolean;
    readonly onMismatch: (existing: Did | undefined) => Error;
  },
): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { ...options.when, ...(options.evenHidden === true ? {} : { [hiddenAttribute]: undefined }) },
    onMismatch: (item) => options.onMismatch(item === undefined ? undefined : toDid(item)),
  };
}

/**
 * The write that goes with an item about a DID, such as a rule. It fails if the DID was deleted since it was read; and a
 * deletion that has read the DID before fails, so it is planned again and includes the item.
 */
export function touchDid(did: DidKey): Change {
  return changeDid(did, {}, { onMismatch: () => new LostRace(`${did.scope}:${did.name} was deleted`) });
}

/** The check of a DID at the time at which the plan takes effect. */
export function checkDid(did: DidKey, when: NonNullable<Change['when']>, onMismatch: () => Error): Change {
  return { ...changeDid(did, {}, { when, onMismatch }), isCheck: true, isExact: true };
}

/** The write that hides a DID from all readers; its name stays taken until {@link eraseDid}. */
export function hideDid(did: Did, when: Change['when'], onMismatch: () => Error): Change {
  return changeDid(
    did,
    { set: { [hiddenAttribute]: true }, remove: ['GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'] },
    { ...(when === undefined ? {} : { when }), onMismatch },
  );
}

/** A DID that {@link hideDid} has hidden. */
export async function getHiddenDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(didKeys.did(did));
  return item !== undefined && isHidden(item) ? readDidItem(item) : undefined;
}

/**
 * The write that changes replicas of a file that was read, by the id of the RSE; undefined deletes the replica.
 *
 * @param set What else changes in the file.
 */
export function changeReplicas(
  file: FileDid,
  replicas: ReadonlyMap<string, Replica | undefined>,
  set: Pick<FileDid, 'availability'> = {},
): Change {
  const entries = Array.from(replicas, ([rseId, replica]) => [replicaAttribute(rseId), replica] as const);
  const patch = {
    set: { ...Object.fromEntries(entries.filter(([, replica]) => replica !== undefined)), ...set },
    remove: entries.filter(([, replica]) => replica === undefined).map(([attribute]) => attribute),
  };
  return changeDid(file, patch, {
    when: requireSettled(file),
    onMismatch: () => new LostRace(`${file.scope}:${file.name} was changed concurrently`),
  });
}

/** The write that deletes a DID that was read; its dependents need writes of their own. */
export function deleteDid(did: Did): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { delete: true },
    when: { [hiddenAttribute]: undefined, ...requireSettled(did) },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} was changed concurrently`),
  };
}

/** The write that deletes a hidden DID. */
export function eraseDid(did: Did, onMismatch: () => Error): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { delete: true },
    when: { [hiddenAttribute]: true, ...requireSettled(did) },
    onMismatch,
  };
}
