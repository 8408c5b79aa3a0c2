import type { DidKey } from '../../contract/schemas/did.ts';
import { defined } from '../../defined.ts';
import { RucioError } from '../../errors.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import { requireNotShrinking } from '../../store/entities/did-conditions.ts';
import {
  changeDid,
  checkDid,
  type Did,
  insertDid,
  type NewDid,
  type Replica,
  replicaAttribute,
} from '../../store/entities/did.ts';
import { type Edge, insertEdge } from '../../store/entities/edge.ts';
import { insertExpiry } from '../../store/entities/expiry.ts';
import { insertNewFiles } from '../../store/entities/new-did.ts';
import { insertRsePath } from '../../store/entities/rse-path.ts';
import { insertRseContent } from '../../store/entities/rse.ts';
import { type Change, LostRace, type Plan, type Write } from '../../store/items/plan.ts';
import { UsageChanges } from '../locks/usage-changes.ts';
import { formatDid } from '../values/format-did.ts';
import { didNotFoundError } from './find-did.ts';
import { Nestings } from './nestings.ts';

/** A DID as a draft sees it: in the table already, or to be made by the draft. */
type Drafted = NewDid | Did;

interface Growth {
  length: Integer;
  bytes: Integer;
  events: Integer;
  isArchive: boolean;
  /** Something was attached, if only an empty collection. */
  filled: boolean;
}

/**
 * A change of the catalogue while it is being decided: DIDs, attachments and replicas that will be written together.
 * It answers as if they had been written already, so that one request can build on what it has just made.
 */
export class DidDraft {
  readonly #now: number;
  readonly #existing = new Map<string, Did>();
  readonly #made = new Map<string, NewDid>();
  readonly #edges = new Map<string, Edge>();
  readonly #growth = new Map<string, Growth>();
  /** New replicas by file, then by the id of their RSE. */
  readonly #replicas = new Map<string, Map<string, Replica>>();
  readonly #constituents = new Map<string, DidKey>();
  /** Collections whose present content the draft builds on. */
  readonly #kept = new Set<string>();
  /** What containers the draft puts into containers. */
  readonly nestings = new Nestings();
  readonly #usage = new UsageChanges();
  readonly #writes: Write[] = [];

  readonly #ignoresDuplicates: boolean;

  /** @param options `ignoreDuplicate`: what others attach meanwhile is no error, but a reason to decide anew. */
  constructor(now: number, existing: Iterable<Did>, { ignoreDuplicate = false } = {}) {
    this.#now = now;
    this.#ignoresDuplicates = ignoreDuplicate;
    for (const did of existing) this.#existing.set(formatDid(did), did);
  }

  /** The DID of a name, if there is or will be one. */
  find(did: DidKey): Drafted | undefined {
    return this.#made.get(formatDid(did)) ?? this.#existing.get(formatDid(did));
  }

  /**
   * Makes a DID.
   *
   * @throws DataIdentifierAlreadyExists (409) when there is one of that name already.
   */
  make(did: NewDid): void {
    if (this.find(did) !== undefined) throw alreadyExists();
    this.#made.set(formatDid(did), did);
  }

  /** Puts a replica of a file on an RSE, unless there is one. */
  addReplica(file: Drafted, rseId: string, replica: Replica): void {
    if (file.replicas.has(rseId)) return;
    const placed = this.#replicasOf(file);
    if (placed.has(rseId)) return;
    placed.set(rseId, replica);
    this.#replicas.set(formatDid(file), placed);
    const met = () => new LostRace(`${formatDid(file)} has got a replica on ${rseId} in the meantime`);
    this.#writes.push(insertRseContent(rseId, file, file.bytes, this.#now, met));
    if (replica.path !== undefined) this.#writes.push(insertRsePath(rseId, replica.path, file));
    this.#usage.replica(rseId, file.bytes ?? 0, 1);
  }

  /** Marks a file as part of an archive. */
  markConstituent(file: Drafted): void {
    const made = this.#made.get(formatDid(file));
    if (made !== undefined) this.#made.set(formatDid(file), { ...made, constituent: true });
    else if (file.constituent !== true) this.#constituents.set(formatDid(file), file);
  }

  /** Whether the draft attaches the child to the parent. */
  attaches(parent: DidKey, child: DidKey): boolean {
    return this.#edges.has(`${formatDid(parent)} ${formatDid(child)}`);
  }

  /** Whether the draft makes a DID. */
  makes(did: DidKey): boolean {
    return this.#made.has(formatDid(did));
  }

  /** Builds on what is attached to a DID: nothing of it may be detached before the draft takes effect. */
  keep(parent: DidKey): void {
    this.#kept.add(formatDid(parent));
  }

