import { chunksOf } from '../../chunks.ts';
import { type Attachment, findUnindexed } from '../../store/entities/edge-index.ts';
import { insertWork } from '../../store/entities/work.ts';
import type { Insert } from '../../store/items/plan.ts';
import type { AnonymousContext } from '../values/context.ts';

/** The delay of the next look at the index. */
const recheckDelayMs = 60_000;

/** Attachments in one task. */
const edgesPerTask = 100;

/**
 * Schedules a second look at new attachments that the index does not show yet. Call it before reading anything else
 * about them. A concurrent change above or below is then seen either by those reads or by the second look
 * (docs/adr/0011-rules-on-the-stream.md).
 */
export async function scheduleEdgeRecheck(
  { store, now }: AnonymousContext,
  edges: readonly Attachment[],
): Promise<void> {
  const unshown = await findUnindexed(store.table.latest(), edges);
  if (unshown.length > 0) await store.write(async () => planEdgeRecheck(unshown, now));
}

/** The tasks that look at attachments again; `now` in milliseconds since 1970. */
export function planEdgeRecheck(edges: readonly Attachment[], now: number): Insert[] {
  const named = edges.map(({ parent, child, createdAt }) => ({ parent, child, createdAt }));
  return chunksOf(named, edgesPerTask).map((chunk) =>
    insertWork({ kind: 'followShown', edges: chunk }, now + recheckDelayMs),
  );
}
