import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listParents } from '../../store/entities/edge.ts';
import { changesOf, type TableChange } from '../../store/stream/change.ts';
import type { Table } from '../../store/table.ts';
import { chunksOf } from '../chunks.ts';
import type { Reaction } from '../stream/reaction.ts';
import { formatDid } from './format-did.ts';
import { Patches } from './patches.ts';
import { correctFileKeys, differs } from './propagate-file-keys.ts';

/** Questions for attachments that are under way at once. */
const parallel = 16;

/** Attachments that are corrected together. */
const atOnce = 100;

type Pair = Pick<Edge, 'parent' | 'child'>;

/**
 * A file that is described while it is being attached: neither request sees the other one, so the attachment may say what
 * the file said before. Whichever is told of later is compared here with what the other one has left: a new attachment
 * with its file, a file whose `guid` or `events` have changed with its attachments. A new attachment costs a read of its
 * file.
 */
export const followFileKeys: Reaction = {
  name: 'follow file keys',
  kinds: ['did', 'edge'],
  async run({ store, now }, changes) {
    const table = store.table.latest();
    const pairs = [...(await attachedPairs(table, changes)), ...(await describedPairs(table, changes))];
    const distinct = new Map(pairs.map((pair) => [`${formatDid(pair.parent)} ${formatDid(pair.child)}`, pair]));
    for await (const some of chunksOf(distinct.values(), atOnce)) {
      await store.write(async (latest) => {
        const patches = new Patches();
        const edges = await correctFileKeys(latest, some, { now, patches });
        return [...patches.changes(), ...edges];
      });
    }
  },
};

/** New attachments that say something else than their files do. */
async function attachedPairs(table: Table, changes: readonly TableChange[]): Promise<Pair[]> {
  const edges = changesOf('edge', changes).flatMap(({ before, after }) =>
    before === undefined && after?.type === 'FILE' ? [after] : [],
  );
  const files = await getDids(
    table,
    edges.map(({ child }) => child),
  );
  const byName = new Map(files.map((file) => [formatDid(file), file]));
  return edges.filter((edge) => {
    const file = byName.get(formatDid(edge.child));
    return file !== undefined && differs(edge, file);
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
  return after?.type === 'FILE' && before !== undefined && differs(before, after);
}
