import { findUnshown } from '../../../store/entities/edge-index.ts';
import { getEdges } from '../../../store/entities/edge.ts';
import type { Task } from '../../../store/entities/work.ts';
import { noteUnshown } from '../../dids/await-index.ts';
import { correct } from '../../dids/follow-file-keys.ts';
import type { Worker } from '../../work/worker.ts';
import { byParent, lockAll } from './react.ts';
import { RulesAbove } from './rules-above.ts';

/**
 * Looks again at attachments that the index shows by now, as if they had just been made: what was decided about them, or
 * about what is below them, may have rested on an index without them. It may be done twice. What is still not shown waits
 * further.
 */
export const followShown: Worker<Extract<Task, { readonly kind: 'followShown' }>> = async (
  context,
  latest,
  { task },
) => {
  const table = latest.latest();
  const unshown = await findUnshown(table, task.edges);
  const late = new Set(unshown);
  const present = await getEdges(
    table,
    task.edges.filter((edge) => !late.has(edge)),
  );
  await correct(
    context,
    present.filter(({ type }) => type === 'FILE'),
  );
  const untoldSince = Math.min(...present.map(({ createdAt }) => createdAt));
  const contents = byParent(present).map((content) => Object.assign(content, { untoldSince }));
  await lockAll(context, new RulesAbove(table), contents);
  return { writes: noteUnshown(await getEdges(table, unshown), context.now) };
};
