import type { Table } from '../../../store/batches/table.ts';
import { type Attachment, findUnindexed } from '../../../store/entities/edge-index.ts';
import { type Edge, getEdges } from '../../../store/entities/edge.ts';
import type { Task } from '../../../store/entities/work.ts';
import { correctAttachments } from '../../dids/follow-file-keys.ts';
import { planEdgeRecheck } from '../../dids/recheck-edges.ts';
import { formatDid } from '../../values/format-did.ts';
import type { Worker } from '../../values/worker.ts';
import { groupByParent } from './changed-content.ts';
import { lockAllAttached } from './follow-content.ts';
import { RulesAbove } from './rules-above.ts';

/**
 * Processes attachments again once the index shows them, as if they were new: earlier decisions about them and their
 * content may have used the index without them. Idempotent. Attachments that the index does not show yet are checked
 * again later, unless they are gone.
 */
export const followShown: Worker<Extract<Task, { readonly kind: 'followShown' }>> = async (
  context,
  latest,
  { task },
) => {
  const table = latest.latest();
  const unshown = await findUnindexed(table, task.edges);
  const stillMissing = new Set(unshown);
  const present = await readPresent(
    table,
    task.edges.filter((edge) => !stillMissing.has(edge)),
  );
  await correctAttachments(
    context,
    present.filter(({ type }) => type === 'FILE'),
  );
  await lockAllAttached(context, new RulesAbove(table), groupByParent(present));
  return { writes: planEdgeRecheck(await readPresent(table, unshown), context.now) };
};

/** The attachments that still exist. One that was detached and made again has its own task. */
async function readPresent(table: Table, edges: readonly Attachment[]): Promise<Edge[]> {
  const nameOf = ({ parent, child }: Pick<Edge, 'parent' | 'child'>) => `${formatDid(parent)} ${formatDid(child)}`;
  const wanted = new Map(edges.map((edge) => [nameOf(edge), edge.createdAt]));
  return (await getEdges(table, edges)).filter((edge) => wanted.get(nameOf(edge)) === edge.createdAt);
}
