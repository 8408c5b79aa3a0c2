import type { DidKey } from '../../contract/schemas/did.ts';
import { LockState, ReplicaState } from '../../contract/schemas/states.ts';
import { defined } from '../../defined.ts';
import { RucioError } from '../../errors.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import { requireNotShrinking, requireSettled } from '../../store/entities/did-conditions.ts';
import { replicaAttribute } from '../../store/entities/did-item.ts';
import {
  asCollection,
  changeDid,
  checkDid,
  type Did,
  insertDid,
  type NewDid,
  type NewFileDid,
  type Replica,
} from '../../store/entities/did.ts';
import { type Edge, insertEdge } from '../../store/entities/edge.ts';
import { insertExpiry } from '../../store/entities/expiry.ts';
import { hasRoomFor, makeFullFileError } from '../../store/entities/file-room.ts';
import { insertNewFiles } from '../../store/entities/new-did.ts';
import { insertRseContent } from '../../store/entities/rse-content.ts';
import { type Change, LostRace, type Plan, type Write } from '../../store/items/plan.ts';
import { noteListing, planListing } from '../locks/deletable-list.ts';
import { renewReplica } from '../locks/fresh-replica.ts';
import { PathWrites } from '../locks/path-writes.ts';
import { UsageChanges } from '../locks/usage-changes.ts';
import { DidMap } from '../values/did-map.ts';
import { formatDid } from '../values/format-did.ts';
import { changeAvailability } from '../values/lost-file.ts';
import { countReplicaLocks } from '../values/replica-state.ts';
import { didNotFoundError } from './find-did.ts';
import { Nestings } from './nestings.ts';

/** A DID that exists, or that the draft creates. */
type Drafted = NewDid | Did;

/** What a draft adds to a collection. */
interface Growth {
  length: Integer;
  bytes: Integer;
  events: Integer;
  isArchive: boolean;
  /** True if a child was attached, even an empty collection. */
  filled: boolean;
}

/**
 * A change of the catalogue that is still being planned: DIDs, attachments and replicas that will be written together.
 * Its answers include them, so that a later part of a request sees the earlier parts.
 */
export class DidDraft {
  readonly #now: number;
  readonly #existing = new DidMap<Did>();
  readonly #made = new DidMap<NewDid>();
  readonly #edges: Edge[] = [];
  /** The children that the draft attaches, by parent. */
  readonly #attached = new DidMap<DidMap<true>>();
  readonly #growth = new DidMap<Growth>();
  /** New replicas by file, then by the id of their RSE. */
  readonly #replicas = new DidMap<Map<string, Replica>>();
  /** Existing files of which a replica is uploaded anew. */
  readonly #renewed = new DidMap<true>();
  readonly #constituents = new DidMap<true>();
  /** Collections whose present content the draft relies on. */
  readonly #reliedOn = new DidMap<true>();
  /** The attachments of containers to containers. */
  readonly nestings = new Nestings();
  readonly #usage = new UsageChanges();
  readonly #paths = new PathWrites();
  readonly #writes: Write[] = [];

  readonly #ignoresDuplicates: boolean;

  /**
   * @param options `ignoreDuplicate`: a concurrent attachment of the same child, or creation of the same collection, leads to a
   *   retry instead of an error.
   */
  constructor(now: number, existing: Iterable<Did>, { ignoreDuplicate = false } = {}) {
    this.#now = now;
    this.#ignoresDuplicates = ignoreDuplicate;
    for (const did of existing) this.#existing.set(did, did);
  }

  /** The DID of a name, if it exists or the draft creates it. */
  find(did: DidKey): Drafted | undefined {
    return this.#made.get(did) ?? this.#existing.get(did);
  }

  /**
   * Creates a DID.
   *
   * @throws DataIdentifierAlreadyExists (409).
   */
  make(did: NewDid): void {
    if (this.find(did) !== undefined) throw alreadyExistsError();
    this.#made.set(did, did);
  }