  /** The DIDs on whose content the draft builds. */
  kept(): Did[] {
    return [...this.#kept].flatMap((key) => this.#existing.get(key) ?? []);
  }

  /** The DIDs that the draft attaches a child to. */
  parentsOf(child: DidKey): DidKey[] {
    const key = formatDid(child);
    return [...this.#edges.values()].filter((edge) => formatDid(edge.child) === key).map(({ parent }) => parent);
  }

  /** Attaches a child to a parent, which grows by it. */
  attach(parent: Drafted, child: Drafted): void {
    const { type, bytes, adler32, md5, guid, events } = child;
    const inArchive = parent.type === 'FILE' ? (true as const) : undefined;
    const length = type === 'FILE' ? undefined : (child.length ?? 0);
    this.#edges.set(`${formatDid(parent)} ${formatDid(child)}`, {
      parent: { scope: parent.scope, name: parent.name },
      child: { scope: child.scope, name: child.name },
      type,
      createdAt: this.#now,
      ...defined({ bytes, length, adler32, md5, guid, events, inArchive }),
    });
    if (type === 'CONTAINER') this.nestings.nest(parent, child, this.#now, this.makes(parent));
    const growth = this.#growthOf(parent);
    growth.filled = true;
    growth.length = addIntegers(growth.length, length ?? 1);
    growth.bytes = addIntegers(growth.bytes, bytes ?? 0);
    growth.events = addIntegers(growth.events, events ?? 0);
  }

  /** Marks a DID as an archive, or as a dataset that holds one. */
  markArchive(did: DidKey): void {
    this.#growthOf(did).isArchive = true;
  }

  /** Adds a write that nothing else in the draft depends on. */
  add(write: Write): void {
    this.#writes.push(write);
  }

  /** The writes that bring the draft about. */
  plan(): Plan {
    const made = [...this.#made.values()];
    const files = made.filter(({ type, columns }) => type === 'FILE' && columns['is_new'] !== false);
    const writes = [
      ...made.map((did) => insertDid(this.#grown(did), () => taken(did))),
      ...made.flatMap((did) => (did.expiredAt === undefined ? [] : insertExpiry(did, did.expiredAt))),
      ...insertNewFiles(files, this.#now),
      ...[...this.#edges.values()].map((edge) => insertEdge(edge, () => this.#alreadyAttached(edge))),
      ...[...this.#existing.values()].flatMap((did) => this.#change(did) ?? []),
      ...this.#writes,
      ...this.nestings.writes(),
      ...this.#usage.writes(),
    ];
    return writes.length === 0 ? [] : [...writes, ...this.#checks()];
  }

  #growthOf(did: DidKey): Growth {
    const key = formatDid(did);
    const growth = this.#growth.get(key) ?? { length: 0, bytes: 0, events: 0, isArchive: false, filled: false };
    this.#growth.set(key, growth);
    return growth;
  }

  #replicasOf(did: DidKey): Map<string, Replica> {
    return this.#replicas.get(formatDid(did)) ?? new Map<string, Replica>();
  }

  /** A new DID with everything that the draft adds to it. */
  #grown(did: NewDid): NewDid {
    const growth = this.#growth.get(formatDid(did));
    const replicas = this.#replicasOf(did);
    if (growth === undefined) return { ...did, replicas };
    const sizes = did.type === 'FILE' ? {} : sizesOf(growth);
    return { ...did, ...sizes, ...(growth.isArchive ? { isArchive: true } : {}), replicas };
  }

  /** The change of an existing DID, if the draft changes it. */
  #change(did: Did): Change | undefined {
    const growth = this.#growth.get(formatDid(did));
    const replicas = [...this.#replicasOf(did)].map(([rseId, replica]) => [replicaAttribute(rseId), replica]);
    const constituent = this.#constituents.has(formatDid(did));
    if (growth === undefined && replicas.length === 0 && !constituent) return undefined;
    const filled = did.type !== 'FILE' && growth?.filled === true;
    const set = {
      ...Object.fromEntries(replicas),
      ...(constituent ? { constituent: true } : {}),
      ...(growth?.isArchive === true ? { isArchive: true } : {}),
      // A replica is a thing of its own: the file does not change by it.
      ...(growth === undefined && !constituent ? {} : { updatedAt: this.#now }),
    };
    const isKept = this.#kept.has(formatDid(did));
    const change = changeDid(
      did,
      { set, ...(filled ? { add: sizesOf(growth) } : {}) },
      {
        when: { type: did.type, ...(filled ? { open: true } : {}), ...(isKept ? requireNotShrinking(did) : {}) },
        onMismatch: (found) => {
          if (did.type === 'FILE') return new LostRace(`${formatDid(did)} has been deleted in the meantime`);
          if (found === undefined) return didNotFoundError(did);
          return found.open === true ? concurrentDetachError(did) : collectionClosedError(did);
        },
      },
    );
    return isKept ? { ...change, isExact: true } : change;
  }

  /** Looks at the collections on which the draft builds and that it does not change. */
  #checks(): Change[] {
    const unchanged = this.kept().filter((did) => this.#change(did) === undefined);
    return unchanged.map((did) => checkDid(did, requireNotShrinking(did), () => concurrentDetachError(did)));
  }

  #alreadyAttached({ parent, child, type }: Edge): Error {
    const text = `${formatDid(child)} already attached to ${formatDid(parent)}`;
    if (this.#ignoresDuplicates) return new LostRace(text);
    return type === 'FILE'
      ? new RucioError('FileAlreadyExists', `File ${text}`)
      : new RucioError('DuplicateContent', text);
  }
}

/** Sizes as they are written: without events, where there are none, a collection says nothing of them. */
function sizesOf({ length, bytes, events }: Growth): { length: Integer; bytes: Integer; events?: Integer } {
  return { length, bytes, ...(events === 0 ? {} : { events }) };
}

/** Of two requests that register a file at once the later one takes it as it is. */
function taken(did: NewDid): Error {
  return did.type === 'FILE' ? new LostRace(`${formatDid(did)} has been registered in the meantime`) : alreadyExists();
}

function alreadyExists(): RucioError {
  return new RucioError('DataIdentifierAlreadyExists', 'Data Identifier already exists!');
}

/** What a draft builds on has changed. */
export function concurrentDetachError(did: DidKey): LostRace {
  return new LostRace(`something was detached from ${formatDid(did)} in the meantime`);
}

/** The error of an attachment to a collection that is closed. */
export function collectionClosedError(did: DidKey): RucioError {
  return new RucioError('UnsupportedOperation', `Data identifier '${formatDid(did)}' is closed`);
}
