import type { DidKey } from '../../contract/schemas/did.ts';
import { formatDid } from '../values/format-did.ts';
import type { ContentParents } from './content-parents.ts';

/** The way up from a DID, breadth first. */
interface Climb {
  readonly did: DidKey;
  /** The DIDs whose parents are read next. */
  level: readonly DidKey[];
  /** The DIDs of all levels, so that a circle ends. */
  readonly seen: Set<string>;
}

/** Tests whether DIDs are descendants of a root DID. */
export class DescendantTest {
  readonly #root: DidKey;
  readonly #parents: ContentParents;

  /** @param parents Tests with other roots may share them. */
  constructor(root: DidKey, parents: ContentParents) {
    this.#root = root;
    this.#parents = parents;
  }

  /** A parent of a DID that is the root or a descendant of it; undefined: there is none. */
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
   * Those of some DIDs that are the root or a descendant of it, as `scope:name`. It reads a level of all DIDs together,
   * and nothing above the level at which the root is found.
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

  /** The parents of a level that are in no level yet. */
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
