import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getEdges, listNestings } from '../../store/entities/edge.ts';
import { listParentCollections } from '../../store/entities/parents.ts';
import { findAncestors } from '../did-graph/find-ancestors.ts';
import { formatDid } from '../values/format-did.ts';
import type { DidDraft } from './did-draft.ts';

/** Sources of a walk upwards. */
interface Graph {
  readonly latest: Table;
  readonly draft: DidDraft;
}

/**
 * The first of some containers that is an ancestor of a container, in the table and in the draft. The draft depends on the
 * answer from then on: if another container is attached on the way up, the draft is made anew.
 *
 * The index that knows the parents may be late; so those of the last days are noted at the child, too, where they are
 * read strongly consistent (docs/adr/0017-circles.md). Of both some may be detached by now, which is looked at only where
 * a circle seems to close. A level costs one round trip, and two queries for each container of it.
 */
export async function findAncestorAmong<T extends DidKey>(
  { latest, draft }: Graph,
  did: DidKey,
  wanted: readonly T[],
): Promise<T | undefined> {
  const graph = { latest: latest.latest(), draft };
  const among = (found: ReadonlySet<string>) => wanted.find((one) => found.has(formatDid(one)));
  if (among(await climb(graph, did, parentsOf)) === undefined) return undefined;
  return among(await climb(graph, did, presentParentsOf));
}

/** The ancestors of a container as `scope:name`, in the table and in the draft. */
function climb({ latest, draft }: Graph, did: DidKey, ask: typeof parentsOf): Promise<ReadonlySet<string>> {
  return findAncestors(did, async (level) => {
    const existing = level.filter((child) => !draft.makes(child));
    await draft.nestings.watch(
      latest,
      existing.map(({ scope }) => scope),
    );
    const drafted = level.flatMap((child) => draft.parentsOf(child));
    const present = await Promise.all(existing.map((child) => ask(latest, child)));
    return [...drafted, ...present.flat()];
  });
}

/** The parents of a container, and some that it has had. */
async function parentsOf(table: Table, child: DidKey): Promise<DidKey[]> {
  const [listed, noted] = await Promise.all([
    Array.fromAsync(listParentCollections(table, child)),
    listNestings(table, child),
  ]);
  return [...listed, ...noted];
}

async function presentParentsOf(table: Table, child: DidKey): Promise<DidKey[]> {
  const pairs = (await parentsOf(table, child)).map((parent) => ({ parent, child }));
  return (await getEdges(table, pairs)).map(({ parent }) => parent);
}
