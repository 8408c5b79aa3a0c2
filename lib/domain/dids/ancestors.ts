import type { DidKey } from '../../contract/schemas/did.ts';
import { listParents } from '../../store/entities/edge.ts';
import type { Table } from '../../store/table.ts';
import type { Draft } from './draft.ts';
import { formatDid } from './format-did.ts';

/**
 * Everything above a DID, in the table and in the draft, as `scope:name`; level by level, each level at once. The index
 * that answers it is eventually consistent, so two attachments at the same moment can still close a circle; whatever
 * walks the graph downwards remembers where it has been.
 */
export async function findAncestors(
  { latest, draft }: { readonly latest: Table; readonly draft: Draft },
  did: DidKey,
): Promise<Set<string>> {
  const found = new Set<string>();
  let level: DidKey[] = [did];
  while (level.length > 0) {
    const parents = await Promise.all(level.map((child) => parentsOf(latest, draft, child)));
    level = parents.flat().filter((parent) => {
      const isNew = !found.has(formatDid(parent));
      found.add(formatDid(parent));
      return isNew;
    });
  }
  return found;
}

async function parentsOf(latest: Table, draft: Draft, child: DidKey): Promise<DidKey[]> {
  const parents = draft.parentsOf(child);
  for await (const { parent } of listParents(latest, child)) parents.push(parent);
  return parents;
}
