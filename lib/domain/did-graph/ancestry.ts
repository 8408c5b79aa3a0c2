import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { listParents } from '../../store/entities/edge.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * Finds everything above DIDs. What it has found of a collection it keeps, since files of one listing are in the same
 * ones; so a file costs one query. Eventually consistent.
 */
export class Ancestry {
  readonly #table: Table;
  readonly #parents = new Map<string, Promise<readonly DidKey[]>>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** The ancestors of a file as `scope:name`, each once: a parent, then what is above that, then the next one. */
  async above(file: DidKey): Promise<string[]> {
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

async function readParents(table: Table, did: DidKey): Promise<DidKey[]> {
  const parents: DidKey[] = [];
  for await (const { parent, inArchive } of listParents(table, did)) if (inArchive !== true) parents.push(parent);
  return parents;
}
