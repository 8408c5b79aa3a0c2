import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { listParents } from '../../../store/entities/edge.ts';
import { listRuleIds } from '../../../store/entities/rule.ts';
import { formatDid } from '../../values/format-did.ts';

/**
 * Finds the rules on DIDs and on everything above them. What is found of a DID is kept: a level costs one round trip, two
 * queries for each DID of it, and DIDs of one tree share the levels above them.
 */
export class RulesAbove {
  readonly #table: Table;
  readonly #known = new Map<string, Promise<Finding>>();

  /** @param table Shows what is committed when it is read. */
  constructor(table: Table) {
    this.#table = table;
  }

  /** The ids of the rules on a DID and on its ancestors. */
  async of(did: DidKey): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    const seen = new Set([formatDid(did)]);
    let level: readonly DidKey[] = [did];
    while (level.length > 0) {
      const found = await Promise.all(level.map((one) => this.#find(one)));
      for (const { ruleIds } of found) for (const id of ruleIds) ids.add(id);
      level = found
        .flatMap(({ parents }) => parents)
        .filter((parent) => {
          const isNew = !seen.has(formatDid(parent));
          seen.add(formatDid(parent));
          return isNew;
        });
    }
    return ids;
  }

  #find(did: DidKey): Promise<Finding> {
    const key = formatDid(did);
    const found = this.#known.get(key) ?? this.#ask(did);
    this.#known.set(key, found);
    return found;
  }

  async #ask(did: DidKey): Promise<Finding> {
    const [ruleIds, edges] = await Promise.all([
      listRuleIds(this.#table, did),
      Array.fromAsync(listParents(this.#table, did)),
    ]);
    return { ruleIds, parents: edges.filter(({ inArchive }) => inArchive !== true).map(({ parent }) => parent) };
  }
}

interface Finding {
  readonly ruleIds: readonly string[];
  readonly parents: readonly DidKey[];
}
