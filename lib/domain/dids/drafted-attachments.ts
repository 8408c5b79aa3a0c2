import type { DidKey } from '../../contract/schemas/did.ts';
import { defined } from '../../defined.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import type { NewDid } from '../../store/entities/did.ts';
import { type Edge, insertEdge } from '../../store/entities/edge.ts';
import type { Write } from '../../store/items/plan.ts';
import { DidMap } from '../values/did-map.ts';
import { alreadyAttachedError } from './draft-errors.ts';
import { Nestings } from './nestings.ts';

/** The change of a collection by the children that a draft attaches to it. */
export interface Growth {
  length: Integer;
  bytes: Integer;
  events: Integer;
  isArchive: boolean;
  /** True if a child was attached, even an empty collection. */
  filled: boolean;
}

/** The attachments of a draft, and the sizes that they add to their parents. */
export class DraftedAttachments {
  readonly #now: number;
  readonly #ignoresDuplicates: boolean;
  readonly #edges: Edge[] = [];
  /** The attached children, by parent. */
  readonly #children = new DidMap<DidMap<true>>();
  readonly #growth = new DidMap<Growth>();
  /** The attachments of containers to containers. */
  readonly nestings = new Nestings();

  /** @param ignoresDuplicates A concurrent attachment of the same child leads to a retry instead of an error. */
  constructor(now: number, ignoresDuplicates: boolean) {
    this.#now = now;
    this.#ignoresDuplicates = ignoresDuplicates;
  }

  /** Whether the draft attaches the child to the parent. */
  has(parent: DidKey, child: DidKey): boolean {
    return this.#children.get(parent)?.has(child) === true;
  }

  /** The DIDs to which the draft attaches a child. */
  parentsOf({ scope, name }: DidKey): DidKey[] {
    return this.#edges
      .filter((edge) => edge.child.scope === scope && edge.child.name === name)
      .map(({ parent }) => parent);
  }

  /**
   * Attaches a child to a parent, to which the draft does not attach it yet, and adds its sizes to those of the parent.
   *
   * @param isNew The draft creates the parent.
   */
  attach(parent: NewDid, child: NewDid, isNew: boolean): void {
    const { type, bytes, events } = child;
    const inArchive = parent.type === 'FILE' ? (true as const) : undefined;
    const own =
      child.type === 'FILE'
        ? { adler32: child.adler32, md5: child.md5, guid: child.guid }
        : { length: child.length ?? 0 };
    this.#children.ensure(parent, () => new DidMap()).set(child, true);
    this.#edges.push({
      parent: { scope: parent.scope, name: parent.name },
      child: { scope: child.scope, name: child.name },
      type,
      // The child may have been created since the request began. An older attachment is that of a deleted DID.
      createdAt: Math.max(this.#now, child.createdAt),
      ...defined({ bytes, events, inArchive, ...own }),
    });
    if (type === 'CONTAINER') this.nestings.nest(parent, child, this.#now, isNew);
    const growth = this.#ensureGrowth(parent);
    growth.filled = true;
    growth.length = addIntegers(growth.length, child.type === 'FILE' ? 1 : (child.length ?? 0));
    growth.bytes = addIntegers(growth.bytes, bytes ?? 0);
    growth.events = addIntegers(growth.events, events ?? 0);
  }

  /** Marks a DID as an archive, or as a dataset that contains one. */
  markArchive(did: DidKey): void {
    this.#ensureGrowth(did).isArchive = true;
  }

  /** The growth of a DID, if the draft attaches a child to it or marks it as an archive. */
  growthOf(did: DidKey): Growth | undefined {
    return this.#growth.get(did);
  }

  /** The writes of the attachments themselves; those of {@link nestings} are apart. */
  writes(): Write[] {
    return this.#edges.map((edge) => insertEdge(edge, () => alreadyAttachedError(edge, this.#ignoresDuplicates)));
  }

  #ensureGrowth(did: DidKey): Growth {
    return this.#growth.ensure(did, () => ({ length: 0, bytes: 0, events: 0, isArchive: false, filled: false }));
  }
}

/** Sizes to write. `events` is left out if there are none, so that the collection shows none. */
export function toSizes({ length, bytes, events }: Growth): { length: Integer; bytes: Integer; events?: Integer } {
  return { length, bytes, ...(events === 0 ? {} : { events }) };
}
