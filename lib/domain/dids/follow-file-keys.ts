import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, type FileDid, getFiles } from '../../store/entities/did.ts';
import { type Edge, listParentEdges } from '../../store/entities/edge.ts';
import { changesOf, type TableChange } from '../../store/stream/change.ts';
import type { AnonymousContext } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import type { Reaction } from '../values/reaction.ts';
import { DidPatches } from './did-patches.ts';
import { correctFileKeys, hasDifferentFileKeys } from './propagate-file-keys.ts';
import { scheduleEdgeRecheck } from './recheck-edges.ts';

const maxParallelQueries = 16;

/** The most attachments that one plan corrects. */
const edgesPerPlan = 100;

type Pair = Pick<Edge, 'parent' | 'child'>;

/**
 * Corrects attachments whose copy of `guid` or `events` is outdated. If a file is attached and changed concurrently,
 * neither request sees the other one, and the attachment may hold the old values. This reaction compares each new
 * attachment with its file once the index shows it, and each changed file with the attachments that the index shows by
 * then. So at least one of the two comparisons sees the other request, however late the index is. A new attachment
 * costs a read of its file and of the index.
 */
export const followFileKeys: Reaction = {
  name: 'follow file keys',
  kinds: ['did', 'edge'],
  async run(context, changes) {
    const table = context.store.table.latest();
    const attached = changesOf('edge', changes).flatMap(({ before, after }) =>
      before === undefined && after?.type === 'FILE' ? [after] : [],
    );
    // The index must be read before the files.
    await scheduleEdgeRecheck(context, attached);
    const pairs = [...(await findDiffering(table, attached)), ...(await findPairsOfChanged(table, changes))];
    const distinct = new Map(pairs.map((pair) => [`${formatDid(pair.parent)} ${formatDid(pair.child)}`, pair]));
    await correctAttachments(context, [...distinct.values()]);
  },
};

/** Copies `guid` and `events` of files to their attachments, in several plans. */
export async function correctAttachments({ store, now }: AnonymousContext, pairs: readonly Pair[]): Promise<void> {
  for await (const chunk of splitIntoChunks(pairs, edgesPerPlan)) {
    await store.write(async (latest) => {
      const patches = new DidPatches();
      const edges = await correctFileKeys(latest.latest(), chunk, { now, patches });
      return [...patches.changes(), ...edges];
    });
  }
}

/** Attachments whose copy differs from the file. */
async function findDiffering(table: Table, edges: readonly Edge[]): Promise<Pair[]> {
  const files = await getFiles(
    table,
    edges.map(({ child }) => child),
  );
  const byName = new Map(files.map((file) => [formatDid(file), file]));
  return edges.filter((edge) => {
    const file = byName.get(formatDid(edge.child));
    return file !== undefined && hasDifferentFileKeys(edge, file);
  });
}

/** The attachments of files whose keys have changed, as the index shows them now. */
async function findPairsOfChanged(table: Table, changes: readonly TableChange[]): Promise<Pair[]> {
  const files = changesOf('did', changes).flatMap(({ before, after }): DidKey[] =>
    hasChangedKeys(before, after) ? [after] : [],
  );
  const distinct = [...new Map(files.map((file) => [formatDid(file), file])).values()];
  const edges = await mapLimited(distinct, maxParallelQueries, (file) => Array.fromAsync(listParentEdges(table, file)));
  return edges.flat();
}

function hasChangedKeys(before: Did | undefined, after: Did | undefined): after is FileDid {
  return after?.type === 'FILE' && before?.type === 'FILE' && hasDifferentFileKeys(before, after);
}
