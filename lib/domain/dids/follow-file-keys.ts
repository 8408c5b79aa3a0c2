import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listParents } from '../../store/entities/edge.ts';
import { changesOf, type TableChange } from '../../store/stream/change.ts';
import type { AnonymousContext } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import type { Reaction } from '../values/reaction.ts';
import { splitIntoChunks } from '../values/split-into-chunks.ts';
import { DidPatches } from './did-patches.ts';
import { correctFileKeys, hasDifferentFileKeys } from './propagate-file-keys.ts';
import { scheduleEdgeRecheck } from './recheck-edges.ts';

/** Questions for attachments that are under way at once. */
const parallel = 16;

/** Attachments that are corrected together. */
const atOnce = 100;

type Pair = Pick<Edge, 'parent' | 'child'>;

/**
 * A file that is described while it is being attached: neither request sees the other one, so the attachment may say what
 * the file said before. Both are looked at here: a new attachment is compared with its file once the index shows it, a
 * file whose `guid` or `events` have changed with the attachments that the index shows then. So one of the two looks sees
 * the other request, however late the index is. A new attachment costs a read of its file and of the index.
 */
export const followFileKeys: Reaction = {
  name: 'follow file keys',
  kinds: ['did', 'edge'],
  async run(context, changes) {
    const table = context.store.table.latest();
    const attached = changesOf('edge', changes).flatMap(({ before, after }) =>
      before === undefined && after?.type === 'FILE' ? [after] : [],
    );
    // First of all: the files are to be read after the index was.
    await scheduleEdgeRecheck(context, attached);
    const pairs = [...(await findDiffering(table, attached)), ...(await describedPairs(table, changes))];
    const distinct = new Map(pairs.map((pair) => [`${formatDid(pair.parent)} ${formatDid(pair.child)}`, pair]));
    await correctAttachments(context, [...distinct.values()]);
  },
};

/** Lets attachments say what their files say, some at a time. */
export async function correctAttachments({ store, now }: AnonymousContext, pairs: readonly Pair[]): Promise<void> {
  for await (const some of splitIntoChunks(pairs, atOnce)) {
    await store.write(async (latest) => {
      const patches = new DidPatches();
      const edges = await correctFileKeys(latest.latest(), some, { now, patches });
      return [...patches.changes(), ...edges];
    });
  }
}

/** Attachments that say something else than their files do. */
async function findDiffering(table: Table, edges: readonly Edge[]): Promise<Pair[]> {
  const files = await getDids(
    table,
    edges.map(({ child }) => child),
  );
  const byName = new Map(files.map((file) => [formatDid(file), file]));
  return edges.filter((edge) => {
    const file = byName.get(formatDid(edge.child));
    return file !== undefined && hasDifferentFileKeys(edge, file);
  });
}

/** The attachments of files whose keys have changed; the index may be late, but is asked once more here. */
async function describedPairs(table: Table, changes: readonly TableChange[]): Promise<Pair[]> {
  const files = changesOf('did', changes).flatMap(({ before, after }): DidKey[] =>
    isDescribed(before, after) ? [after] : [],
  );
  const distinct = [...new Map(files.map((file) => [formatDid(file), file])).values()];
  const edges = await mapLimited(distinct, parallel, (file) => Array.fromAsync(listParents(table, file)));
  return edges.flat();
}

function isDescribed(before: Did | undefined, after: Did | undefined): after is Did {
  return after?.type === 'FILE' && before !== undefined && hasDifferentFileKeys(before, after);
}
