import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getEdges } from '../../store/entities/edge.ts';
import { isContentEdge, listParentCollections } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';
import { findAncestors } from './find-ancestors.ts';

/**
 * Tests whether DIDs are descendants of a root DID. It reads parents from the index, which may lag, verifies each edge
 * in the table, and caches the result.
 */
export class DescendantTest {
  readonly #table: Table;
  readonly #root: DidKey;
  readonly #recentParents: ReadonlyMap<string, readonly DidKey[]>;
  readonly #parents = new Map<string, Promise<readonly DidKey[]>>();

  /**
   * @param table A view of the latest committed state.
   * @param recentParents Parents to which a child, by name, was attached recently: the index may not have them yet.
   */
  constructor(table: Table, root: DidKey, recentParents: ReadonlyMap<string, readonly DidKey[]> = new Map()) {
    this.#table = table;
    this.#root = root;
    this.#recentParents = recentParents;
  }

  /** A parent of a DID that is the root or a descendant of it; undefined: there is none. */
  async findParent(did: DidKey): Promise<DidKey | undefined> {
    for (const parent of await this.#getParents(did)) if (await this.isAtOrBelow(parent)) return parent;
    return undefined;
  }

  /** Whether a DID is the root or a descendant of it. */
  async isAtOrBelow(did: DidKey): Promise<boolean> {
    if (formatDid(did) === formatDid(this.#root)) return true;
    const readParents = async (level: readonly DidKey[]) =>
      (await Promise.all(level.map((child) => this.#getParents(child)))).flat();
    return (await findAncestors(did, readParents, this.#root)).has(formatDid(this.#root));
  }

  #getParents(child: DidKey): Promise<readonly DidKey[]> {
    const key = formatDid(child);
    const found = this.#parents.get(key) ?? this.#readParents(child);
    this.#parents.set(key, found);
    return found;
  }

  async #readParents(child: DidKey): Promise<readonly DidKey[]> {
    const parents = await Array.fromAsync(listParentCollections(this.#table, child));
    // The index may not have recent attachments yet.
    const recentParents = this.#recentParents.get(formatDid(child)) ?? [];
    const pairs = [this.#root, ...parents, ...recentParents].map((parent) => ({ parent, child }));
    const edges = await getEdges(this.#table, pairs);
    return edges.filter(isContentEdge).map(({ parent }) => parent);
  }
}
