import type { DidKey } from '../../contract/schemas/did.ts';
import { addIntegers } from '../../integer.ts';
import { changeDid } from '../../store/entities/did.ts';
import type { Patch } from '../../store/items/item.ts';
import type { Change } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { didNotFoundError } from './find-did.ts';

interface Merged {
  readonly did: DidKey;
  readonly set: Map<string, unknown>;
  readonly remove: Set<string>;
  readonly add: Map<string, number | bigint>;
}

/** Collects patches of DIDs and merges them into one change per DID, since a plan may change an item only once. */
export class DidPatches {
  readonly #merged = new Map<string, Merged>();

  /** Adds a patch of a DID. If two patches set the same attribute, the later one wins. */
  add(did: DidKey, patch: Patch): void {
    const merged: Merged = this.#merged.get(formatDid(did)) ?? {
      did: { scope: did.scope, name: did.name },
      set: new Map(),
      remove: new Set(),
      add: new Map(),
    };
    this.#merged.set(formatDid(did), merged);
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

  /** The merged changes. Each throws DataIdentifierNotFound (404) if its DID is gone. */
  changes(): Change[] {
    return [...this.#merged.values()].map(({ did, set, remove, add }) =>
      changeDid(
        did,
        { set: Object.fromEntries(set), remove: [...remove], add: Object.fromEntries(add) },
        { onMismatch: () => didNotFoundError(did) },
      ),
    );
  }
}
