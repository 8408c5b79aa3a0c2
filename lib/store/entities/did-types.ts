import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { LockState, ReplicaState } from '../../contract/schemas/states.ts';
import type { Integer } from '../../integer.ts';
import type { DidMetadata } from './did-metadata.ts';

/** Attributes of every DID; dates in milliseconds since 1970. */
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
  /** The number of events: of a file, as registered; of a dataset, the exact sum over its files, shown once somebody has asked for it. */
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
  /** When a trace last said that it was used, to the hour; absent: none has. */
  readonly accessedAt?: number;
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
  /** No other file may have the path on the RSE. Absent: it was imported. */
  readonly ownsPath?: true;
  /** The account that registered it; absent: the account of the file. */
  readonly account?: string;
  /** Absent: the creation time of the file. */
  readonly createdAt?: number;
  /** Absent: not since it was registered. */
  readonly updatedAt?: number;
  /** When a trace last said that it was used, to the hour; absent: none has. */
  readonly accessedAt?: number;
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
  /** When it was entered in the list of deletable replicas; absent: it is not in the list. */
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
