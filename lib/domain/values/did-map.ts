import type { DidKey } from '../../contract/schemas/did.ts';

interface Entry<V> {
  readonly did: DidKey;
  value: V;
}

/**
 * A map by DID, in the order of insertion. It looks up scope and name as they are: a key such as `scope:name` would have to be
 * joined and hashed for each look-up, which takes longer than the look-up itself.
 */
export class DidMap<V> {
  readonly #scopes = new Map<string, Map<string, Entry<V>>>();
  readonly #entries: Entry<V>[] = [];

  get(did: DidKey): V | undefined {
    return this.#find(did)?.value;
  }

  has(did: DidKey): boolean {
    return this.#find(did) !== undefined;
  }

  /** Adds a value, or replaces that of the same DID. */
  set(did: DidKey, value: V): void {
    const known = this.#find(did);
    if (known === undefined) this.#add(did, value);
    else known.value = value;
  }

  /** The value of a DID; one that is missing is made and added. */
  ensure(did: DidKey, make: () => V): V {
    return (this.#find(did) ?? this.#add(did, make())).value;
  }

  values(): V[] {
    return this.#entries.map(({ value }) => value);
  }

  entries(): [DidKey, V][] {
    return this.#entries.map(({ did, value }) => [did, value]);
  }

  #find({ scope, name }: DidKey): Entry<V> | undefined {
    return this.#scopes.get(scope)?.get(name);
  }

  #add(did: DidKey, value: V): Entry<V> {
    const entry = { did, value };
    const names = this.#scopes.get(did.scope);
    if (names === undefined) this.#scopes.set(did.scope, new Map([[did.name, entry]]));
    else names.set(did.name, entry);
    this.#entries.push(entry);
    return entry;
  }
}
