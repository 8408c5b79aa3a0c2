import type { DidKey } from '../../contract/schemas/did.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * Finds the ancestors of a DID, breadth first. It reads the parents of each DID once, so a circle ends.
 *
 * @param readParents Reads the parents of all DIDs of a level. The first level is the DID itself; no DID is in two
 *   levels. So the n-th level is at distance n - 1.
 * @returns The ancestors as `scope:name`.
 */
export async function findAncestors(
  did: DidKey,
  readParents: (level: readonly DidKey[]) => Promise<readonly DidKey[]>,
): Promise<ReadonlySet<string>> {
  const read = new Set([formatDid(did)]);
  const ancestors = new Set<string>();
  let level: readonly DidKey[] = [did];
  while (level.length > 0) {
    const next: DidKey[] = [];
    for (const parent of await readParents(level)) {
      const name = formatDid(parent);
      ancestors.add(name);
      if (read.has(name)) continue;
      read.add(name);
      next.push(parent);
    }
    level = next;
  }
  return ancestors;
}