  /**
   * Adds a replica of a file on an RSE. One that exists stays, but is new if it had a tombstone.
   *
   * @throws InvalidPath (400) if another file of the draft has its path.
   */
  addReplica(file: NewFileDid, rseId: string, replica: Replica): void {
    const former = file.replicas.get(rseId);
    if (former !== undefined && (former.tombstone === undefined || countReplicaLocks(former) > 0)) return;
    const placed = this.#replicas.ensure(file, () => new Map<string, Replica>());
    if (placed.has(rseId)) return;
    if (former !== undefined) {
      placed.set(rseId, noteListing(former, this.#renew(former, replica), this.#now));
      this.#renewed.set(file, true);
      return;
    }
    placed.set(rseId, noteListing(undefined, replica, this.#now));
    const onConflict = () => new LostRace(`${formatDid(file)} got a replica on ${rseId} concurrently`);
    this.#writes.push(insertRseContent(rseId, file, file.bytes, this.#now, onConflict));
    this.#writes.push(...this.#paths.plan(rseId, file, undefined, replica));
    this.#usage.replica(rseId, file.bytes ?? 0, 1);
  }

  /** A replica whose file is uploaded anew. One whose deletion was begun and given up has the state that is registered. */
  #renew(former: Replica, { state, tombstone }: Replica): Replica {
    const renewed = { ...renewReplica(former, tombstone), updatedAt: this.#now };
    if (former.state !== ReplicaState.BEING_DELETED) return renewed;
    return { ...renewed, state: former.declared === undefined ? state : ReplicaState.BAD };
  }

  /**
   * Locks the replica of a file that the draft creates, for a rule of an account; the draft must have added the replica.
   */
  lockReplica(
    file: NewFileDid,
    rseId: string,
    { id, account }: { readonly id: string; readonly account: string },
  ): void {
    const placed = this.#replicasOf(file);
    const replica = placed.get(rseId);
    if (replica === undefined) throw new Error(`the draft has no replica of ${formatDid(file)} on ${rseId}`);
    const { tombstone: _tombstone, ...kept } = replica;
    const locks = { ...replica.locks, [id]: { state: LockState.OK, account } };
    placed.set(rseId, noteListing(undefined, { ...kept, locks }, this.#now));
    this.#usage.lock(account, rseId, file.bytes ?? 0, 1);
  }

  /** Marks a file as part of an archive. */
  markConstituent(file: NewFileDid): void {
    const made = this.#made.get(file);
    if (made !== undefined) this.#made.set(file, { ...made, constituent: true });
    else if (file.constituent !== true) this.#constituents.set(file, true);
  }

  /** Whether the draft attaches the child to the parent. */
  attaches(parent: DidKey, child: DidKey): boolean {
    return this.#attached.get(parent)?.has(child) === true;
  }

  /** Whether the draft creates a DID. */
  makes(did: DidKey): boolean {
    return this.#made.has(did);
  }

  /** Relies on the content of a DID: a concurrent detachment makes the plan fail and be retried. */
  relyOn(parent: DidKey): void {
    this.#reliedOn.set(parent, true);
  }

  /** The DIDs on whose content the draft relies. */
  reliedOn(): Did[] {
    return this.#reliedOn.entries().flatMap(([did]) => this.#existing.get(did) ?? []);
  }

  /** The DIDs to which the draft attaches a child. */
  parentsOf(child: DidKey): DidKey[] {
    const { scope, name } = child;
    return this.#edges
      .filter((edge) => edge.child.scope === scope && edge.child.name === name)
      .map(({ parent }) => parent);
  }

  /** Attaches a child to a parent, to which the draft does not attach it yet, and adds its sizes to those of the parent. */
  attach(parent: Drafted, child: Drafted): void {
    const { type, bytes, events } = child;
    const inArchive = parent.type === 'FILE' ? (true as const) : undefined;
    const own =
      child.type === 'FILE'
        ? { adler32: child.adler32, md5: child.md5, guid: child.guid }
        : { length: child.length ?? 0 };
    this.#attached.ensure(parent, () => new DidMap()).set(child, true);
    this.#edges.push({
      parent: { scope: parent.scope, name: parent.name },
      child: { scope: child.scope, name: child.name },
      type,
      // The child may have been created since the request began. An older attachment is that of a deleted DID.
      createdAt: Math.max(this.#now, child.createdAt),
      ...defined({ bytes, events, inArchive, ...own }),
    });
    if (type === 'CONTAINER') this.nestings.nest(parent, child, this.#now, this.makes(parent));
    const growth = this.#growthOf(parent);
    growth.filled = true;
    growth.length = addIntegers(growth.length, child.type === 'FILE' ? 1 : (child.length ?? 0));
    growth.bytes = addIntegers(growth.bytes, bytes ?? 0);
    growth.events = addIntegers(growth.events, events ?? 0);
  }

  /** Marks a DID as an archive, or as a dataset that contains one. */
  markArchive(did: DidKey): void {
    this.#growthOf(did).isArchive = true;
  }

  /** Adds a write that nothing else in the draft depends on. */
  add(write: Write): void {
    this.#writes.push(write);
  }

  /** The writes of the draft. */
  plan(): Plan {
    const made = this.#made.values();
    const files = made.filter(({ type, columns }) => type === 'FILE' && columns['is_new'] !== false);
    const writes = [
      ...made.map((did) => insertDid(this.#grown(did), () => nameTakenError(did, this.#ignoresDuplicates))),
      ...made.flatMap((did) => (did.expiredAt === undefined ? [] : insertExpiry(did, did.expiredAt))),
      ...insertNewFiles(files, this.#now),
      ...this.#edges.map((edge) => insertEdge(edge, () => this.#alreadyAttachedError(edge))),
      ...this.#existing.values().flatMap((did) => this.#changeOf(did) ?? []),
      ...this.#writes,
      ...this.#listings(),
      ...this.nestings.writes(),
      ...this.#usage.writes(),
    ];
    return writes.length === 0 ? [] : [...writes, ...this.#checks()];
  }

  /** The entries in the list of what may be deleted: new replicas with a tombstone, and those that are there no more. */
  #listings(): Write[] {
    return this.#replicas.entries().flatMap(([did, placed]) => {
      const file = this.find(did);
      if (file?.type !== 'FILE') return [];
      return [...placed].flatMap(([rseId, one]) => planListing(rseId, file, file.replicas.get(rseId), one));
    });
  }

  #growthOf(did: DidKey): Growth {
    return this.#growth.ensure(did, () => ({ length: 0, bytes: 0, events: 0, isArchive: false, filled: false }));
  }

  #replicasOf(did: DidKey): Map<string, Replica> {
    return this.#replicas.get(did) ?? new Map<string, Replica>();
  }

  /** A new DID with its replicas and sizes. */
  #grown(did: NewDid): NewDid {
    const growth = this.#growth.get(did);
    const archive = growth?.isArchive === true ? { isArchive: true } : {};
    if (did.type === 'FILE') return { ...did, ...archive, replicas: this.#replicasOf(did) };
    return { ...did, ...(growth === undefined ? {} : toSizes(growth)), ...archive };
  }

  /** The change of an existing DID, if the draft changes it. */
  #changeOf(did: Did): Change | undefined {
    const growth = this.#growth.get(did);
    const placed = this.#replicasOf(did);
    const replicas = [...placed].map(([rseId, replica]) => [replicaAttribute(rseId), replica]);
    const constituent = this.#constituents.has(did);
    if (growth === undefined && replicas.length === 0 && !constituent) return undefined;
    if (did.type === 'FILE' && replicas.length > 0 && !hasRoomFor(did, this.#replicasOf(did).values()))
      throw makeFullFileError(did);
    const filled = did.type !== 'FILE' && growth?.filled === true;
    const set = {
      ...Object.fromEntries(replicas),
      ...(did.type === 'FILE' ? changeAvailability(did, [...did.replicas.values(), ...placed.values()]) : {}),
      ...(constituent ? { constituent: true } : {}),
      ...(growth?.isArchive === true ? { isArchive: true } : {}),
      // A new replica does not change the file itself.
      ...(growth === undefined && !constituent ? {} : { updatedAt: this.#now }),
    };
    const isReliedOn = this.#reliedOn.has(did);
    const change = changeDid(
      did,
      { set, ...(filled ? { add: toSizes(growth) } : {}) },
      {
        when: {
          type: did.type,
          ...(filled ? { open: true } : {}),
          ...(isReliedOn ? requireNotShrinking(did) : {}),
          // A lock or a mark that came meanwhile must not be overwritten.
          ...(this.#renewed.has(did) ? requireSettled(did) : {}),
        },
        onMismatch: (found) => {
          if (did.type === 'FILE') return new LostRace(`${formatDid(did)} was deleted or changed concurrently`);
          if (found === undefined) return didNotFoundError(did);
          return asCollection(found)?.open === true ? concurrentDetachError(did) : collectionClosedError(did);
        },
      },
    );
    return isReliedOn ? { ...change, isExact: true } : change;
  }

  /** The conditions on collections on which the draft relies and that it does not change. */
  #checks(): Change[] {
    const unchanged = this.reliedOn().filter((did) => this.#changeOf(did) === undefined);
    return unchanged.map((did) => checkDid(did, requireNotShrinking(did), () => concurrentDetachError(did)));
  }

  #alreadyAttachedError({ parent, child, type }: Edge): Error {
    const text = `${formatDid(child)} already attached to ${formatDid(parent)}`;
    if (this.#ignoresDuplicates) return new LostRace(text);
    return type === 'FILE'
      ? new RucioError('FileAlreadyExists', `File ${text}`)
      : new RucioError('DuplicateContent', text);
  }
}

/** Sizes to write. `events` is left out if there are none, so that the collection shows none. */
function toSizes({ length, bytes, events }: Growth): { length: Integer; bytes: Integer; events?: Integer } {
  return { length, bytes, ...(events === 0 ? {} : { events }) };
}

/**
 * The error if another request created the DID first: of concurrent registrations of a file the later one is retried, and
 * that of a collection with `ignoreDuplicate`.
 */
function nameTakenError(did: NewDid, ignoresDuplicates: boolean): Error {
  return did.type === 'FILE' || ignoresDuplicates
    ? new LostRace(`${formatDid(did)} was registered concurrently`)
    : alreadyExistsError();
}

function alreadyExistsError(): RucioError {
  return new RucioError('DataIdentifierAlreadyExists', 'Data Identifier already exists!');
}

/** A concurrent detachment from a collection on which the draft relies. */
export function concurrentDetachError(did: DidKey): LostRace {
  return new LostRace(`a child was detached from ${formatDid(did)} concurrently`);
}

/** UnsupportedOperation (409) for an attachment to a closed collection. */
export function collectionClosedError(did: DidKey): RucioError {
  return new RucioError('UnsupportedOperation', `Data identifier '${formatDid(did)}' is closed`);
}
