import type { DidKey } from '../../contract/schemas/did.ts';
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
import { insertExpiry } from '../../store/entities/expiry.ts';
import { hasRoomFor, makeFullFileError } from '../../store/entities/file-room.ts';
import { insertNewFiles } from '../../store/entities/new-did.ts';
import { type Change, LostRace, type Plan, type Write } from '../../store/items/plan.ts';
import { DidMap } from '../values/did-map.ts';
import { formatDid } from '../values/format-did.ts';
import { changeAvailability } from '../values/lost-file.ts';
import { alreadyExistsError, collectionClosedError, concurrentDetachError, nameTakenError } from './draft-errors.ts';
import { DraftedAttachments, toSizes } from './drafted-attachments.ts';
import { DraftedReplicas } from './drafted-replicas.ts';
import { didNotFoundError } from './find-did.ts';
import type { Nestings } from './nestings.ts';

/** A DID that exists, or that the draft creates. */
type Drafted = NewDid | Did;

/**
 * A change of the catalogue that is still being planned: DIDs, attachments and replicas that will be written together.
 * Its answers include them, so that a later part of a request sees the earlier parts.
 */
export class DidDraft {
  readonly #now: number;
  readonly #existing = new DidMap<Did>();
  readonly #made = new DidMap<NewDid>();
  readonly #attachments: DraftedAttachments;
  readonly #replicas: DraftedReplicas;
  readonly #constituents = new DidMap<true>();
  /** Collections whose present content the draft relies on. */
  readonly #reliedOn = new DidMap<true>();
  readonly #writes: Write[] = [];

  readonly #ignoresDuplicates: boolean;

  /**
   * @param options `ignoreDuplicate`: a concurrent attachment of the same child, or creation of the same collection, leads to a
   *   retry instead of an error.
   */
  constructor(now: number, existing: Iterable<Did>, { ignoreDuplicate = false } = {}) {
    this.#now = now;
    this.#ignoresDuplicates = ignoreDuplicate;
    this.#attachments = new DraftedAttachments(now, ignoreDuplicate);
    this.#replicas = new DraftedReplicas(now);
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

  /** Whether the draft creates a DID. */
  makes(did: DidKey): boolean {
    return this.#made.has(did);
  }

  /**
   * Adds a replica of a file on an RSE. One that exists stays, but is new if it had a tombstone.
   *
   * @throws InvalidPath (400) if another file of the draft has its path.
   */
  addReplica(file: NewFileDid, rseId: string, replica: Replica): void {
    this.#replicas.add(file, rseId, replica);
  }

  /**
   * Locks the replica of a file that the draft creates, for a rule of an account; the draft must have added the replica.
   */
  lockReplica(file: NewFileDid, rseId: string, rule: { readonly id: string; readonly account: string }): void {
    this.#replicas.lock(file, rseId, rule);
  }

  /** Marks a file as part of an archive. */
  markConstituent(file: NewFileDid): void {
    const made = this.#made.get(file);
    if (made !== undefined) this.#made.set(file, { ...made, constituent: true });
    else if (file.constituent !== true) this.#constituents.set(file, true);
  }

  /** Whether the draft attaches the child to the parent. */
  attaches(parent: DidKey, child: DidKey): boolean {
    return this.#attachments.has(parent, child);
  }

  /** Attaches a child to a parent, to which the draft does not attach it yet, and adds its sizes to those of the parent. */
  attach(parent: Drafted, child: Drafted): void {
    this.#attachments.attach(parent, child, this.makes(parent));
  }

  /** The DIDs to which the draft attaches a child. */
  parentsOf(child: DidKey): DidKey[] {
    return this.#attachments.parentsOf(child);
  }

  /** Marks a DID as an archive, or as a dataset that contains one. */
  markArchive(did: DidKey): void {
    this.#attachments.markArchive(did);
  }

  /** The attachments of containers to containers. */
  get nestings(): Nestings {
    return this.#attachments.nestings;
  }

  /** Relies on the content of a DID: a concurrent detachment makes the plan fail and be retried. */
  relyOn(parent: DidKey): void {
    this.#reliedOn.set(parent, true);
  }

  /** The DIDs on whose content the draft relies. */
  reliedOn(): Did[] {
    return this.#reliedOn.entries().flatMap(([did]) => this.#existing.get(did) ?? []);
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
      ...this.#attachments.writes(),
      ...this.#existing.values().flatMap((did) => this.#changeOf(did) ?? []),
      ...this.#writes,
      ...this.nestings.writes(),
      ...this.#replicas.writes((did) => this.find(did)),
    ];
    return writes.length === 0 ? [] : [...writes, ...this.#checks()];
  }

  /** A new DID with its replicas and sizes. */
  #grown(did: NewDid): NewDid {
    const growth = this.#attachments.growthOf(did);
    const archive = growth?.isArchive === true ? { isArchive: true } : {};
    if (did.type === 'FILE') return { ...did, ...archive, replicas: this.#replicas.of(did) };
    return { ...did, ...(growth === undefined ? {} : toSizes(growth)), ...archive };
  }

  /** The change of an existing DID, if the draft changes it. */
  #changeOf(did: Did): Change | undefined {
    const growth = this.#attachments.growthOf(did);
    const placed = this.#replicas.of(did);
    const replicas = [...placed].map(([rseId, replica]) => [replicaAttribute(rseId), replica]);
    const constituent = this.#constituents.has(did);
    if (growth === undefined && replicas.length === 0 && !constituent) return undefined;
    if (did.type === 'FILE' && replicas.length > 0 && !hasRoomFor(did, placed.values())) throw makeFullFileError(did);
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
          ...(this.#replicas.renews(did) ? requireSettled(did) : {}),
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
}
