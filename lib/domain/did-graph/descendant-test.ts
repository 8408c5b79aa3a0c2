import type { DidKey } from '../../contract/schemas/did.ts';
import { formatDid } from '../values/format-did.ts';
import type { ContentParents } from './content-parents.ts';

/** The search upwards from a DID, which reads one level of parents after the other. */
interface Climb {
  readonly did: DidKey;
  /** The DIDs of the present level: their parents are read next. */
  level: readonly DidKey[];
  /** All DIDs found so far, as `scope:name`. None is visited twice, so the search ends even in a circle. */
  readonly seen: Set<string>;
}

/** Tests whether DIDs are descendants of a root DID. */
export class DescendantTest {
  readonly #root: DidKey;
  readonly #parents: ContentParents;

  /** @param parents The reader of parents; tests with other roots may share it. */
  constructor(root: DidKey, parents: ContentParents) {
    this.#root = root;
    this.#parents = parents;
  }

  /** Finds a parent of a DID that is the root or a descendant of the root; undefined if there is none. */
  async findParent(did: DidKey): Promise<DidKey | undefined> {
    const [parents = []] = await this.#parents.findAll([did], this.#root);
    for (const parent of parents) if (await this.isAtOrBelow(parent)) return parent;
    return undefined;
  }

  /** Whether a DID is the root or a descendant of it. */
  async isAtOrBelow(did: DidKey): Promise<boolean> {
    return (await this.findBelow([did])).size > 0;
  }

  /**
   * Selects the DIDs that are the root or a descendant of the root, as `scope:name`. It reads one level for all DIDs
   * together. Once it has found the root above a DID, it reads no further levels for this DID.
   */
  async findBelow(dids: readonly DidKey[]): Promise<ReadonlySet<string>> {
    const root = formatDid(this.#root);
    const below = new Set<string>();
    let climbs = dids.map((did): Climb => ({ did, level: [did], seen: new Set([formatDid(did)]) }));
    for (;;) {
      for (const { did, seen } of climbs) if (seen.has(root)) below.add(formatDid(did));
      climbs = climbs.filter(({ level, seen }) => level.length > 0 && !seen.has(root));
      if (climbs.length === 0) return below;
      const levels = climbs.flatMap(({ level }) => level);
      await this.#parents.findAll(levels, this.#root);
      for (const climb of climbs) climb.level = await this.#ascend(climb);
    }
  }

  /** The next level: the parents of the present level that were not found before. */
  async #ascend({ level, seen }: Climb): Promise<DidKey[]> {
    const parents = await this.#parents.findAll(level, this.#root);
    return parents.flat().filter((parent) => {
      const name = formatDid(parent);
      const isNew = !seen.has(name);
      seen.add(name);
      return isNew;
    });
  }
}
