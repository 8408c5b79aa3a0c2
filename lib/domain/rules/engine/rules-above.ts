import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { listParentCollections } from '../../../store/entities/parents.ts';
import { listRuleIds } from '../../../store/entities/rule.ts';
import { findAncestors } from '../../did-graph/find-ancestors.ts';
import { formatDid } from '../../values/format-did.ts';

/**
 * Finds the rules on DIDs and on their ancestors. It caches what it reads: a level costs one round trip with two
 * queries for each DID of it, and DIDs of one tree share the levels above them.
 */
export class RulesAbove {
  readonly #table: Table;
  readonly #cache = new Map<string, Promise<RulesAndParents>>();

  /** @param table A view of the latest committed state. */
  constructor(table: Table) {
    this.#table = table;
  }

  /** The ids of the rules on a DID and on its ancestors. */
  async findRuleIds(did: DidKey): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    await findAncestors(did, async (level) => {
      const found = await Promise.all(level.map((one) => this.#getCached(one)));
      for (const { ruleIds } of found) for (const id of ruleIds) ids.add(id);
      return found.flatMap(({ parents }) => parents);
    });
    return ids;
  }

  #getCached(did: DidKey): Promise<RulesAndParents> {
    const key = formatDid(did);
    const found = this.#cache.get(key) ?? this.#read(did);
    this.#cache.set(key, found);
    return found;
  }

  async #read(did: DidKey): Promise<RulesAndParents> {
    const [ruleIds, parents] = await Promise.all([
      listRuleIds(this.#table, did),
      Array.fromAsync(listParentCollections(this.#table, did)),
    ]);
    return { ruleIds, parents };
  }
}

interface RulesAndParents {
  readonly ruleIds: readonly string[];
  readonly parents: readonly DidKey[];
}
