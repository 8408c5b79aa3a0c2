import type { DidKey } from '../../contract/schemas/did.ts';
import { addIntegers } from '../../integer.ts';
import { changeDid } from '../../store/entities/did.ts';
import type { Patch } from '../../store/items/item.ts';
import { type Change, LostRace } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { didNotFoundError } from './find-did.ts';

/**
 * Why a DID is patched: the caller names it, it is a child of such a DID, or it is a parent of one. If several apply, the
 * first counts.
 */
type Role = 'named' | 'child' | 'parent';

const roles: readonly Role[] = ['named', 'child', 'parent'];

interface Merged {
  readonly did: DidKey;
  role: Role;
  readonly set: Map<string, unknown>;
  readonly remove: Set<string>;
  readonly add: Map<string, number | bigint>;
  when?: Change['when'];
}

/** Collects patches of DIDs and merges them into one change per DID, since a plan may change an item only once. */
export class DidPatches {
  readonly #merged = new Map<string, Merged>();

  /** Adds a patch of a DID that the caller names. If two patches set the same attribute, the later one wins. */
  add(did: DidKey, patch: Patch): void {
    this.#add(did, 'named', patch);
  }

  /** Makes it a condition that attributes of a DID that the caller names are as they were read. */
  require(did: DidKey, when: NonNullable<Change['when']>): void {
    this.#mergedOf(did, 'named').when = when;
  }

  /** Adds a patch of a DID that was found attached to a DID of the caller. */
  addToChild(did: DidKey, patch: Patch): void {
    this.#add(did, 'child', patch);
  }

  /** Adds a patch of a DID to which a DID of the caller was found attached. The plan must change that attachment, too. */
  addToParent(did: DidKey, patch: Patch): void {
    this.#add(did, 'parent', patch);
  }

  #mergedOf(did: DidKey, role: Role): Merged {
    const merged: Merged = this.#merged.get(formatDid(did)) ?? {
      did: { scope: did.scope, name: did.name },
      role,
      set: new Map(),
      remove: new Set(),
      add: new Map(),
    };
    this.#merged.set(formatDid(did), merged);
    if (roles.indexOf(role) < roles.indexOf(merged.role)) merged.role = role;
    return merged;
  }

  #add(did: DidKey, role: Role, patch: Patch): void {
    const merged = this.#mergedOf(did, role);
    for (const [attribute, value] of Object.entries(patch.set ?? {})) {
      merged.set.set(attribute, value);
      merged.remove.delete(attribute);
    }
    for (const attribute of patch.remove ?? []) {
      merged.remove.add(attribute);
      merged.set.delete(attribute);
    }
    for (const [attribute, amount] of Object.entries(patch.add ?? {})) {
      merged.add.set(attribute, addIntegers(merged.add.get(attribute) ?? 0, amount));
    }
  }

  /**
   * The merged changes. If a DID is gone or being deleted, one that the caller names throws DataIdentifierNotFound (404), a
   * child throws LostRace. A parent that is being deleted is changed all the same: its deletion can take minutes, and must
   * not fail requests for the files in it. If it is gone, so is the attachment, and LostRace is thrown.
   */
  changes(): Change[] {
    return [...this.#merged.values()].map(({ did, role, set, remove, add, when }) =>
      changeDid(
        did,
        { set: Object.fromEntries(set), remove: [...remove], add: Object.fromEntries(add) },
        {
          evenHidden: role === 'parent',
          ...(when === undefined ? {} : { when }),
          onMismatch: (existing) =>
            role === 'named' && (when === undefined || existing === undefined)
              ? didNotFoundError(did)
              : new LostRace(`${formatDid(did)}, a ${role} of a changed DID, was deleted concurrently`),
        },
      ),
    );
  }
}
