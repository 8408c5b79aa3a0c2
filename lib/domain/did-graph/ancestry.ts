import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { listParentCollections } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * Finds the ancestors of files. Caches the parents of collections, since the files of one listing share them; so a file
 * costs one query. Eventually consistent.
 */
export class Ancestry {
  readonly #table: Table;
  readonly #parents = new Map<string, Promise<readonly DidKey[]>>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** The ancestors of a file as `scope:name`, each once, depth first. */
  async listAncestors(file: DidKey): Promise<string[]> {
    const found = new Set<string>();
    for (const parent of await readParents(this.#table, file)) await this.#climb(parent, found);
    return [...found];
  }

  async #climb(did: DidKey, found: Set<string>): Promise<void> {
    const key = formatDid(did);
    if (found.has(key)) return;
    found.add(key);
    const parents = this.#parents.get(key) ?? readParents(this.#table, did);
    this.#parents.set(key, parents);
    for (const parent of await parents) await this.#climb(parent, found);
  }
}

function readParents(table: Table, did: DidKey): Promise<DidKey[]> {
  return Array.fromAsync(listParentCollections(table, did));
}
