import type { Table } from '../../../store/batches/table.ts';
import { type Attached, findUnshown } from '../../../store/entities/edge-index.ts';
import { type Edge, getEdges } from '../../../store/entities/edge.ts';
import type { Task } from '../../../store/entities/work.ts';
import { noteUnshown } from '../../dids/await-index.ts';
import { correct } from '../../dids/follow-file-keys.ts';
import { formatDid } from '../../values/format-did.ts';
import type { Worker } from '../../values/worker.ts';
import { byParent, lockAll } from './react.ts';
import { RulesAbove } from './rules-above.ts';

/**
 * Follows attachments again that the index shows by now, as if they had just been made: earlier decisions about them and
 * their content may have rested on an index without them. It is idempotent. Attachments that the index still does not show
 * wait for the next look, unless they are gone.
 */
export const followShown: Worker<Extract<Task, { readonly kind: 'followShown' }>> = async (
  context,
  latest,
  { task },
) => {
  const table = latest.latest();
  const unshown = await findUnshown(table, task.edges);
  const late = new Set(unshown);
  const present = await readPresent(
    table,
    task.edges.filter((edge) => !late.has(edge)),
  );
  await correct(
    context,
    present.filter(({ type }) => type === 'FILE'),
  );
  await lockAll(context, new RulesAbove(table), byParent(present));
  return { writes: noteUnshown(await readPresent(table, unshown), context.now) };
};

/** The attachments that are there still; one that was made anew is followed by itself. */
async function readPresent(table: Table, edges: readonly Attached[]): Promise<Edge[]> {
  const nameOf = ({ parent, child }: Pick<Edge, 'parent' | 'child'>) => `${formatDid(parent)} ${formatDid(child)}`;
  const wanted = new Map(edges.map((edge) => [nameOf(edge), edge.createdAt]));
  return (await getEdges(table, edges)).filter((edge) => wanted.get(nameOf(edge)) === edge.createdAt);
}
