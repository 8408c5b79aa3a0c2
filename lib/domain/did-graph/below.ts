import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getEdges, listParents } from '../../store/entities/edge.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * Finds out what is below a DID, through all levels, or the DID itself. The way up is taken from the index, which may be
 * late, and each step of it is looked up in the table; what was found of a DID is kept.
 */
export class Below {
  readonly #table: Table;
  readonly #top: DidKey;
  readonly #told: ReadonlyMap<string, readonly DidKey[]>;
  readonly #parents = new Map<string, Promise<readonly DidKey[]>>();

  /**
   * @param table Shows what is committed when it is read.
   * @param told Parents that a child, by name, was attached to lately: the index may not know of them yet.
   */
  constructor(table: Table, top: DidKey, told: ReadonlyMap<string, readonly DidKey[]> = new Map()) {
    this.#table = table;
    this.#top = top;
    this.#told = told;
  }

  /** The direct parent through which a DID is below the DID; undefined: it is not. */
  async parentOf(did: DidKey): Promise<DidKey | undefined> {
    for (const parent of await this.#parentsOf(did)) if (await this.has(parent)) return parent;
    return undefined;
  }

  /** Whether a DID is below the DID, or the same. */
  async has(did: DidKey): Promise<boolean> {
    const top = formatDid(this.#top);
    const seen = new Set([formatDid(did)]);
    let level: readonly DidKey[] = [did];
    while (level.length > 0 && !seen.has(top)) {
      const parents = (await Promise.all(level.map((child) => this.#parentsOf(child)))).flat();
      level = parents.filter((parent) => {
        const isNew = !seen.has(formatDid(parent));
        seen.add(formatDid(parent));
        return isNew;
      });
    }
    return seen.has(top);
  }

  #parentsOf(child: DidKey): Promise<readonly DidKey[]> {
    const key = formatDid(child);
    const found = this.#parents.get(key) ?? this.#ask(child);
    this.#parents.set(key, found);
    return found;
  }

  async #ask(child: DidKey): Promise<readonly DidKey[]> {
    const parents: DidKey[] = [];
    for await (const { parent, inArchive } of listParents(this.#table, child)) {
      if (inArchive !== true) parents.push(parent);
    }
    // The index may not know yet what was attached a moment ago.
    const told = this.#told.get(formatDid(child)) ?? [];
    const pairs = [this.#top, ...parents, ...told].map((parent) => ({ parent, child }));
    const edges = await getEdges(this.#table, pairs);
    return edges.filter(({ inArchive }) => inArchive !== true).map(({ parent }) => parent);
  }
}
